import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { database } from '../../lambdas/domain/platform/dynamodb.ts';

/** The limits of a deployment. A limit that is absent does not apply. */
export interface TestLimits {
  readonly barksPerDog?: number;
  readonly barksPerUser?: number;
  readonly mailsPerDog?: number;
  readonly mailsPerUser?: number;
  readonly limitWindowMinutes?: number;
}

/** Sets the limits of the functions, as the stack does. Undefined sets none. The default window is one hour. */
export function setLimits(limits: TestLimits | undefined): void {
  const none = { barksPerDog: 0, barksPerUser: 0, mailsPerDog: 0, mailsPerUser: 0, limitWindowMinutes: 60 };
  if (limits) process.env.LIMITS = JSON.stringify({ ...none, ...limits });
  else delete process.env.LIMITS;
}

/** Returns the usage item of a dog or a user in the window that begins at a time. @param start Unix seconds */
export async function usageOf(
  partition: string,
  start: number,
): Promise<Record<string, unknown> | undefined> {
  const { Item } = await database.send(
    new GetCommand({
      TableName: process.env.BARKS_TABLE,
      Key: { dog: partition, sk: `l#${start}` },
      ConsistentRead: true,
    }),
  );
  return Item;
}
