import { readDog } from '../dogs/repository.ts';
import { type RequestContext, withTimeout } from '../platform/request-context.ts';
import { requestTimeoutMs, type WaitLimits, waitTimer, waitUntilSettled } from '../waiting/wait.ts';
import { barkAsync } from './async/create.ts';
import { type AsyncBark, type Bark, barkOfAsync, dogDeleted, isCounted, isRecorded } from './bark.ts';
import { barkSync } from './create-sync.ts';
import { findAsyncBark } from './repository.ts';
import type { AwaitedOutcome, BarkOutcome, BarkRequest } from './request.ts';

/**
 * Makes a dog bark. If the bark is asynchronous, waits until it is no longer pending. Meanwhile, any client can cancel the bark.
 *
 * @returns `isAsync`: true if the bark is asynchronous; `outcome`: `accepted` if the bark is still pending at the end of the wait,
 *   or if the function could not read it
 * @throws any error that `createBark` throws, but none after the bark is accepted
 */
export async function createBarkAndWait(
  dogId: string,
  request: BarkRequest,
  limits: WaitLimits,
  context: RequestContext,
): Promise<{ isAsync: boolean; outcome: AwaitedOutcome }> {
  const waitMs = waitTimer(limits);
  const outcome = await withTimeout(context, requestTimeoutMs, (limited) =>
    createBark(dogId, request, limited),
  );
  if (outcome.kind !== 'accepted') return { isAsync: false, outcome };
  const { bark } = outcome;
  const check = async (limited: RequestContext) => {
    const item = await findAsyncBark(dogId, bark.id, limited);
    // The bark was stored before the wait began, and only the purge of a deleted dog deletes a pending bark.
    return item ? outcomeOf(item, context) : deletedWithDog(bark);
  };
  const awaited = await waitUntilSettled(bark.id, waitMs(), check, context);
  return { isAsync: true, outcome: awaited ?? outcome };
}

/** Returns the outcome of a bark that was purged. Without the purge, its workflow would have stored the same outcome. */
function deletedWithDog(bark: Bark): AwaitedOutcome {
  return { kind: 'notPerformed', bark: { ...bark, status: 'failed', reason: dogDeleted } };
}

/** Returns the outcome of an asynchronous bark, or undefined if the bark is pending. */
function outcomeOf(item: AsyncBark, { now }: RequestContext): AwaitedOutcome | undefined {
  const bark = barkOfAsync(item, now);
  if (bark.status === 'pending') return undefined;
  const { timestamp } = bark;
  if (timestamp === null) return { kind: 'notPerformed', bark };
  if (isRecorded(item.effects)) return { kind: 'recorded', bark };
  return { kind: isCounted(item.effects) ? 'counted' : 'sent', timestamp };
}

/**
 * Makes a dog bark, synchronously or asynchronously, according to its settings and the request.
 *
 * @returns the outcome of the request, or of the first request with the same idempotency key
 * @throws NotFound if the dog does not exist, or if it is deleted before it barks
 * @throws any error of `request.check`
 * @throws KeyReused if a different request has already used the same idempotency key
 * @throws RequestInProgress if another invocation is still handling the same request
 * @throws AddressSuspended if all recipients of the mail for a synchronous bark are suspended
 * @throws LimitReached if the barks or mails of the dog or of the user have reached a limit
 * @throws MailRefused if SES refuses the mail for a synchronous bark
 * @throws MailNotSent if SES throttles the request to send the mail for a synchronous bark, or cannot be reached
 * @throws MailUnknown if the mail of this request or of the first one may have been sent: the dog has not barked
 * @throws Unavailable if another AWS service is unavailable: it is then unknown whether the dog has barked
 */
export async function createBark(
  dogId: string,
  request: BarkRequest,
  context: RequestContext,
): Promise<BarkOutcome> {
  const dog = await readDog(dogId, context);
  await request.check?.(dog, context);
  const handle = request.isAsync || dog.settings.barkHandling === 'async' ? barkAsync : barkSync;
  return handle(dog, request, context);
}
