import { type AsyncBark, type Bark, barkOfAsync, dogDeleted, isCounted, isRecorded } from '../barks/bark.ts';
import { findAsyncBark } from '../barks/barks-table.ts';
import { createBark } from '../barks/create.ts';
import type { BarkOutcome, BarkRequest } from '../barks/request.ts';
import { type RequestContext, withTimeout } from '../platform/request-context.ts';
import { requestTimeoutMs, type WaitLimits, waitTimer, waitUntilSettled } from './wait.ts';

/**
 * The result of a request to bark that may have waited. If the bark was asynchronous and is complete, the outcome is the same as
 * that of a synchronous bark. `notPerformed`: the bark failed, or a client cancelled it.
 */
export type AwaitedOutcome = BarkOutcome | { readonly kind: 'notPerformed'; readonly bark: Bark };

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
