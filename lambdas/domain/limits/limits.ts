import { type RequestContext, seconds } from '../platform/request-context.ts';

/** What a limit counts: barks, or the mails that barks send. */
export type Counter = 'barks' | 'mails';

/** Whose barks and mails a limit counts. */
export type Scope = 'Dog' | 'User';

/** The name of a limit. It is also the name of the setting. */
export type LimitName = `${Counter}Per${Scope}`;

/** The limits of a deployment: the maximum of each counter in a window. 0 means that there is no limit. */
type Limits = Readonly<Record<LimitName, number>> & { readonly limitWindowMinutes: number };

/** A window of time. Every window begins at a multiple of its length, so that all functions count in the same windows. */
export interface Window {
  /** When the window begins, in Unix seconds. */
  readonly start: number;
  /** The length of the window, in seconds. */
  readonly lengthSeconds: number;
}

/** Returns the limits of the deployment, or undefined if it has none. */
export function deployedLimits(): Limits | undefined {
  const { LIMITS } = process.env;
  return LIMITS ? (JSON.parse(LIMITS) as Limits) : undefined;
}

/** Returns the window that contains the time of the invocation. */
export function currentWindow({ limitWindowMinutes }: Limits, { now }: RequestContext): Window {
  const lengthSeconds = limitWindowMinutes * 60;
  return { start: Math.floor(seconds(now) / lengthSeconds) * lengthSeconds, lengthSeconds };
}
