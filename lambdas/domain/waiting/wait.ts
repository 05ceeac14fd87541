import { environment } from '../../environment.ts';
import { type AsyncBark, barkOfAsync } from '../barks/async-bark.ts';
import { type Bark, type BarkOutcome, reasons, timeOf } from '../barks/bark.ts';
import { findAsyncBark } from '../barks/barks-table.ts';
import { isCounted, isRecorded } from '../dogs/dog.ts';
import { NotFound } from '../platform/errors.ts';
import { type RequestContext, withTimeout } from '../platform/request-context.ts';
import { timer } from '../platform/timer.ts';

const firstPauseMs = 250;
const pauseGrowth = 1.5;
const maxPauseMs = 2_000;

/** How long the last check may take after the wait has ended. */
const lastCheckTimeoutMs = 1_000;

/** How long before a 503 response the last check must end. */
const responseTimeMs = 1_000;

/**
 * The time limit for a request, not counting its wait. Functions that never wait have the same limit. An asynchronous bark's
 * workflow waits longer than this for the bark to be stored.
 */
export const requestTimeoutMs = 8_000;

export interface WaitLimits {
  /** From the beginning of the invocation to the end of the wait; 0 for no wait. */
  readonly seconds: number;
  /** Until the function responds with 503. */
  timeLeftMs(): number;
}

/** Must be called at the beginning of the invocation. The result returns the time left to wait, which may be negative. */
export function waitTimer({ seconds, timeLeftMs }: WaitLimits): () => number {
  const leftAtEndMs = Math.max(timeLeftMs() - 1_000 * seconds, lastCheckTimeoutMs + responseTimeMs);
  return () => timeLeftMs() - leftAtEndMs;
}

/**
 * A check follows each pause. A wait of 20 seconds has at most 14 pauses. The first one includes `windowMs`, the rest of the
 * cancellation window, because the service does not perform the bark during that time.
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
 * Repeats `check` while it returns undefined (the bark is pending), and returns its result. Returns undefined if the time runs
 * out or a check fails, because the caller already has a response. Throws only NotFound.
 *
 *     pause ──── check ──── longer pause ──── check ──── … ──── last check
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

function windowLeftMs(barkId: string, { now }: RequestContext): number {
  const windowMs = 1_000 * Number(environment('CANCELLATION_WINDOW_SECONDS'));
  const leftMs = timeOf(barkId) + windowMs - now;
  // The clock of the function that accepted the bark may differ.
  return Math.min(Math.max(leftMs, 0), windowMs);
}

/** `notPerformed`: the bark failed or was cancelled. */
export type AwaitedOutcome = BarkOutcome | { readonly kind: 'notPerformed'; readonly bark: Bark };

/**
 * Makes a dog bark, and waits while the bark is pending. Throws no error after the bark is accepted: the outcome is `accepted` if
 * the bark is still pending, or if this function could not read it.
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
  const check = async (limited: RequestContext): Promise<AwaitedOutcome | undefined> => {
    const item = await findAsyncBark(dog, id, limited);
    if (item) return settledOutcomeOf(item, context);
    // Only the purge of a deleted dog deletes a pending bark. Without the purge, the workflow would have stored the same outcome.
    const bark: Bark = { ...outcome.bark, status: 'failed', reason: reasons.dogDeleted };
    return { kind: 'notPerformed', bark };
  };
  const awaited = await waitUntilSettled(id, waitMs(), check, context);
  return { isAsync: true, outcome: awaited ?? outcome };
}

function settledOutcomeOf(item: AsyncBark, context: RequestContext): AwaitedOutcome | undefined {
  const bark = barkOfAsync(item, context);
  if (bark.status === 'pending') return undefined;
  const { timestamp } = bark;
  if (timestamp === null) return { kind: 'notPerformed', bark };
  if (isRecorded(item.effects)) return { kind: 'recorded', bark };
  return { kind: isCounted(item.effects) ? 'counted' : 'sent', timestamp };
}
