import type { RequestContext } from './request-context.ts';

/** The part of Lambda's context object that a job needs. A job is the authorizer or a background function. */
export interface Invocation {
  readonly awsRequestId: string;
  getRemainingTimeInMillis(): number;
}

export interface JobContext extends RequestContext {
  /** The Lambda request ID. If Lambda retries an asynchronous invocation, the ID stays the same. */
  readonly requestId: string;
}

/**
 * Returns a Lambda handler that throws every error that `run` throws, so that Lambda or Step Functions can retry a background function.
 *
 * @param reserveMs the time from the abort of the context's signal to the timeout of the Lambda function. In this time, the job can
 *   release its claim and throw an error, which Lambda logs instead of a timeout
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
