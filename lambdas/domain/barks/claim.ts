import { countUsage, type Usage, uncountUsage } from '../limits/usage.ts';
import { commit, raise } from '../platform/commit.ts';
import {
  KeyReused,
  MailNotSent,
  MailRefused,
  MailUnknown,
  RequestInProgress,
  Unavailable,
} from '../platform/errors.ts';
import { leaseSeconds, type RequestContext, releaseContext, seconds } from '../platform/request-context.ts';
import {
  claimRequest,
  deleteClaim,
  endLease,
  type IdempotencyRecord,
  type KeyTaken,
} from './idempotency-record.ts';
import type { BarkOutcome } from './request.ts';

/**
 * Returns the outcome of the first request with an idempotency key.
 *
 * @throws KeyReused if a different request has already used the same idempotency key
 * @throws RequestInProgress if another invocation is still handling the same request
 * @throws MailUnknown if the first request may have sent its mail, but did not store its outcome
 */
export function outcomeOfRepeat(
  { record: { payloadHash }, stored }: KeyTaken,
  context: RequestContext,
): BarkOutcome | Promise<BarkOutcome> {
  if (stored?.payloadHash !== payloadHash) throw new KeyReused();
  if (stored.outcome) return stored.outcome;
  const secondsLeft = (stored.claimEnds ?? 0) - seconds(context.now);
  // Most requests take less than a second. A longer request may need as much time again as it has already taken, but no more than
  // the rest of its lease.
  if (secondsLeft > 0)
    throw new RequestInProgress(Math.max(1, Math.min(leaseSeconds - secondsLeft, secondsLeft)));
  return endWithoutOutcome(stored, new MailUnknown(), context);
}

/**
 * Ends a claim whose mail may have been sent, so that its request can no longer be completed, and each repeat gets the same result.
 *
 * @param cause the failure of the request
 * @returns the outcome of the request, if it is completed after all
 * @throws RequestInProgress if another invocation has claimed the request
 * @throws MailUnknown if it is not completed
 * @throws the cause if DynamoDB is unavailable
 */
function endWithoutOutcome(
  record: IdempotencyRecord,
  cause: Unavailable,
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
    throw error instanceof Unavailable && !(error instanceof MailUnknown) ? cause : error;
  });
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
  const claimed = await commit(
    { claim: claimRequest(record, context), usage: countUsage(usage, context) },
    {
      written: () => undefined,
      refused: { claim: (taken) => outcomeOfRepeat(taken, context), usage: raise },
    },
    context,
  ).catch(async (error) => {
    // The claim may be stored.
    if (error instanceof Unavailable && !(error instanceof MailUnknown))
      await release(record, usage, context);
    throw error;
  });
  if (claimed) return claimed;
  try {
    return await work();
  } catch (error) {
    if (error instanceof MailNotSent || error instanceof MailRefused) await release(record, usage, context);
    else if (error instanceof Unavailable) return endWithoutOutcome(record, error, releaseContext(context));
    throw error;
  }
}

/** Deletes a claim whose mail was not sent (best effort), and reverses the count of the bark. */
async function release(record: IdempotencyRecord, usage: Usage, context: RequestContext): Promise<void> {
  const plan = { claim: deleteClaim(record), usage: uncountUsage(usage, context) };
  await commit(plan, { written: () => {}, refused: {} }, releaseContext(context)).catch((error) =>
    console.warn(
      `The claim on a request was not released. Repeats of the request get an error. Cause: ${error}`,
    ),
  );
}
