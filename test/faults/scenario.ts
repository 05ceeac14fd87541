import type { RequestContext } from '../../lambdas/domain/platform/request-context.ts';
import { invokeRoute, type RouteChanges } from '../support/invoke-route.ts';
import type { TestLimits } from '../support/limits.ts';
import { defectsOf } from './response.ts';
import { bodyOf, type InvocationResult, isDone, Sandbox, statusOf, type Trial } from './trial.ts';

/** The time at which each scenario runs, in milliseconds since 1970. Its dogs were created earlier. */
export const now = Date.UTC(2026, 10, 21, 13);

/** The same time in Unix seconds. */
export const at = now / 1000;

/** Returns the context of an invocation. @param after the time since the call of the scenario, in seconds */
export function newContext(after = 0): RequestContext {
  return { now: now + after * 1000, signal: new AbortController().signal };
}

/** A timeout that is long enough for any function, in milliseconds. */
export const ample = 8_000;

export interface Scenario {
  /** The name of the function in the table of figures. */
  readonly of: string;
  /** The variant of the call, as in the table of figures. */
  readonly as: string;
  /** True if the scenario shares memory or a variable with other scenarios, so they must not run concurrently. */
  readonly alone?: true;
  /** True if the service refuses the call even without a fault. */
  readonly refuses?: boolean;
  /** The limits of the deployment. By default, there are none. */
  readonly limits?: TestLimits;
  /** The fate of the mail without a fault. If the call sends mail, the default is that the mail is sent once. */
  readonly mail?: Fate;
  /** Creates a state that no other scenario uses. @param at the time of the scenario, in milliseconds since 1970 */
  begin(at: number): Promise<Subject>;
}

export interface Subject {
  /** Calls the function once. @param limit the timeout of the function, in milliseconds */
  act(limit: number): Promise<unknown>;
  /** Repeats the call as its caller would, and checks the responses and the state. */
  check(verdict: Verdict, first: InvocationResult, trial: Trial): Promise<void>;
}

/** The possible fates of an email, and whether a failure was reported to the client or by an alarm. */
export const fates = [
  'mail sent once',
  'not sent, reported',
  'perhaps sent, reported',
  'sent twice',
  'not sent, not reported',
] as const;
export type Fate = (typeof fates)[number];

export class Verdict {
  readonly wrong: string[] = [];
  mail: Fate | undefined;

  expectThat(condition: boolean, defect: string): void {
    if (!condition) this.wrong.push(defect);
  }

  /** Records the fate of the mail. @param reported whether a possible failure was reported */
  recordMail(count: number, reported: boolean): void {
    if (count > 1) this.mail = 'sent twice';
    else if (count === 1) this.mail = reported ? 'perhaps sent, reported' : 'mail sent once';
    else this.mail = reported ? 'not sent, reported' : 'not sent, not reported';
  }

  /** Checks the response to a valid request. @param usual the expected statuses, in addition to 503 */
  checkResponse(outcome: InvocationResult, ...usual: number[]): void {
    const status = statusOf(outcome);
    this.expectThat(outcome.kind !== 'thrown', 'the route threw an error');
    this.expectThat([...usual, 503, 0].includes(status), `the response is ${status}: ${bodyOf(outcome)}`);
    if (outcome.kind !== 'responded') return;
    const { statusCode, headers = {} } = outcome.result;
    this.wrong.push(...defectsOf(outcome.result));
    if (statusCode === 429)
      for (const name of ['Retry-After', 'RateLimit', 'RateLimit-Policy'])
        this.expectThat(name in headers, `the 429 has no ${name}`);
    if (statusCode === 503) this.expectThat('Retry-After' in headers, 'the 503 has no Retry-After');
    if (statusCode === 504) this.expectThat(!('Retry-After' in headers), 'the 504 has a Retry-After');
  }
}

export function request(route: string, changes: RouteChanges = {}): Subject['act'] {
  return (limit) => {
    // The clock of the function is stopped, but the time until its timeout is not.
    const end = performance.now() + 2_000 + limit;
    return invokeRoute(route, { ...changes, remaining: () => Math.floor(end - performance.now()) });
  };
}

/** Calls a function again, without faults, on its own clock. @param after the time since the first call, in seconds */
export function again(act: Subject['act'], trial: Trial, after = 1, from = now): Promise<InvocationResult> {
  return trial.run(() => act(ample), new Sandbox(from + (after + trial.ahead) * 1000));
}

/** Lambda retries an asynchronous invocation twice. The times are in seconds since the first attempt. */
export const retriesOfLambda = [60, 180];

/** Repeats a job until it succeeds. @param pauses the times of the retries, in seconds since the first call */
export async function until(
  first: InvocationResult,
  pauses: readonly number[],
  act: Subject['act'],
  trial: Trial,
): Promise<InvocationResult> {
  let last = first;
  for (const pause of pauses) {
    if (isDone(last)) return last;
    last = await again(act, trial, pause);
  }
  return last;
}
