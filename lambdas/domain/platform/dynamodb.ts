import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CancellationReason,
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
import { type RequestContext, seconds } from './request-context.ts';

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
  context: RequestContext,
): Promise<Output> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send({ abortSignal: context.signal });
    } catch (error) {
      if (!isContention(error)) throw isOutage(error) ? unavailable(error) : error;
    }
    const pause = Math.random() * Math.min(longestPause, firstPause * 2 ** attempt);
    await sleep(pause, undefined, { signal: context.signal }).catch((error) => {
      throw unavailable(error);
    });
  }
}

/** One action of a transaction. */
export type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The actions of a transaction by name, in the order in which they are sent. An action that is undefined is left out. */
export type Actions<Name extends string = string> = { readonly [N in Name]?: Action | undefined };

/** A condition that failed. */
export interface FailedCondition {
  /** The item as it was then; undefined if there was none, or if the action does not return it. */
  readonly item: Record<string, unknown> | undefined;
}

/** The conditions of a transaction that failed, by the names of the actions that have them. */
export type Conflicts<Name extends string = string> = { readonly [N in Name]?: FailedCondition };

/** A transaction did not take place, because at least one of its conditions failed. */
class ConditionsFailed extends Error {
  override readonly name = 'ConditionsFailed';
  readonly conflicts: Conflicts;
  /** How often the SDK sent the transaction. */
  readonly attempts: number;

  constructor(conflicts: Conflicts, cause: TransactionCanceledException) {
    super(`Conditions of the transaction failed: ${Object.keys(conflicts).join(', ')}.`, { cause });
    this.conflicts = conflicts;
    this.attempts = cause.$metadata.attempts ?? 1;
  }
}

/**
 * Writes several items, or none. All tries have the same client request token. A try that took place although its
 * response was lost therefore counts once.
 *
 * @param actions for example `{ bark: { Put: … }, dog: { Update: … } }`
 * @throws the error that `conflictsOf` reads, if a condition failed
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the transaction took place
 */
export async function transact(actions: Actions, context: RequestContext): Promise<void> {
  const named = Object.entries(actions).filter((entry): entry is [string, Action] => entry[1] !== undefined);
  const command = new TransactWriteCommand({
    ClientRequestToken: crypto.randomUUID(),
    TransactItems: named.map(([, action]) => action),
  });
  try {
    await run((options) => database.send(command, options), context);
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const names = named.map(([name]) => name);
    throw hasFailedCondition(error) ? new ConditionsFailed(conflictsByName(names, error), error) : error;
  }
}

/**
 * Returns the conditions of a transaction that failed, by the names that `transact` received.
 *
 *     const conflicts = conflictsOf<'bark' | 'idempotency'>(error);
 *     if (!conflicts) throw error;
 *     if (conflicts.idempotency) return firstOutcome(keyed, conflicts.idempotency, call);
 *
 * @returns undefined if the error has another cause
 */
export function conflictsOf<Name extends string>(error: unknown): Conflicts<Name> | undefined {
  return error instanceof ConditionsFailed ? (error.conflicts as Conflicts<Name>) : undefined;
}

/** Returns the condition of a plain write that failed; undefined if the error has another cause. */
export function failedCondition(error: unknown): FailedCondition | undefined {
  return error instanceof ConditionalCheckFailedException ? failedConditionOf(error) : undefined;
}

/**
 * Returns true if the SDK sent the transaction whose conditions failed several times. One of the earlier tries may have
 * taken place.
 */
export function wasRetried(error: unknown): boolean {
  return error instanceof ConditionsFailed && error.attempts > 1;
}

const conditionFailed = 'ConditionalCheckFailed';

function hasFailedCondition({ CancellationReasons = [] }: TransactionCanceledException): boolean {
  return CancellationReasons.some(({ Code }) => Code === conditionFailed);
}

/** The cancellation reasons have the order of the actions. */
function conflictsByName(
  names: readonly string[],
  { CancellationReasons = [] }: TransactionCanceledException,
): Conflicts {
  const conflicts = names.flatMap((name, index) => {
    const reason = CancellationReasons[index];
    return reason?.Code === conditionFailed ? [[name, failedConditionOf(reason)]] : [];
  });
  return Object.fromEntries(conflicts);
}

function failedConditionOf({ Item }: Pick<CancellationReason, 'Item'>): FailedCondition {
  return { item: Item && unmarshall(Item) };
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
  context: RequestContext,
  { isClientChange = false } = {},
): Promise<Result> {
  const now = seconds(context.now);
  const toleratedSeconds = isClientChange ? 1 : 5;
  let time: DogTime = { lastModified: now, latestStored: now };
  for (;;) {
    try {
      return await write(time);
    } catch (error) {
      const conditions = [failedCondition(error), ...Object.values(conflictsOf(error) ?? {})];
      const times = conditions.map((condition) => Number(condition?.item?.lastModified ?? 0));
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
      !hasFailedCondition(error) &&
      (error.CancellationReasons ?? []).some(({ Code }) => contentionReasons.has(Code ?? ''))
    );
  return error instanceof TransactionConflictException || error instanceof TransactionInProgressException;
}

function unavailable(cause: unknown): Unavailable {
  return new Unavailable('The database is overloaded or out of reach.', { cause });
}
