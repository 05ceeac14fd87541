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
import type { RequestContext } from './request-context.ts';

/** The number of connections that stay open. GET of a dog uses this many concurrently. The purge uses many more. */
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
 * Runs one request to DynamoDB. While the request conflicts with another write of the same items, runs it again with full
 * jitter until the deadline. A transaction must have a client request token, so that it counts once.
 *
 * @throws Unavailable if DynamoDB does not respond, is overloaded, or reports conflicts until the deadline: it is then unknown
 *   whether a write took place
 * @throws the error of the SDK for any other failure, such as a failed condition
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
  /** The item at the time of the failure; undefined if it did not exist, or if the action does not return it. */
  readonly item: Record<string, unknown> | undefined;
}

/** The conditions of a transaction that failed, by the names of the actions that have them. */
export type Conflicts<Name extends string = string> = { readonly [N in Name]?: FailedCondition };

/** At least one condition of a transaction failed, so the transaction did not take place. */
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
 * Writes all items or none. All tries have the same client request token, so that a try whose response was lost counts once.
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
 *     if (conflicts.idempotency) return outcomeOfRepeat(record, conflicts.idempotency, context);
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
  return new Unavailable('The database is overloaded or unreachable. Send the request again later.', {
    cause,
  });
}
