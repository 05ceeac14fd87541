/** Functions take the time from the context, so that tests can set it. */
export interface RequestContext {
  /** When the invocation began, in milliseconds since 1970. */
  readonly now: number;
  /** Aborts shortly before the function times out, while there is still time to respond. */
  readonly signal: AbortSignal;
}

/**
 * The duration of a claim's lease. Until the lease expires, no other invocation can do the claimed work. The lease is longer than
 * the timeout of every function that claims work.
 */
export const leaseSeconds = 60;

/** Shorter than the `reserveMs` of every function. */
const releaseTimeoutMs = 500;

/** The release of a claim has a short deadline of its own, because the deadline of the invocation may have passed. */
export function releaseContext(context: RequestContext): RequestContext {
  return { ...context, signal: AbortSignal.timeout(releaseTimeoutMs) };
}

/**
 * Calls `work` with an earlier deadline. `AbortSignal.timeout` would keep the signal until the deadline, which costs a bark's
 * function a tenth of its processor time.
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

/** How far another clock, such as that of a client, may be ahead of the function's clock. */
export const clockSkewSeconds = 5 * 60;

/** If a copy was read in the future, the clock was set back, and the age is unknown. The copy then counts as too old. */
export function isOlderThan(maxAgeMs: number, readAtMs: number, { now }: RequestContext): boolean {
  return readAtMs > now || now - readAtMs > maxAgeMs;
}

/** Unix seconds, the unit of all times in the API. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
