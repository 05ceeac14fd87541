import type { RequestContext } from './request-context.ts';

/** What a job (the authorizer or a background function) needs from Lambda's context object. */
export interface Invocation {
  readonly awsRequestId: string;
  getRemainingTimeInMillis(): number;
}

export interface JobContext extends RequestContext {
  /** Stays the same if Lambda retries an asynchronous invocation. */
  readonly requestId: string;
}

/**
 * The handler throws every error that `work` throws, so that Lambda or Step Functions can retry a background function.
 *
 * @param reserveMs the time between the signal's abort and the function's timeout, in which the job can release its claim and
 *   throw an error
 */
export function job<Event, Result>(
  { reserveMs }: { readonly reserveMs: number },
  work: (event: Event, context: JobContext) => Promise<Result>,
): (event: Event, invocation: Invocation) => Promise<Result> {
  return async (event, invocation) => {
    const signal = AbortSignal.timeout(invocation.getRemainingTimeInMillis() - reserveMs);
    return work(event, { now: Date.now(), signal, requestId: invocation.awsRequestId });
  };
}
