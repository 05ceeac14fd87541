import type { RequestContext } from './request-context.ts';

/** The part of Lambda's context object that a job needs. */
export interface Invocation {
  readonly awsRequestId: string;
  getRemainingTimeInMillis(): number;
}

/** The context of a job. */
export interface JobContext extends RequestContext {
  /** The Lambda request ID. If Lambda retries an asynchronous invocation, the ID stays the same. */
  readonly requestId: string;
}

/**
 * Creates a Lambda handler from a function that takes an event and a context.
 *
 * @param reserveMs the time from the abort of the context's signal to the timeout of the Lambda function, in milliseconds. In
 *   this time, the job can release its claim and throw an error, which Lambda logs instead of a timeout.
 * @returns the handler, which throws every error of the function, so that the caller of the Lambda function can retry
 */
export function job<Event, Result>(
  { reserveMs }: { readonly reserveMs: number },
  run: (event: Event, context: JobContext) => Promise<Result>,
): (event: Event, invocation: Invocation) => Promise<Result> {
  return async (event, invocation) => {
    const signal = AbortSignal.timeout(invocation.getRemainingTimeInMillis() - reserveMs);
    return run(event, { now: Date.now(), signal, requestId: invocation.awsRequestId });
  };
}
