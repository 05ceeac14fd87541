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
  BatchGetCommand,
  DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { Unavailable } from './errors.ts';
import { isOutage } from './outage.ts';
import type { RequestContext } from './request-context.ts';

/**
 * The maximum number of idle connections that stay open. The token endpoint uses this many connections concurrently. The purge
 * uses many more.
 */
const maxIdleConnections = 3;

/** The only DynamoDB client. All invocations in an execution environment share it. */
export const database = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    // Every idle connection may have died while the function was frozen. Each dead connection costs one attempt.
    maxAttempts: maxIdleConnections + 1,
    requestHandler: {
      // A connection that hangs must leave time for another attempt before the invocation's deadline.
      connectionTimeout: 1_000,
      requestTimeout: 3_000,
      throwOnRequestTimeout: true,
      httpsAgent: { maxFreeSockets: maxIdleConnections },
    },
  }),
  { marshallOptions: { removeUndefinedValues: true } },
);

const firstBackoffMs = 25;
const maxBackoffMs = 1_000;

/**
 * Sends a request to DynamoDB. Retries the request with exponential backoff and full jitter until the deadline of the invocation
 * if it conflicts with another write to the same items, if a transaction is throttled, if DynamoDB is still processing an earlier
 * attempt at the transaction, or if DynamoDB has left keys unprocessed. A transaction must have a client request token, so that
 * DynamoDB applies it only once.
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
    const backoffMs = Math.random() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** attempt);
    await sleep(backoffMs, undefined, { signal: context.signal }).catch((error) => {
      throw unavailable(error);
    });
  }
}

/** The key of an item, and its table. */
export interface ItemKey {
  readonly table: string;
  readonly key: Readonly<Record<string, string>>;
}

type RequestItems = Record<string, { Keys: Record<string, unknown>[]; ConsistentRead: true }>;

/** DynamoDB has read only a part of the items, for example because a table is throttled. */
class KeysUnprocessed extends Error {}

/**
 * Reads several items, which can be in different tables, with one call. Each read is strongly consistent, but the items can be from
 * different moments, as with concurrent calls. The cost is that of one GetItem for each item. If DynamoDB leaves keys unprocessed,
 * requests these keys again, with the backoff of `run`.
 *
 * @returns the items in the order of the keys; undefined for each item that does not exist
 * @throws Unavailable if DynamoDB is unavailable
 * @see {@link https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html BatchGetItem}
 */
export async function readItems(
  keys: readonly ItemKey[],
  context: RequestContext,
): Promise<(Record<string, unknown> | undefined)[]> {
  let remaining: RequestItems = {};
  for (const { table, key } of keys) {
    remaining[table] ??= { Keys: [], ConsistentRead: true };
    remaining[table].Keys.push(key);
  }
  const items: { table: string; item: Record<string, unknown> }[] = [];
  await run(async (options) => {
    const command = new BatchGetCommand({ RequestItems: remaining });
    const { Responses = {}, UnprocessedKeys = {} } = await database.send(command, options);
    for (const [table, ofTable] of Object.entries(Responses))
      items.push(...ofTable.map((item) => ({ table, item })));
    remaining = UnprocessedKeys as RequestItems;
    if (Object.keys(remaining).length > 0) throw new KeysUnprocessed();
  }, context);
  const isOf = ({ table, key }: ItemKey, one: (typeof items)[number]) =>
    one.table === table && Object.entries(key).every(([name, value]) => one.item[name] === value);
  return keys.map((key) => items.find((one) => isOf(key, one))?.item);
}

/** One action of a transaction. */
export type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The actions of a transaction by name, in the order in which they are sent. An action that is undefined is left out. */
export type Actions<Name extends string = string> = { readonly [N in Name]?: Action | undefined };

/** A condition that failed. */
export interface FailedCondition {
  /**
   * The item at the time of the failure; undefined if it did not exist, or if the action does not set
   * `ReturnValuesOnConditionCheckFailure`.
   */
  readonly item: Record<string, unknown> | undefined;
}

/** The failed conditions of a transaction, by the names of their actions. */
export type ConditionFailures<Name extends string = string> = { readonly [N in Name]?: FailedCondition };

/** At least one condition of a transaction failed, so DynamoDB did not apply this attempt at the transaction. */
class ConditionsFailed extends Error {
  override readonly name = 'ConditionsFailed';
  readonly failures: ConditionFailures;
  /** How many times the SDK sent the transaction. */
  readonly attempts: number;

  constructor(failures: ConditionFailures, cause: TransactionCanceledException) {
    super(`Conditions of the transaction failed: ${Object.keys(failures).join(', ')}.`, { cause });
    this.failures = failures;
    this.attempts = cause.$metadata.attempts ?? 1;
  }
}

/**
 * Writes all items or none. All attempts have the same client request token, so that DynamoDB applies the transaction only once,
 * even if a response is lost.
 *
 * @param actions for example `{ bark: { Put: … }, dog: { Update: … } }`
 * @throws ConditionsFailed if a condition failed. Use `conditionFailuresOf` to read the error
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the transaction took place
 * @throws the error of the SDK for any other failure
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
    throw hasFailedCondition(error)
      ? new ConditionsFailed(conditionFailuresByName(names, error), error)
      : error;
  }
}

/**
 * Returns the failed conditions of a transaction, by the names that `transact` received.
 *
 *     const failures = conditionFailuresOf<'bark' | 'idempotency'>(error);
 *     if (!failures) throw error;
 *     if (failures.idempotency) return outcomeOfRepeat(record, failures.idempotency, context);
 *
 * @returns undefined if the error has another cause
 */
export function conditionFailuresOf<Name extends string>(
  error: unknown,
): ConditionFailures<Name> | undefined {
  return error instanceof ConditionsFailed ? (error.failures as ConditionFailures<Name>) : undefined;
}

/** Returns the failed condition of a single write; undefined if the error has another cause. */
export function failedCondition(error: unknown): FailedCondition | undefined {
  return error instanceof ConditionalCheckFailedException ? failedConditionOf(error) : undefined;
}

/**
 * Returns true if the SDK sent the failed transaction more than once. DynamoDB may have applied one of the earlier attempts.
 */
export function wasRetried(error: unknown): boolean {
  return error instanceof ConditionsFailed && error.attempts > 1;
}

const conditionFailed = 'ConditionalCheckFailed';

function hasFailedCondition({ CancellationReasons = [] }: TransactionCanceledException): boolean {
  return CancellationReasons.some(({ Code }) => Code === conditionFailed);
}

/** The cancellation reasons are in the same order as the actions. */
function conditionFailuresByName(
  names: readonly string[],
  { CancellationReasons = [] }: TransactionCanceledException,
): ConditionFailures {
  const failures = names.flatMap((name, index) => {
    const reason = CancellationReasons[index];
    return reason?.Code === conditionFailed ? [[name, failedConditionOf(reason)]] : [];
  });
  return Object.fromEntries(failures);
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
  return (
    error instanceof TransactionConflictException ||
    error instanceof TransactionInProgressException ||
    error instanceof KeysUnprocessed
  );
}

function unavailable(cause: unknown): Unavailable {
  return new Unavailable('The database is overloaded or unreachable. Send the request again later.', {
    cause,
  });
}
