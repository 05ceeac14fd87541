import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { Unavailable } from './errors.ts';
import { isOutage } from './outage.ts';
import { type Call, seconds } from './request-context.ts';

/** As many as GET of a dog uses at once. The purge uses many more. */
const keptConnections = 3;

/** The one client of DynamoDB, shared by all invocations of an execution environment. */
export const database = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    // Each kept connection may have died while the function was frozen, and costs one attempt.
    maxAttempts: keptConnections + 1,
    requestHandler: {
      // A connection that hangs must leave time for another try before the invocation's deadline.
      connectionTimeout: 1_000,
      requestTimeout: 3_000,
      throwOnRequestTimeout: true,
      httpsAgent: { maxFreeSockets: keptConnections },
    },
  }),
  { marshallOptions: { removeUndefinedValues: true } },
);

const firstPause = 25;
const longestPause = 1_000;

/**
 * Runs one request to the database, and runs it again, with full jitter and until the deadline, while it loses against
 * another write of the same items. A transaction must bear a client request token, so that it counts once.
 *
 * @throws Unavailable if the database is out of reach, overloaded or contended until the deadline. Where the request
 *   was a write, it is then unknown whether it took place.
 * @throws whatever else the database answers, a failed condition for one.
 */
export async function run<Output>(
  send: (options: { abortSignal: AbortSignal }) => Promise<Output>,
  call: Call,
): Promise<Output> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send({ abortSignal: call.signal });
    } catch (error) {
      if (!isContention(error)) throw isOutage(error) ? unavailable(error) : error;
    }
    const pause = Math.random() * Math.min(longestPause, firstPause * 2 ** attempt);
    await sleep(pause, undefined, { signal: call.signal }).catch((error) => {
      throw unavailable(error);
    });
  }
}

/**
 * Writes several items, or none. All tries bear one token: a try that took place although its answer was lost counts
 * once.
 *
 * @throws Unavailable, or what `failedConditions` understands
 */
export async function transact(
  TransactItems: TransactWriteCommandInput['TransactItems'],
  call: Call,
): Promise<void> {
  const command = new TransactWriteCommand({ ClientRequestToken: crypto.randomUUID(), TransactItems });
  await run((options) => database.send(command, options), call);
}

/** A condition that failed, with the item as it was then; undefined if there was none. */
export interface FailedCondition {
  readonly item: Record<string, unknown> | undefined;
}

/**
 * Which conditions of a write failed, at the places that its actions have in the transaction (a plain write is the
 * first and only one); undefined if the error is none of that kind.
 */
export function failedConditions(error: unknown): (FailedCondition | undefined)[] | undefined {
  if (error instanceof ConditionalCheckFailedException)
    return [{ item: error.Item && unmarshall(error.Item) }];
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const conditions = (error.CancellationReasons ?? []).map(({ Code, Item }) =>
    Code === 'ConditionalCheckFailed' ? { item: Item && unmarshall(Item) } : undefined,
  );
  return conditions.some(Boolean) ? conditions : undefined;
}

/** The time that a write gives a dog. */
export interface DogTime {
  /** What the write stores, in Unix seconds. */
  readonly lastModified: number;
  /** The latest time that the dog may have before the write: the write has the condition `lastModified <= :latestStored`. */
  readonly latestStored: number;
}

/**
 * Runs a write of a dog with the present as its time. If another function with a clock that was ahead has written the dog,
 * the write runs again with a time that does not go back.
 *
 * Last-Modified tells clients whether the dog has changed, and dates their changes. All writes would share a time that is
 * ahead until the present has caught up with it: a change would look like none, and a PATCH after another client's change
 * would look like the repeat of an earlier one. Therefore a write moves such a time by a second, unless the difference is
 * what healthy clocks can have: many writes could otherwise move the time on faster than it passes.
 *
 * @param write runs the write with a time
 * @param isClientChange true for a change of what clients set, false for a bark
 * @returns the result of the write that succeeded
 * @throws the error of the write, if the stored time is not the cause
 */
export async function moveLastModified<Result>(
  write: (time: DogTime) => Promise<Result>,
  call: Call,
  { isClientChange = false } = {},
): Promise<Result> {
  const now = seconds(call.now);
  const toleratedSeconds = isClientChange ? 1 : 5;
  let time: DogTime = { lastModified: now, latestStored: now };
  for (;;) {
    try {
      return await write(time);
    } catch (error) {
      const times = (failedConditions(error) ?? []).map((condition) =>
        Number(condition?.item?.lastModified ?? 0),
      );
      const latestStored = Math.max(0, ...times);
      if (latestStored <= time.latestStored) throw error;
      const isAhead = latestStored > now + toleratedSeconds;
      time = { lastModified: isAhead ? latestStored + 1 : latestStored, latestStored };
    }
  }
}

const contentionReasons = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

function isContention(error: unknown): boolean {
  if (error instanceof TransactionCanceledException)
    return (
      failedConditions(error) === undefined &&
      (error.CancellationReasons ?? []).some(({ Code }) => contentionReasons.has(Code ?? ''))
    );
  return error instanceof TransactionConflictException || error instanceof TransactionInProgressException;
}

function unavailable(cause: unknown): Unavailable {
  return new Unavailable('The database is overloaded or out of reach.', { cause });
}
