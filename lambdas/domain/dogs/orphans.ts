import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import { database, run } from '../platform/dynamodb.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { purgeDog } from './purge.ts';

/** How many deleted dogs had left something, and how many items that was. */
interface Purged {
  dogs: number;
  items: number;
}

/** The incarnation of a dog, that an item belongs to. */
interface Owner {
  readonly dog: string;
  readonly incarnation: string;
}

/**
 * Purges what deleted dogs left, from the table of barks, where the purge of a deletion was lost for instance. It may be
 * stopped anywhere and run again. A schedule that a deleted dog left deletes itself when it fires.
 *
 * After a restore the table of dogs must be whole before: what has no dog is taken for what a deleted one left.
 *
 * @param contextOf gives each call of AWS a time of its own, and the purge of a dog as well
 * @throws Unavailable; what was purged so far stays so, and the rest is for another try
 */
export async function purgeOrphans(contextOf: () => RequestContext): Promise<Purged> {
  const total: Purged = { dogs: 0, items: 0 };
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const { owners, next } = await ownersOfPage(ExclusiveStartKey, contextOf());
    for (const { dog: id, incarnation } of owners) {
      const items = await purgeDog({ id, incarnation }, contextOf());
      total.items += items;
      if (items > 0) total.dogs += 1;
    }
    ExclusiveStartKey = next;
  } while (ExclusiveStartKey);
  return total;
}

/** The owners of the items of a page of the table, each once. */
async function ownersOfPage(
  ExclusiveStartKey: Record<string, unknown> | undefined,
  context: RequestContext,
): Promise<{ owners: Owner[]; next: Record<string, unknown> | undefined }> {
  const command = new ScanCommand({
    TableName: environment('BARKS_TABLE'),
    ProjectionExpression: 'dog, incarnation',
    ConsistentRead: true,
    ...(ExclusiveStartKey && { ExclusiveStartKey }),
  });
  const { Items = [], LastEvaluatedKey } = await run((options) => database.send(command, options), context);
  const owners = new Map((Items as Owner[]).map((owner) => [`${owner.dog} ${owner.incarnation}`, owner]));
  return { owners: [...owners.values()], next: LastEvaluatedKey };
}
