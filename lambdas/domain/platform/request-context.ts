/** The time and the deadline of an invocation. Rules take the time from here, so that tests control it. */
export interface RequestContext {
  /** When the invocation began, in milliseconds since 1970. */
  readonly now: number;
  /** Aborts shortly before the function times out, while there is still time to respond. */
  readonly signal: AbortSignal;
}

/** How long a claim keeps other runs from the claimed work, in seconds. Longer than the timeout of any function. */
export const leaseSeconds = 60;

/** How long a write that releases a claim may take, in milliseconds. Shorter than the `reserveMs` of any function. */
const releaseTimeoutMs = 500;

/** Returns a context for the release of a claim, which has its own short deadline because the given one may be over. */
export function releaseContext(context: RequestContext): RequestContext {
  return { ...context, signal: AbortSignal.timeout(releaseTimeoutMs) };
}

/** How far the clock of a client may be ahead of the service's clock, in seconds. */
export const clockSkewSeconds = 5 * 60;

/** Returns whole Unix seconds, the unit of all times in the interface. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
