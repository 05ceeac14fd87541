import { createHmac, hash } from 'node:crypto';
import { PutCommand, type PutCommandInput } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../../environment.ts';
import type { Dog } from '../../dogs/dog.ts';
import {
  type Action,
  database,
  type FailedCondition,
  failedCondition,
  run,
} from '../../platform/dynamodb.ts';
import { KeyReused, NotYet } from '../../platform/errors.ts';
import {
  leaseSeconds,
  type RequestContext,
  releaseContext,
  seconds,
} from '../../platform/request-context.ts';
import { sortKey } from '../keys.ts';
import type { BarkOutcome, BarkRequest } from '../request.ts';

/** An item of the table of barks: a request that bears a key, from when somebody is at it, or has done it. */
export interface IdempotencyRecord {
  readonly dog: string;
  /** The name in the key is a digest of the user, the resource, the key and the incarnation, so that no item is of two dogs. */
  readonly sk: string;
  readonly incarnation: string;
  /** A digest of what was asked for. Who does not have the key cannot tell by it whether a guess is right. */
  readonly payloadHash: string;
  /** Which run of the function is at it, or has done it. */
  readonly claim: string;
}

/** What a request is known by while somebody is at it, and afterwards. */
type IdempotencyState =
  /** Unix seconds until which nobody else may do it. */
  { readonly claimEnds: number } | { readonly outcome: BarkOutcome };

/** How long a request is known by its key, in seconds. */
const recordLifetimeSeconds = 24 * 60 * 60;

/** The request as it is known by its key; undefined if it bears none. */
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

/** Remembers what became of a request: to be written with what it did, or not at all. */
export function putCompleted(
  request: IdempotencyRecord,
  outcome: BarkOutcome,
  context: RequestContext,
): Action {
  return { Put: newItemOf(request, { outcome }, context) };
}

/**
 * What became of a request when it was sent before.
 *
 * @param failure of the condition on what was to be put
 * @throws KeyReused if what was sent before is another request
 * @throws NotYet if somebody is at it still
 */
export function outcomeOfRepeat(
  { payloadHash }: IdempotencyRecord,
  { item }: FailedCondition,
  context: RequestContext,
): BarkOutcome {
  const known = item as Partial<IdempotencyRecord & { outcome: BarkOutcome; claimEnds: number }> | undefined;
  if (known?.payloadHash !== payloadHash)
    throw new KeyReused('This Idempotency-Key was sent with another request. Give each request its own.');
  if (known.outcome) return known.outcome;
  const left = (known.claimEnds ?? 0) - seconds(context.now);
  // Most are done at once. What has taken long may take as long again, but no longer than its lease.
  const retryAfter = Math.max(1, Math.min(leaseSeconds - left, left));
  throw new NotYet('The request of this Idempotency-Key is under way. Send it again a little later.', {
    retryAfter,
  });
}

/**
 * Does for a request what cannot be undone, while nobody else does it. If that fails, the request is free again at once;
 * if that cannot be written any more, or the process dies, when the lease is over.
 *
 *     PutItem (claim) ──── work ──── TransactWriteItems (outcome, …)
 *                      ↑         ↑
 *          the repeat does the work again, when the lease is over
 *
 * @returns what became of it, now or when it was sent before
 * @throws KeyReused, NotYet, Unavailable, and what the work throws
 */
export async function withClaim(
  request: IdempotencyRecord,
  work: () => Promise<BarkOutcome>,
  context: RequestContext,
): Promise<BarkOutcome> {
  try {
    await put(newItemOf(request, { claimEnds: seconds(context.now) + leaseSeconds }, context), context);
  } catch (error) {
    const failure = failedCondition(error);
    if (!failure) throw error;
    return outcomeOfRepeat(request, failure, context);
  }
  try {
    return await work();
  } catch (error) {
    await release(request, context);
    throw error;
  }
}

/** Leaves a request to whoever sends it next. That is a kindness: after its lease it would be free anyway. */
async function release(request: IdempotencyRecord, context: RequestContext): Promise<void> {
  // Nothing is put where nothing is: what a deleted dog left may have been purged.
  const free = {
    ...itemOf(request, { claimEnds: 0 }, context),
    ConditionExpression: ownClaim,
    ExpressionAttributeValues: { ':claim': request.claim },
  };
  await put(free, releaseContext(context)).catch((error) => {
    if (!failedCondition(error)) console.warn(`The key of a request is free after its lease: ${error}`);
  });
}

/** A claim may be delivered twice, and late: it takes no outcome back. */
const ownClaim = 'claim = :claim AND attribute_not_exists(outcome)';

/** The item of a request, to be put where the request is new, this run's own, or nobody is at it any more. */
function newItemOf(
  request: IdempotencyRecord,
  progress: IdempotencyState,
  context: RequestContext,
): PutCommandInput {
  const own = 'outcome' in progress ? 'claim = :claim' : `(${ownClaim})`;
  return {
    ...itemOf(request, progress, context),
    ConditionExpression: `attribute_not_exists(sk) OR expires <= :now OR ${own} OR (payloadHash = :payloadHash AND claimEnds <= :now)`,
    ExpressionAttributeValues: {
      ':now': seconds(context.now),
      ':claim': request.claim,
      ':payloadHash': request.payloadHash,
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

function itemOf(request: IdempotencyRecord, progress: IdempotencyState, context: RequestContext) {
  const expires = seconds(context.now) + recordLifetimeSeconds;
  return { TableName: environment('BARKS_TABLE'), Item: { ...request, ...progress, expires } };
}

async function put(input: PutCommandInput, context: RequestContext): Promise<void> {
  await run((options) => database.send(new PutCommand(input), options), context);
}
