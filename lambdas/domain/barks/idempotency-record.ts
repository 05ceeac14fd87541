import { createHmac, hash } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import type { Dog } from '../dogs/dog.ts';
import { type Condition, commit, type Item, type Part } from '../platform/commit.ts';
import { Unavailable } from '../platform/errors.ts';
import { leaseSeconds, type RequestContext, seconds } from '../platform/request-context.ts';
import { MailFailure, mailUnknown } from '../platform/ses.ts';
import type { BarkOutcome, BarkRequest } from './bark.ts';
import { findItem } from './barks-table.ts';
import { sortKey } from './keys.ts';
import { type Claim, leaseEnd, leaseLeft } from './mail-claim.ts';

/** Nothing was changed. */
export class KeyReused extends Error {
  override readonly name = 'KeyReused';
  constructor() {
    super('A different request has already used the same idempotency key.');
  }
}

export class RequestInProgress extends Error {
  override readonly name = 'RequestInProgress';
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('Another invocation is still handling the same request.');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

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
export interface IdempotencyRecord extends Pick<Claim, 'claim'> {
  readonly dog: string;
  readonly sk: string;
  readonly incarnation: string;
  /** An HMAC of the request, keyed with the idempotency key so that it does not reveal the request. */
  readonly payloadHash: string;
}

type StoredRecord = IdempotencyRecord &
  (
    | (Pick<Claim, 'claimEnds'> & { readonly outcome?: never })
    | { readonly outcome: BarkOutcome; readonly claimEnds?: never }
  );

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

/** The stored record if it belongs to the same request, otherwise the error that the request gets. */
type Taken = StoredRecord | KeyReused;

function takenBy({ payloadHash }: IdempotencyRecord, stored: Item | undefined): Taken {
  return stored?.payloadHash === payloadHash ? (stored as unknown as StoredRecord) : new KeyReused();
}

/**
 * What the stored record means for a request with its key:
 *
 * | Stored                       | Answer                                                                |
 * | ---------------------------- | --------------------------------------------------------------------- |
 * | another request              | KeyReused                                                             |
 * | an outcome                   | the outcome                                                           |
 * | a claim within its lease     | RequestInProgress                                                     |
 * | an expired or ended claim    | MailUnknown. The claim is ended, so that its run cannot complete it   |
 *
 * @throws MailUnknown even if DynamoDB is unavailable while the claim is ended
 */
export async function answerOf(taken: Taken, context: RequestContext): Promise<BarkOutcome> {
  if (taken instanceof KeyReused) throw taken;
  if (taken.outcome) return taken.outcome;
  const left = leaseLeft(taken, context);
  // A request may need as much time again as it has already taken, but no more than the rest of its lease.
  if (left > 0) throw new RequestInProgress(Math.max(1, Math.min(leaseSeconds - left, left)));
  return endClaim(taken, mailUnknown(), context);
}

/** Returns undefined if no request has used the key. Otherwise, returns or throws the same as `answerOf`. */
export async function findOutcome(
  record: IdempotencyRecord | undefined,
  context: RequestContext,
): Promise<BarkOutcome | undefined> {
  const stored = record && (await findItem<Item>(record, context));
  return stored && answerOf(takenBy(record, stored), context);
}

/**
 * Ends the claim of a run that may have sent the mail, so that each repeat gets the same answer. If the claim has been completed
 * or deleted after all, the stored record has the answer.
 *
 * @param cause why the run failed; thrown as it is if DynamoDB is unavailable
 * @throws MailUnknown if the claim is ended
 */
export async function endClaim(
  record: IdempotencyRecord,
  cause: Error,
  context: RequestContext,
): Promise<BarkOutcome> {
  const refused = await commit({ record: endedRecord(record, context) }, context).catch((error) => {
    throw error instanceof Unavailable ? cause : error;
  });
  if (refused) return answerOf(refused.refusal, context);
  throw cause instanceof MailFailure ? cause : mailUnknown({ cause });
}

/** How long the service recognizes repeats of a request. */
const recordLifetimeSeconds = 24 * 60 * 60;

export function completeRecord(
  record: IdempotencyRecord,
  outcome: BarkOutcome,
  context: RequestContext,
): Part<Taken> {
  const [isUnused, isClaimed] = [unused(context), ownClaim(record)];
  const put = putOf(record, { outcome }, context, {
    expression: `${isUnused.expression} OR (${isClaimed.expression})`,
    values: { ...isUnused.values, ...isClaimed.values },
  });
  return { actions: [{ Put: put }], judge: ([failure]) => ({ refusal: takenBy(record, failure?.item) }) };
}

export function claimRequest(record: IdempotencyRecord, context: RequestContext): Part<Taken> {
  const put = putOf(record, { claimEnds: leaseEnd(context) }, context, unused(context));
  const isOwn = (stored: Item | undefined) => stored?.claim === record.claim;
  return {
    actions: [{ Put: put }],
    single: { command: new PutCommand(put), isOwn },
    judge: ([failure]) => (isOwn(failure?.item) ? 'written' : { refusal: takenBy(record, failure?.item) }),
  };
}

function endedRecord(record: IdempotencyRecord, context: RequestContext): Part<Taken> {
  // Without the condition, this write could restore a record that the purge of a deleted dog has removed.
  const put = putOf(record, { claimEnds: 0 }, context, ownClaim(record));
  const hasEnded = (stored: Item | undefined) =>
    stored === undefined || (stored.claim === record.claim && stored.outcome === undefined);
  return {
    actions: [{ Put: put }],
    single: { command: new PutCommand(put), isOwn: hasEnded },
    judge: ([failure]) => (hasEnded(failure?.item) ? 'written' : { refusal: takenBy(record, failure?.item) }),
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
