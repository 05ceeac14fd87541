import type { RequestContext } from '../../lambdas/domain/platform/request-context.ts';

/** The time of the tests, in milliseconds since 1970. */
export const now = Date.UTC(2026, 10, 21, 12);

/** The time of the tests, in Unix seconds. */
export const at = now / 1000;

/** @param times `after`: the time of the context, in seconds from `now`. `milliseconds`: the time until the deadline */
export function newContext({ after = 0, milliseconds = 8_000 } = {}): RequestContext {
  return { now: now + after * 1000, signal: AbortSignal.timeout(milliseconds) };
}

export function currentContext(): RequestContext {
  return { now: Date.now(), signal: AbortSignal.timeout(8_000) };
}
