import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../environment.ts';
import type { Call } from './call.ts';
import { database, failedConditions, run } from './database.ts';

/** How many deletions are under way at once. */
const pageSize = 50;

/**
 * Removes what a deleted dog left. It may be stopped anywhere and run again, and it touches nothing of a new dog that
 * has the same id: the life of each item is a condition of its deletion.
 *
 * @throws Unavailable when the time is up: what is left is for the next try
 */
export async function purgeDog(dog: string, life: string, call: Call): Promise<void> {
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const command = new QueryCommand({
      TableName: environment('BARKS_TABLE'),
      KeyConditionExpression: 'dog = :dog',
      FilterExpression: 'life = :life',
      ExpressionAttributeValues: { ':dog': dog, ':life': life },
      ProjectionExpression: 'sk',
      Limit: pageSize,
      ConsistentRead: true,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    const { Items = [], LastEvaluatedKey } = await run((options) => database.send(command, options), call);
    await Promise.all(Items.map(({ sk }) => removeItem(dog, sk as string, life, call)));
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

async function removeItem(dog: string, sk: string, life: string, call: Call): Promise<void> {
  const command = new DeleteCommand({
    TableName: environment('BARKS_TABLE'),
    Key: { dog, sk },
    ConditionExpression: 'life = :life',
    ExpressionAttributeValues: { ':life': life },
  });
  await run((options) => database.send(command, options), call).catch((error) => {
    if (!failedConditions(error)) throw error;
  });
}
