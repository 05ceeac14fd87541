import { createHmac, hash } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import type { Dog } from '../dogs/dog.ts';
import { sortKey } from '../dogs/keys.ts';
import { commit, type Item, type Part } from '../platform/commit.ts';
import { KeyReused, MailUnknown, RequestInProgress, Unavailable } from '../platform/errors.ts';
import { leaseSeconds, type RequestContext, seconds } from '../platform/request-context.ts';
import type { BarkOutcome, BarkRequest } from './bark.ts';
import { findItem } from './barks-table.ts';

/**
 * An item of the barks table (see `docs/data-model.md`). Usually, the record is written once, with its outcome. Before a
 * synchronous bark sends mail, its run claims the request:
 *
 *     unused key ──── claim ───► in progress (claimEnds) ──► completed (outcome)
 *         ▲                       │
 *         └── no mail was sent ───┴──► ended (claimEnds is 0): the mail may have been sent, and nothing can complete the request
 *
 * No other run takes over a claim, because the first run may have sent the mail. Even after the lease, the claim's own run
 * can complete the request, until a repeat ends the claim.
 */
export interface IdempotencyRecord {
  readonly dog: string;
  readonly sk: string;
  readonly incarnation: string;
  /** An HMAC of the request, keyed with the idempotency key so that it does not reveal the request. */
  readonly payloadHash: string;
  readonly claim: string;
}

type StoredRecord = IdempotencyRecord & {
  /** In Unix seconds. */
  readonly claimEnds?: number;
  readonly outcome?: BarkOutcome;
};

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

/** Returns undefined if no request has used the key. Otherwise, returns or throws the same as `outcomeOfRepeat`. */
export async function findOutcome(
  record: IdempotencyRecord | undefined,
  context: RequestContext,
): Promise<BarkOutcome | undefined> {
  const stored = record && (await findItem<StoredRecord>(record, context));
  return stored && outcomeOfRepeat({ record, stored }, context);
}

/** `stored` is undefined if the record was removed. */
interface KeyTaken {
  readonly record: IdempotencyRecord;
  readonly stored: StoredRecord | undefined;
}

/** Returns the outcome of the first request with the same key, or throws the error that a repeat gets. */
export function outcomeOfRepeat(
  { record: { payloadHash }, stored }: KeyTaken,
  context: RequestContext,
): BarkOutcome | Promise<BarkOutcome> {
  if (stored?.payloadHash !== payloadHash) throw new KeyReused();
  if (stored.outcome) return stored.outcome;
  const secondsLeft = (stored.claimEnds ?? 0) - seconds(context.now);
  // A request may need as much time again as it has already taken, but no more than the rest of its lease.
  if (secondsLeft > 0)
    throw new RequestInProgress(Math.max(1, Math.min(leaseSeconds - secondsLeft, secondsLeft)));
  return endWithoutOutcome(stored, new MailUnknown(), context);
}

/**
 * Ends the claim of a run that may have sent the mail, so that each repeat gets the same result. Returns the outcome if the
 * request was completed after all.
 *
 * @param cause why the run with the claim failed; thrown if DynamoDB is unavailable
 * @throws MailUnknown if the claim is ended, RequestInProgress if it was deleted and another run has claimed the request
 */
export function endWithoutOutcome(
  record: IdempotencyRecord,
  cause: Error,
  context: RequestContext,
): Promise<BarkOutcome> {
  const fail = () => {
    throw cause instanceof MailUnknown ? cause : new MailUnknown({ cause });
  };
  const isCompletedAfterAll = ({ stored }: KeyTaken) => {
    if (stored?.outcome) return stored.outcome;
    // The claim was deleted after all, and another run has claimed the request.
    if (stored && stored.claim !== record.claim) throw new RequestInProgress(1);
    return fail();
  };
  return commit(
    { lease: endLease(record, context) },
    { written: fail, refused: { lease: isCompletedAfterAll } },
    context,
  ).catch((error) => {
    throw error instanceof Unavailable ? cause : error;
  });
}

/** How long the service recognizes repeats of a request. */
const recordLifetimeSeconds = 24 * 60 * 60;

export function completeRecord(
  record: IdempotencyRecord,
  outcome: BarkOutcome,
  context: RequestContext,
): Part<KeyTaken> {
  const [isUnused, isOwn] = [unused(context), ownClaim(record)];
  const put = putOf(record, { outcome }, context, {
    expression: `${isUnused.expression} OR (${isOwn.expression})`,
    values: { ...isUnused.values, ...isOwn.values },
  });
  return { actions: [{ Put: put }], judge: ([failure]) => ({ refusal: takenBy(record, failure?.item) }) };
}

export function claimRequest(record: IdempotencyRecord, context: RequestContext): Part<KeyTaken> {
  const claimEnds = seconds(context.now) + leaseSeconds;
  const put = putOf(record, { claimEnds }, context, unused(context));
  const isOwn = (stored: Item | undefined) => stored?.claim === record.claim;
  return {
    actions: [{ Put: put }],
    single: { command: new PutCommand(put), isOwn },
    judge: ([failure]) => (isOwn(failure?.item) ? 'written' : { refusal: takenBy(record, failure?.item) }),
  };
}

function endLease(record: IdempotencyRecord, context: RequestContext): Part<KeyTaken> {
  // Without the condition, this write could restore a record that the purge of a deleted dog has removed.
  const put = putOf(record, { claimEnds: 0 }, context, ownClaim(record));
  return {
    actions: [{ Put: put }],
    single: {
      command: new PutCommand(put),
      isOwn: (stored) => stored?.claim === record.claim && stored.claimEnds === 0,
    },
    judge: ([failure]) => ({ refusal: takenBy(record, failure?.item) }),
  };
}

export function deleteClaim(record: IdempotencyRecord): Part {
  const { dog, sk } = record;
  const removal = { TableName: environment('BARKS_TABLE'), Key: { dog, sk }, ...checkOf(ownClaim(record)) };
  return {
    actions: [{ Delete: removal }],
    // If the record no longer has the claim, nothing is left to delete.
    single: { command: new DeleteCommand(removal), isOwn: () => true },
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

/** No unexpired record has the key. */
function unused({ now }: RequestContext): Condition {
  return {
    expression: 'attribute_not_exists(sk) OR expires <= :now',
    values: { ':now': seconds(now) },
  };
}

/** The record has this claim, and is neither completed nor ended. */
function ownClaim({ claim }: IdempotencyRecord): Condition {
  return {
    expression: 'claim = :claim AND claimEnds > :ended',
    values: { ':claim': claim, ':ended': 0 },
  };
}

function putOf(
  record: IdempotencyRecord,
  state: Pick<StoredRecord, 'claimEnds' | 'outcome'>,
  context: RequestContext,
  condition: Condition,
) {
  // When a repeat ends the claim of a stored record, the record keeps its `expires`.
  const item = { expires: seconds(context.now) + recordLifetimeSeconds, ...record, ...state };
  return { TableName: environment('BARKS_TABLE'), Item: item, ...checkOf(condition) };
}

function checkOf({ expression, values }: Condition) {
  return {
    ConditionExpression: expression,
    ExpressionAttributeValues: values,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
}
