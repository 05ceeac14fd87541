import { countUsage, limitReached, type Usage, uncountUsage } from '../../limits/usage.ts';
import {
  type Actions,
  conditionFailuresOf,
  type FailedCondition,
  failedCondition,
} from '../../platform/dynamodb.ts';
import { KeyReused, MailNotSent, MailRefused, RequestInProgress } from '../../platform/errors.ts';
import {
  leaseSeconds,
  type RequestContext,
  releaseContext,
  seconds,
} from '../../platform/request-context.ts';
import type { BarkOutcome } from '../request.ts';
import type { IdempotencyRecord } from './record.ts';
import { endLease, putInProgress } from './repository.ts';

/**
 * Returns the outcome of the first request with an idempotency key.
 *
 * @param failure the condition of `putCompleted` or `putInProgress` that failed
 * @throws KeyReused if a different request has already used the same idempotency key
 * @throws RequestInProgress if another invocation is still handling the same request
 */
export function outcomeOfRepeat(
  { payloadHash }: IdempotencyRecord,
  { item }: FailedCondition,
  context: RequestContext,
): BarkOutcome {
  const stored = item as Partial<IdempotencyRecord & { outcome: BarkOutcome; claimEnds: number }> | undefined;
  if (stored?.payloadHash !== payloadHash) throw new KeyReused();
  if (stored.outcome) return stored.outcome;
  const secondsLeft = (stored.claimEnds ?? 0) - seconds(context.now);
  // Most requests take less than a second. A longer request may need as much time again as it has already taken, but no more than
  // the rest of its lease.
  throw new RequestInProgress(Math.max(1, Math.min(leaseSeconds - secondsLeft, secondsLeft)));
}

/** The record of a request that must be claimed, and the usage that the claim counts. */
interface Claim {
  readonly record: IdempotencyRecord;
  readonly usage: Usage;
}

/**
 * Claims a request, and then runs work that must not run concurrently with a repeat of the request. If the work throws, releases
 * the claim. If the release fails or the process dies, the claim ends when its lease expires.
 *
 * With limits, the claim is a transaction that also counts the bark. If the work throws because no mail was sent, the release
 * reverses this, because a repeat counts the bark again.
 *
 *     PutItem (claim) ──── work ──── TransactWriteItems (outcome, …)
 *                      ↑         ↑
 *          if the process dies here, a repeat does the work again after the lease has expired
 *
 * @returns the outcome of the work, or of the first request with the same idempotency key
 * @throws KeyReused if a different request has already used the same idempotency key
 * @throws RequestInProgress if another invocation is still handling the same request
 * @throws LimitReached if the barks or mails of the dog or of the user have reached a limit: the request is not claimed
 * @throws Unavailable if DynamoDB is unavailable before the work begins: the work was not done, but the request may be claimed
 * @throws any error that the work throws
 */
export async function withClaim(
  { record, usage }: Claim,
  work: () => Promise<BarkOutcome>,
  context: RequestContext,
): Promise<BarkOutcome> {
  try {
    await putInProgress(record, countUsage(usage, context), context);
  } catch (error) {
    const failure = claimFailureOf(error);
    if (!failure) throw limitReached(usage, error, context) ?? error;
    return outcomeOfRepeat(record, failure, context);
  }
  try {
    return await work();
  } catch (error) {
    const nothingSent = error instanceof MailNotSent || error instanceof MailRefused;
    await release(record, nothingSent ? uncountUsage(usage, context) : {}, context);
    throw error;
  }
}

/** Returns the failed condition of a write of the record, whether it was a single write or part of a transaction. */
function claimFailureOf(error: unknown): FailedCondition | undefined {
  return failedCondition(error) ?? conditionFailuresOf<'idempotency'>(error)?.idempotency;
}

/** Releases a claim (best effort). `others` are actions that must only take effect together with the release. */
async function release(record: IdempotencyRecord, others: Actions, context: RequestContext): Promise<void> {
  await endLease(record, others, releaseContext(context)).catch((error) => {
    if (!claimFailureOf(error))
      console.warn(
        `The claim on a request was not released. It ends when its lease expires. Cause: ${error}`,
      );
  });
}
