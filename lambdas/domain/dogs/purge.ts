import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import { database, failedCondition, run } from '../platform/dynamodb.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { deleteSchedule } from '../schedules/eventbridge.ts';
import type { Schedule } from '../schedules/schedule.ts';
import type { Dog } from './dog.ts';
import { findDog } from './repository.ts';

/** How many deletions are under way at once. */
const pageSize = 50;

/**
 * Removes what a deleted dog left, its schedule first. It may be stopped anywhere and run again, and it touches nothing of
 * a new dog that has the same id: the incarnation of each item is a condition of its deletion. Nor does it touch a dog that a
 * restore has brought back since: an item is only ever written for an incarnation that has begun, so that an incarnation which does not
 * go on now has ended.
 *
 * @returns how many items were removed
 * @throws Unavailable when the time is up: what is left is for the next try
 */
export async function purgeDog(
  {
    id: dog,
    incarnation,
    schedule,
  }: Pick<Dog, 'id' | 'incarnation'> & { readonly schedule?: Pick<Schedule, 'scheduleId'> },
  context: RequestContext,
): Promise<number> {
  if ((await findDog(dog, context))?.incarnation === incarnation) return 0;
  if (schedule) await deleteSchedule(dog, schedule.scheduleId, context);
  let removed = 0;
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const command = new QueryCommand({
      TableName: environment('BARKS_TABLE'),
      KeyConditionExpression: 'dog = :dog',
      FilterExpression: 'incarnation = :incarnation',
      ExpressionAttributeValues: { ':dog': dog, ':incarnation': incarnation },
      ProjectionExpression: 'sk',
      Limit: pageSize,
      ConsistentRead: true,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    const { Items = [], LastEvaluatedKey } = await run((options) => database.send(command, options), context);
    await Promise.all(Items.map(({ sk }) => removeItem(dog, sk as string, incarnation, context)));
    removed += Items.length;
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return removed;
}

async function removeItem(
  dog: string,
  sk: string,
  incarnation: string,
  context: RequestContext,
): Promise<void> {
  const command = new DeleteCommand({
    TableName: environment('BARKS_TABLE'),
    Key: { dog, sk },
    ConditionExpression: 'incarnation = :incarnation',
    ExpressionAttributeValues: { ':incarnation': incarnation },
  });
  await run((options) => database.send(command, options), context).catch((error) => {
    if (!failedCondition(error)) throw error;
  });
}
