import { signal } from '@preact/signals';
import { type Exchange, headerOf, problemOf, succeeded } from '../../shared/http/exchange.ts';
import { deleteBark, get } from '../../shared/http/requests.ts';
import { send } from '../../shared/session.ts';
import { refresh } from '../live/open-dog.ts';
import { Wake } from '../live/wake.ts';
import { type BarkState, stateOf } from './bark-outcome.ts';

/** The time between two reads of an asynchronous bark, unless Retry-After is longer. */
const pollIntervalMs = 1_000;
const maxWatches = 3;

export interface BarkWatch {
  readonly path: string;
  readonly state: BarkState;
  /** Why the last read or cancellation failed, if it did. */
  readonly problem?: string | undefined;
  /** The last attempt to cancel the bark. */
  readonly cancellation?: Exchange;
  readonly isCancelling?: boolean;
  readonly wake: Wake;
}

/** The latest asynchronous barks that the user has requested from the open dog, newest first. */
export const barkWatches = signal<readonly BarkWatch[]>([]);

function update(path: string, change: Partial<BarkWatch>): void {
  barkWatches.value = barkWatches.value.map((one) => (one.path === path ? { ...one, ...change } : one));
}

/**
 * Reads an asynchronous bark until it is no longer pending, except while the page is hidden.
 *
 * @param left aborts when the user leaves the dog's page
 */
export async function watchBark(path: string, left: AbortSignal): Promise<void> {
  const wake = new Wake();
  const watch: BarkWatch = { path, state: { status: 'pending', timestamp: null }, wake };
  barkWatches.value = [watch, ...barkWatches.value.filter((one) => one.path !== path)].slice(0, maxWatches);
  document.addEventListener('visibilitychange', () => wake.wake(), { signal: left });
  let delayMs = pollIntervalMs;
  do {
    if (document.hidden) continue;
    const exchange = await send(get(path), { isBackground: true });
    if (left.aborted) return;
    update(path, changeOf(exchange));
    delayMs = delayMsOf(exchange);
  } while (isPending(path) && (await wake.wait(delayMs, left)));
  refresh();
}

export function isPending(path: string): boolean {
  return barkWatches.value.some((one) => one.path === path && one.state.status === 'pending');
}

function changeOf(exchange: Exchange): Partial<BarkWatch> {
  if (succeeded(exchange)) return { state: stateOf(exchange), problem: undefined };
  const { status = 503 } = exchange.response ?? {};
  const isTemporary = status >= 500 || status === 429;
  return {
    problem: problemOf(exchange).detail,
    ...(!isTemporary && { state: { status: 'unknown', timestamp: null } }),
  };
}

export async function cancelBark(path: string): Promise<void> {
  update(path, { isCancelling: true });
  const exchange = await send(deleteBark(path));
  update(path, {
    isCancelling: false,
    cancellation: exchange,
    problem: succeeded(exchange) ? undefined : problemOf(exchange).detail,
  });
  barkWatches.value.find((one) => one.path === path)?.wake.wake();
}

/** Returns the response's Retry-After, or `pollIntervalMs` if that is longer. */
function delayMsOf(exchange: Exchange): number {
  return Math.max(pollIntervalMs, 1000 * Number(headerOf(exchange, 'retry-after') ?? 0));
}

export const statusTexts: Readonly<Record<BarkState['status'], string>> = {
  pending: 'Not complete yet.',
  complete: 'The dog barked.',
  failed: 'The bark failed.',
  cancelled: 'The bark was cancelled and has no effect.',
  unknown: 'The page cannot read this bark.',
};
