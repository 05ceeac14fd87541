import { createHmac, hash } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import type { Dog } from '../dogs/dog.ts';
import { sortKey } from '../dogs/keys.ts';
import type { Item, Part } from '../platform/commit.ts';
import { database } from '../platform/dynamodb.ts';
import { leaseSeconds, type RequestContext, seconds } from '../platform/request-context.ts';
import type { BarkOutcome, BarkRequest } from './request.ts';

/** An item of the barks table: a request with an idempotency key, in progress or completed. */
export interface IdempotencyRecord {
  readonly dog: string;
  /**
   * The sort key: a prefix, and a digest of the incarnation, the resource, the user and the idempotency key. Two incarnations of
   * a dog never share a record.
   */
  readonly sk: string;
  readonly incarnation: string;
  /** An HMAC of the request. The idempotency key is the secret of the HMAC, so that the HMAC does not reveal the request. */
  readonly payloadHash: string;
  /** Identifies the invocation that handles or handled the request. */
  readonly claim: string;
}

/** The state of the request that a record identifies. */
type IdempotencyState =
  /**
   * In progress: the end of the lease, in Unix seconds. After that, the mail may have been sent, and no invocation handles the
   * request again. It is 0 if an invocation has ended the lease, so that none can complete the request.
   */
  | { readonly claimEnds: number }
  /** Completed. */
  | { readonly outcome: BarkOutcome };

/** Returns the record of a request, with a new claim but without a state, or undefined if the request has no key. */
export function idempotencyRecordOf(
  dog: Dog,
  { key, message, isAsync = false }: BarkRequest,
): IdempotencyRecord | undefined {
  if (!key) return undefined;
  const { user, resource, value } = key;
  const name = JSON.stringify([dog.incarnation, resource, user, value]);
  const payload = JSON.stringify([message, isAsync]);
  return {
    dog: dog.id,
    sk: sortKey('idempotencyRecord', hash('sha256', name, 'base64url')),
    incarnation: dog.incarnation,
    payloadHash: createHmac('sha256', value).update(payload).digest('base64url'),
    claim: crypto.randomUUID(),
  };
}

/** The stored record of a request. A record that is in progress has `claimEnds`, and a completed one has `outcome`. */
type StoredRecord = IdempotencyRecord & {
  readonly claimEnds?: number;
  readonly outcome?: BarkOutcome;
};

/** A write of a record was refused, because the key has the stored record; undefined if it was removed. */
export interface KeyTaken {
  readonly record: IdempotencyRecord;
  readonly stored: StoredRecord | undefined;
}

/** The lifetime of a record, in seconds. During that time, the service detects repeats of the request. */
const recordLifetimeSeconds = 24 * 60 * 60;

/** Returns the part that stores the outcome of a request. It needs an unused key, or a record in progress with the same claim. */
export function completeRecord(
  record: IdempotencyRecord,
  outcome: BarkOutcome,
  context: RequestContext,
): Part<KeyTaken> {
  const [isUnused, isOwn] = [unused(context), ownClaim(record)];
  const condition = {
    expression: `${isUnused.expression} OR (${isOwn.expression})`,
    values: { ...isUnused.values, ...isOwn.values },
  };
  const put = { ...putOf(record, { outcome }, context), ...checkOf(condition) };
  return { actions: [{ Put: put }], judge: ([failure]) => ({ refusal: takenBy(record, failure?.item) }) };
}

/** Returns the part that claims a request until the lease ends. It needs an unused key. */
export function claimRequest(record: IdempotencyRecord, context: RequestContext): Part<KeyTaken> {
  const claimEnds = seconds(context.now) + leaseSeconds;
  const put = { ...putOf(record, { claimEnds }, context), ...checkOf(unused(context)) };
  const isOwn = (stored: Item | undefined) => stored?.claim === record.claim;
  return {
    actions: [{ Put: put }],
    single: {
      write: async (options) => void (await database.send(new PutCommand(put), options)),
      isOwn,
    },
    judge: ([failure]) => (isOwn(failure?.item) ? 'written' : { refusal: takenBy(record, failure?.item) }),
  };
}

/** Returns the part that ends the lease of a claim for good. No run can complete the request afterwards. */
export function endLease(record: IdempotencyRecord, context: RequestContext): Part<KeyTaken> {
  // Without the condition, this write could restore a record that the purge of a deleted dog has removed.
  const put = { ...putOf(record, { claimEnds: 0 }, context), ...checkOf(ownClaim(record)) };
  return {
    actions: [{ Put: put }],
    single: {
      write: async (options) => void (await database.send(new PutCommand(put), options)),
      isOwn: (stored) => stored?.claim === record.claim && stored.claimEnds === 0,
    },
    judge: ([failure]) => ({ refusal: takenBy(record, failure?.item) }),
  };
}

/** Returns the part that deletes a claim, so that its key is unused again. Does nothing if the record has no such claim. */
export function deleteClaim(record: IdempotencyRecord): Part {
  const { dog, sk } = record;
  const removal = {
    TableName: environment('BARKS_TABLE'),
    Key: { dog, sk },
    ...checkOf(ownClaim(record)),
  };
  return {
    actions: [{ Delete: removal }],
    single: {
      write: async (options) => void (await database.send(new DeleteCommand(removal), options)),
      isOwn: () => true,
    },
    judge: () => 'written',
  };
}

function takenBy(record: IdempotencyRecord, stored: Item | undefined): KeyTaken {
  return { record, stored: stored as unknown as StoredRecord | undefined };
}

interface Condition {
  readonly expression: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The condition that no valid record has the key. */
function unused({ now }: RequestContext): Condition {
  return {
    expression: 'attribute_not_exists(sk) OR expires <= :now',
    values: { ':now': seconds(now) },
  };
}

/** The condition that the record has this claim, is not completed, and that nothing has ended the lease of the claim. */
function ownClaim({ claim }: IdempotencyRecord): Condition {
  return {
    expression: 'claim = :claim AND claimEnds > :ended',
    values: { ':claim': claim, ':ended': 0 },
  };
}

function putOf(record: IdempotencyRecord, state: IdempotencyState, context: RequestContext) {
  const expires = seconds(context.now) + recordLifetimeSeconds;
  return { TableName: environment('BARKS_TABLE'), Item: { ...record, ...state, expires } };
}

function checkOf({ expression, values }: Condition) {
  return {
    ConditionExpression: expression,
    ExpressionAttributeValues: values,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
}
