import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import { send } from '../platform/dynamodb.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { type ItemOwner, purgeDog } from './purge.ts';

/** `dogs` counts the deleted dogs that had orphans. */
interface Purged {
  dogs: number;
  items: number;
}

/**
 * Purges orphans: items in the barks table that the purge of a deleted dog has left behind. Safe to call again after a failure.
 * Leaves the schedules of deleted dogs to `BarkOnSchedule`, which deletes them when they fire.
 *
 * After a restore, the dogs table must be complete before the call, because items without a dog count as orphans.
 *
 * @param contextOf returns a new context for each page of the scan, and for the purge of each dog
 */
export async function purgeOrphans(contextOf: () => RequestContext): Promise<Purged> {
  const total: Purged = { dogs: 0, items: 0 };
  let position: ScanPosition | undefined;
  do {
    const page = await scanOwners(position, contextOf());
    for (const owner of distinct(page.owners)) {
      const items = await purgeDog(owner, contextOf());
      total.items += items;
      if (items > 0) total.dogs += 1;
    }
    position = page.next;
  } while (position);
  return total;
}

function distinct(owners: readonly ItemOwner[]): ItemOwner[] {
  const byName = new Map(owners.map((owner) => [`${owner.id} ${owner.incarnation}`, owner]));
  return [...byName.values()];
}

type ScanPosition = Readonly<Record<string, unknown>>;

/** An owner of several items occurs several times. */
async function scanOwners(
  position: ScanPosition | undefined,
  context: RequestContext,
): Promise<{ owners: ItemOwner[]; next: ScanPosition | undefined }> {
  const command = new ScanCommand({
    TableName: environment('BARKS_TABLE'),
    ProjectionExpression: 'dog, incarnation',
    // Usage items belong to no incarnation.
    FilterExpression: 'attribute_exists(incarnation)',
    ConsistentRead: true,
    ...(position && { ExclusiveStartKey: position }),
  });
  const { Items = [], LastEvaluatedKey } = await send(command, context);
  const owners = Items.map(({ dog, incarnation }) => ({
    id: dog as string,
    incarnation: incarnation as string,
  }));
  return { owners, next: LastEvaluatedKey };
}
