import { countUsage, limitReached, type Usage, uncountUsage } from '../../limits/usage.ts';
import { conditionFailuresOf, type FailedCondition, failedCondition } from '../../platform/dynamodb.ts';
import {
  KeyReused,
  MailNotSent,
  MailRefused,
  MailUnknown,
  RequestInProgress,
  Unavailable,
} from '../../platform/errors.ts';
import {
  leaseSeconds,
  type RequestContext,
  releaseContext,
  seconds,
} from '../../platform/request-context.ts';
import type { BarkOutcome } from '../request.ts';
import type { IdempotencyRecord } from './record.ts';
import { deleteClaim, endLease, putInProgress } from './repository.ts';

/**
 * Returns the outcome of the first request with an idempotency key.
 *
 * @param failure the condition of `putCompleted` or `putInProgress` that failed
 * @throws KeyReused if a different request has already used the same idempotency key
 * @throws RequestInProgress if another invocation is still handling the same request
 * @throws MailUnknown if the first request may have sent its mail, but did not store its outcome
 */
export async function outcomeOfRepeat(
  { payloadHash }: IdempotencyRecord,
  { item }: FailedCondition,
  context: RequestContext,
): Promise<BarkOutcome> {
  const stored = item as StoredRecord | undefined;
  if (stored?.payloadHash !== payloadHash) throw new KeyReused();
  if (stored.outcome) return stored.outcome;
  const secondsLeft = (stored.claimEnds ?? 0) - seconds(context.now);
  // Most requests take less than a second. A longer request may need as much time again as it has already taken, but no more than
  // the rest of its lease.
  if (secondsLeft > 0)
    throw new RequestInProgress(Math.max(1, Math.min(leaseSeconds - secondsLeft, secondsLeft)));
  return endWithoutOutcome(stored, new MailUnknown(), context);
}

type StoredRecord = IdempotencyRecord & {
  readonly outcome?: BarkOutcome;
  readonly claimEnds?: number;
};

/**
 * Ends a claim whose mail may have been sent, so that its request can no longer be completed, and each repeat gets the same result.
 *
 * @param cause the failure of the request
 * @returns the outcome of the request, if it is completed after all
 * @throws RequestInProgress if another invocation has claimed the request
 * @throws MailUnknown if it is not completed
 * @throws the cause if DynamoDB is unavailable
 */
async function endWithoutOutcome(
  record: IdempotencyRecord,
  cause: Unavailable,
  context: RequestContext,
): Promise<BarkOutcome> {
  try {
    await endLease(record, context);
  } catch (error) {
    const failure = failedCondition(error);
    if (!failure) throw cause;
    const { outcome, claim = record.claim } = (failure.item ?? {}) as Partial<StoredRecord>;
    if (outcome) return outcome;
    // The claim was deleted after all, and another run has claimed the request.
    if (claim !== record.claim) throw new RequestInProgress(1);
  }
  throw cause instanceof MailUnknown ? cause : new MailUnknown({ cause });
}

/** The record of a request that must be claimed, and the usage that the claim counts. */
interface Claim {
  readonly record: IdempotencyRecord;
  readonly usage: Usage;
}

/**
 * Claims a request, and then runs work that sends mail. No other run ever does this work for the same request, because the mail of
 * a run that died or got no response may have been sent. If the work throws because no mail was sent, deletes the claim, so that a
 * repeat can do the work. If the mail may have been sent, ends the claim, so that each repeat gets MailUnknown. If that fails or
 * the process dies, repeats get it when the lease has expired.
 *
 *     PutItem (claim) ──── SendRawEmail ──── TransactWriteItems (outcome, …)
 *                      ↑                 ↑
 *         if the process dies here: MailUnknown for each repeat after the lease
 *
 * With limits, the claim is a transaction that also counts the bark. The deletion of the claim reverses this, because a repeat
 * counts the bark again.
 *
 * @returns the outcome of the work, or of the first request with the same idempotency key
 * @throws KeyReused if a different request has already used the same idempotency key
 * @throws RequestInProgress if another invocation is still handling the same request
 * @throws LimitReached if the barks or mails of the dog or of the user have reached a limit: the request is not claimed
 * @throws MailUnknown if the mail of this request or of the first one may have been sent, but no outcome was stored
 * @throws Unavailable if DynamoDB is unavailable before the work begins, so that no mail was sent, or after the mail was sent. A
 *   repeat gets the outcome or MailUnknown
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
    // If the stored claim is that of this run, an earlier attempt succeeded, but its response was lost.
    if (failure?.item?.claim !== record.claim) {
      if (failure) return outcomeOfRepeat(record, failure, context);
      if (error instanceof Unavailable) await release(record, usage, context);
      throw limitReached(usage, error, context) ?? error;
    }
  }
  try {
    return await work();
  } catch (error) {
    if (error instanceof MailNotSent || error instanceof MailRefused) await release(record, usage, context);
    else if (error instanceof Unavailable) return endWithoutOutcome(record, error, releaseContext(context));
    throw error;
  }
}

/** Returns the failed condition of a write of the record, whether it was a single write or part of a transaction. */
function claimFailureOf(error: unknown): FailedCondition | undefined {
  return failedCondition(error) ?? conditionFailuresOf<'idempotency'>(error)?.idempotency;
}

/** Deletes a claim whose mail was not sent (best effort), and reverses the count of the bark. */
async function release(record: IdempotencyRecord, usage: Usage, context: RequestContext): Promise<void> {
  await deleteClaim(record, uncountUsage(usage, context), releaseContext(context)).catch((error) => {
    if (!claimFailureOf(error))
      console.warn(
        `The claim on a request was not released. Repeats of the request get an error. Cause: ${error}`,
      );
  });
}
