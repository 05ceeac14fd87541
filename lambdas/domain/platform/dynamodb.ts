import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, type GetCommand } from '@aws-sdk/lib-dynamodb';
import { unavailableIfOutage } from './outage.ts';
import type { RequestContext } from './request-context.ts';

/** As many as the token endpoint uses concurrently. */
const maxIdleConnections = 3;

export const database = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    // All idle connections may have died while the function was frozen, and each one costs an attempt.
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
 * Until the deadline, retries after conflicts, throttled transactions and unprocessed keys, with exponential backoff and full
 * jitter. A transaction must have a client request token, so that DynamoDB applies it only once.
 *
 * @throws Unavailable during an outage or after the deadline, otherwise the SDK's error
 */
export async function withRetries<Output>(
  send: (options: { abortSignal: AbortSignal }) => Promise<Output>,
  context: RequestContext,
): Promise<Output> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send({ abortSignal: context.signal });
    } catch (error) {
      if (!isContention(error)) throw unavailableIfOutage('The database', error);
    }
    const backoffMs = Math.random() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** attempt);
    await sleep(backoffMs, undefined, { signal: context.signal }).catch((error) => {
      throw unavailableIfOutage('The database', error);
    });
  }
}

/** A command of the document client. */
interface DocumentCommand<Output> {
  resolveMiddleware(...parameters: never[]): (parameters: never) => Promise<{ readonly output: Output }>;
}

/** Sends a command with the retries and the errors of `withRetries`. */
export function send<Output>(command: DocumentCommand<Output>, context: RequestContext): Promise<Output> {
  return withRetries(
    (options) => database.send(command as unknown as GetCommand, options) as Promise<Output>,
    context,
  );
}

export interface ItemKey {
  readonly table: string;
  readonly key: Readonly<Record<string, string>>;
}

type RequestItems = Record<string, { Keys: Record<string, unknown>[]; ConsistentRead: true }>;

class KeysUnprocessed extends Error {}

/**
 * Reads several items, which can be in different tables. Each read is strongly consistent, but the items can be from different
 * moments.
 *
 * @returns the items in the order of the keys; undefined for each item that does not exist
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
  await withRetries(async (options) => {
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

export function isConditionFailed(error: unknown): error is ConditionalCheckFailedException {
  return error instanceof ConditionalCheckFailedException;
}

/** The code of a cancellation reason. */
export const conditionFailed = 'ConditionalCheckFailed';

const contentionReasons = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

function isContention(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) {
    const reasons = error.CancellationReasons ?? [];
    return (
      !reasons.some(({ Code }) => Code === conditionFailed) &&
      reasons.some(({ Code }) => contentionReasons.has(Code ?? ''))
    );
  }
  return (
    error instanceof TransactionConflictException ||
    error instanceof TransactionInProgressException ||
    error instanceof KeysUnprocessed
  );
}
