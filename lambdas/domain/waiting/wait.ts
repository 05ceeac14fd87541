import { environment } from '../../environment.ts';
import { type AsyncBark, barkOfAsync, reasons } from '../barks/async-bark.ts';
import { type Bark, type BarkOutcome, timeOf } from '../barks/bark.ts';
import { findAsyncBark } from '../barks/barks-table.ts';
import { isCounted, isRecorded } from '../dogs/dog.ts';
import { NotFound } from '../platform/errors.ts';
import { type RequestContext, withTimeout } from '../platform/request-context.ts';
import { timer } from '../platform/timer.ts';

/** The first pause, the factor by which each pause is longer than the one before, and the longest pause. */
const firstPauseMs = 250;
const pauseGrowth = 1.5;
const maxPauseMs = 2_000;

/** How much longer than the wait the last check may take, in milliseconds. */
const lastCheckTimeoutMs = 1_000;

/** The time between the end of the last check and the end of the invocation, in milliseconds. */
const responseTimeMs = 1_000;

/**
 * The time limit of a request apart from its wait, in milliseconds. It is the same as in the functions that never wait. The workflow
 * of an asynchronous bark waits a little longer than this until the bark is stored.
 */
export const requestTimeoutMs = 8_000;

/** The limits of a wait. */
export interface WaitLimits {
  /** The longest time from the beginning of the invocation to the end of the wait, in seconds; 0 for no wait. */
  readonly seconds: number;
  /** Returns the time until the end of the invocation, in milliseconds. */
  timeLeftMs(): number;
}

/**
 * Returns a function that returns the time until the end of the wait, in milliseconds. The time is not positive if there is no time
 * to wait. Call this function at the beginning of the invocation.
 */
export function waitTimer({ seconds, timeLeftMs }: WaitLimits): () => number {
  const leftAtEndMs = Math.max(timeLeftMs() - 1_000 * seconds, lastCheckTimeoutMs + responseTimeMs);
  return () => timeLeftMs() - leftAtEndMs;
}

/**
 * Returns the pauses of a wait in milliseconds. A check follows each pause. The pauses add up to the wait, and a wait of 20 seconds
 * has at most 14. The first pause includes the time in which the service cannot perform the bark, so that there is no check in that
 * time. If a client cancels the bark in that time, the first check finds the cancellation.
 *
 * @param waitMs the time until the end of the wait
 * @param windowMs the time until the end of the cancellation window
 */
export function pausesOf(waitMs: number, windowMs: number): number[] {
  const pauses: number[] = [];
  let growing = firstPauseMs;
  for (let leftMs = waitMs, quietMs = windowMs; leftMs > 0; quietMs = 0) {
    const pause = Math.min(quietMs + growing, leftMs);
    pauses.push(pause);
    leftMs -= pause;
    growing = Math.min(growing * pauseGrowth, maxPauseMs);
  }
  return pauses;
}

/**
 * Waits until an asynchronous bark is no longer pending. Changes nothing, so the bark can still be cancelled. If a check fails, the
 * wait ends, because the caller already has a response.
 *
 *     pause ──── check ──── longer pause ──── check ──── … ──── last check
 *
 * @param waitMs the longest time to wait; the function does nothing if it is not positive
 * @param check reads the bark, and returns undefined while the bark is pending
 * @returns the result of the last check: undefined if the bark is still pending, or if the check failed
 * @throws NotFound if a check throws NotFound
 */
export async function waitUntilSettled<Settled>(
  barkId: string,
  waitMs: number,
  check: (context: RequestContext) => Promise<Settled | undefined>,
  context: RequestContext,
): Promise<Settled | undefined> {
  if (waitMs <= 0) return undefined;
  try {
    return await withTimeout(context, waitMs + lastCheckTimeoutMs, async (limited) => {
      for (const pauseMs of pausesOf(waitMs, windowLeftMs(barkId, context))) {
        await timer.sleep(pauseMs, limited.signal);
        const settled = await check(limited);
        if (settled !== undefined) return settled;
      }
      return undefined;
    });
  } catch (error) {
    if (error instanceof NotFound) throw error;
    console.warn(`The wait for the bark "${barkId}" ended early. Cause: ${error}`);
    return undefined;
  }
}

/** Returns the time until the end of the cancellation window of a bark. The ID of the bark contains the time of its acceptance. */
function windowLeftMs(barkId: string, { now }: RequestContext): number {
  const windowMs = 1_000 * Number(environment('CANCELLATION_WINDOW_SECONDS'));
  const leftMs = timeOf(barkId) + windowMs - now;
  // The function that accepted the bark may have another clock.
  return Math.min(Math.max(leftMs, 0), windowMs);
}

/**
 * The result of a request to bark that may have waited. If the bark was asynchronous and is complete, the outcome is the same as
 * that of a synchronous bark. `notPerformed`: the bark failed, or a client cancelled it.
 */
export type AwaitedOutcome = BarkOutcome | { readonly kind: 'notPerformed'; readonly bark: Bark };

/**
 * Makes a dog bark, and waits until the bark is no longer pending. Meanwhile, any client can cancel it.
 *
 * @param bark makes the dog bark
 * @returns `isAsync`: true if the bark is asynchronous; `outcome`: `accepted` if the bark is still pending at the end of the wait,
 *   or if this function could not read it
 * @throws any error of `bark`, but none after the bark is accepted
 */
export async function barkAndWait(
  limits: WaitLimits,
  bark: (limited: RequestContext) => Promise<BarkOutcome>,
  context: RequestContext,
): Promise<{ isAsync: boolean; outcome: AwaitedOutcome }> {
  const waitMs = waitTimer(limits);
  const outcome = await withTimeout(context, requestTimeoutMs, bark);
  if (outcome.kind !== 'accepted') return { isAsync: false, outcome };
  const { dog, id } = outcome.bark;
  const check = async (limited: RequestContext) => {
    const item = await findAsyncBark(dog, id, limited);
    // The bark was stored before the wait began, and only the purge of a deleted dog deletes a pending bark.
    return item ? outcomeOf(item, context) : deletedWithDog(outcome.bark);
  };
  const awaited = await waitUntilSettled(id, waitMs(), check, context);
  return { isAsync: true, outcome: awaited ?? outcome };
}

/** Returns the outcome of a bark that was purged. Without the purge, its workflow would have stored the same outcome. */
function deletedWithDog(bark: Bark): AwaitedOutcome {
  return { kind: 'notPerformed', bark: { ...bark, status: 'failed', reason: reasons.dogDeleted } };
}

/** Returns undefined if the bark is pending. */
function outcomeOf(item: AsyncBark, context: RequestContext): AwaitedOutcome | undefined {
  const bark = barkOfAsync(item, context);
  if (bark.status === 'pending') return undefined;
  const { timestamp } = bark;
  if (timestamp === null) return { kind: 'notPerformed', bark };
  if (isRecorded(item.effects)) return { kind: 'recorded', bark };
  return { kind: isCounted(item.effects) ? 'counted' : 'sent', timestamp };
}
