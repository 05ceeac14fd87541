/** Functions take the time from the context, so that tests can set it. */
export interface RequestContext {
  /** When the invocation began, in milliseconds since 1970. */
  readonly now: number;
  /** Aborts shortly before the function times out, while there is still time to respond. */
  readonly signal: AbortSignal;
}

/**
 * Longer than the timeout of every function that claims work, so no other run can do that work while the first one is running.
 */
export const leaseSeconds = 60;

/** Shorter than the time that any function has left after its signal has aborted. */
const releaseTimeoutMs = 500;

/** For releasing a claim, even after the context's own signal has aborted. */
export function releaseContext(context: RequestContext): RequestContext {
  return { ...context, signal: AbortSignal.timeout(releaseTimeoutMs) };
}

/**
 * The time limit for making a dog bark and for reading a bark, however much time the function has. The workflow of an asynchronous
 * bark waits longer than this for the bark to be stored.
 */
export const requestTimeoutMs = 8_000;

/**
 * Clears its timer when the work ends. `AbortSignal.timeout` would keep the timer until the deadline, which would cost a tenth of
 * a bark's processor time.
 */
export async function withTimeout<Result>(
  context: RequestContext,
  timeoutMs: number,
  work: (limited: RequestContext) => Promise<Result>,
): Promise<Result> {
  const { signal } = context;
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  const timer = setTimeout(
    () => controller.abort(new DOMException('The deadline has passed.', 'TimeoutError')),
    timeoutMs,
  );
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await work({ ...context, signal: controller.signal });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** How far another clock, such as a client's, may be ahead. */
export const clockSkewSeconds = 5 * 60;

/** A read time in the future counts as too old: the clock was set back, so the copy's age is unknown. */
export function isOlderThan(maxAgeMs: number, readAtMs: number, { now }: RequestContext): boolean {
  return readAtMs > now || now - readAtMs > maxAgeMs;
}

/** Unix seconds, the unit of all times in the API. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
