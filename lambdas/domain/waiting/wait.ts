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

/** How long before the function's timeout the last check must end. Two seconds before it, the function responds with 503. */
const reserveMs = 3_000;

/**
 * Must be called at the beginning of the invocation. The result returns the time left to wait, which may be negative.
 *
 * @param seconds from the beginning of the invocation to the end of the wait; 0 for no wait
 * @param timeLeftMs returns the time until the function's timeout
 */
export function waitTimer(seconds: number, timeLeftMs: () => number): () => number {
  const leftAtEndMs = Math.max(timeLeftMs() - 1_000 * seconds, lastCheckTimeoutMs + reserveMs);
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
export type SettledOutcome =
  | Exclude<BarkOutcome, { kind: 'accepted' }>
  | { readonly kind: 'notPerformed'; readonly bark: Bark };

/** Waits for an accepted bark. Throws no error, but returns undefined if the bark is still pending, or cannot be read. */
export function awaitOutcome(
  accepted: Bark,
  waitMs: number,
  context: RequestContext,
): Promise<SettledOutcome | undefined> {
  const check = async (limited: RequestContext): Promise<SettledOutcome | undefined> => {
    const item = await findAsyncBark(accepted.dog, accepted.id, limited);
    if (item) return settledOutcomeOf(item, context);
    // Only the purge of a deleted dog deletes a pending bark. Without the purge, the workflow would have stored the same outcome.
    return { kind: 'notPerformed', bark: { ...accepted, status: 'failed', reason: reasons.dogDeleted } };
  };
  return waitUntilSettled(accepted.id, waitMs, check, context);
}

function settledOutcomeOf(item: AsyncBark, context: RequestContext): SettledOutcome | undefined {
  const bark = barkOfAsync(item, context);
  if (bark.status === 'pending') return undefined;
  const { timestamp } = bark;
  if (timestamp === null) return { kind: 'notPerformed', bark };
  if (isRecorded(item.effects)) return { kind: 'recorded', bark };
  return { kind: isCounted(item.effects) ? 'counted' : 'sent', timestamp };
}
