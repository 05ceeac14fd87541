import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import type { Dog } from '../dogs/dog.ts';
import { findDog } from '../dogs/read.ts';
import type { Schedule } from '../dogs/schedule.ts';
import { isConditionFailed, send } from '../platform/dynamodb.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { deleteSchedule } from '../schedules/eventbridge.ts';

/** Up to this many items are deleted concurrently. */
const pageSize = 50;

/** A dog's incarnation, which owns items in the barks table. */
export type ItemOwner = Pick<Dog, 'id' | 'incarnation'>;

/**
 * Deletes a deleted dog's schedule, and then its items in the barks table. Safe to call again after a failure.
 *
 *     GetItem dog ──── DeleteSchedule ──── Query (a page of items) ──── DeleteItem (each item of the page) ──── next page
 *
 * | The function dies after | Stored                        | The next attempt               |
 * | ----------------------- | ----------------------------- | ------------------------------ |
 * | GetItem                 | the schedule, the items       | purges                         |
 * | DeleteSchedule          | the items                     | deletes the items              |
 * | Query                   | the items                     | the same                       |
 * | DeleteItem              | the other items               | deletes the other items        |
 *
 * Does not affect a new dog with the same ID, because no two dogs share a `scheduleId` or an incarnation. Does not affect a dog
 * that a restore has brought back, because the function first checks that the incarnation is not in the dogs table. An
 * incarnation that has items but is not in that table was deleted, because functions write items only after they have read the
 * dog.
 *
 * @returns the number of deleted items
 */
export async function purgeDog(
  { id, incarnation, schedule }: ItemOwner & { readonly schedule?: Pick<Schedule, 'scheduleId'> },
  context: RequestContext,
): Promise<number> {
  if ((await findDog(id, context))?.incarnation === incarnation) return 0;
  if (schedule) await deleteSchedule(id, schedule.scheduleId, context);
  let total = 0;
  let after: string | undefined;
  do {
    const page = await deletePage({ id, incarnation }, after, context);
    total += page.deleted;
    after = page.last;
  } while (after !== undefined);
  return total;
}

/** `after` and `last` are the sort keys after which this page and the next one begin. */
async function deletePage(
  { id, incarnation }: ItemOwner,
  after: string | undefined,
  context: RequestContext,
): Promise<{ deleted: number; last: string | undefined }> {
  const command = new QueryCommand({
    TableName: environment('BARKS_TABLE'),
    KeyConditionExpression: 'dog = :dog',
    FilterExpression: 'incarnation = :incarnation',
    ExpressionAttributeValues: { ':dog': id, ':incarnation': incarnation },
    ProjectionExpression: 'sk',
    Limit: pageSize,
    ConsistentRead: true,
    ...(after !== undefined && { ExclusiveStartKey: { dog: id, sk: after } }),
  });
  const { Items = [], LastEvaluatedKey } = await send(command, context);
  await Promise.all(Items.map(({ sk }) => deleteItem({ dog: id, sk: sk as string }, incarnation, context)));
  return { deleted: Items.length, last: LastEvaluatedKey?.sk };
}

async function deleteItem(
  key: { readonly dog: string; readonly sk: string },
  incarnation: string,
  context: RequestContext,
): Promise<void> {
  const command = new DeleteCommand({
    TableName: environment('BARKS_TABLE'),
    Key: key,
    ConditionExpression: 'incarnation = :incarnation',
    ExpressionAttributeValues: { ':incarnation': incarnation },
  });
  await send(command, context).catch((error) => {
    if (!isConditionFailed(error)) throw error;
  });
}
