/** The time and the deadline of an invocation. Rules take the time from here, so that tests control it. */
export interface RequestContext {
  /** When it began, in milliseconds since 1970. */
  readonly now: number;
  /** Aborts shortly before the function's time is up; after that nothing can be answered any more. */
  readonly signal: AbortSignal;
}

/** How long a claim keeps other runs from the claimed work, in seconds: longer than a function's time-out. */
export const leaseSeconds = 60;

/** How long a write may take that gives back what a function has claimed, in milliseconds: less than a function's reserve. */
const releaseTimeoutMs = 500;

/** Returns the call with a short time of its own, to give back what is claimed although the function's time may be up. */
export function releaseContext(context: RequestContext): RequestContext {
  return { ...context, signal: AbortSignal.timeout(releaseTimeoutMs) };
}

/** How far the clock of a client may be ahead, in seconds. */
export const clockSkewSeconds = 5 * 60;

/** Unix time as the interface has it, in whole seconds. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
