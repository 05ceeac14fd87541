import { Unavailable } from './errors.ts';

/** The errors of the AWS SDK that say "not now" rather than "not like that". */

const throttles = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
]);

interface SdkError {
  readonly name?: string;
  readonly code?: string;
  readonly $fault?: 'client' | 'server';
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: unknown;
}

/** True if the service refused the call for its rate: it proves that nothing was done. */
export function isThrottled(error: unknown): boolean {
  const { name, $metadata } = error as SdkError;
  return throttles.has(name ?? '') || $metadata?.httpStatusCode === 429;
}

/** True if the service was overloaded, failed, did not answer in time, or could not be reached. */
export function isOutage(error: unknown): boolean {
  const { name, code, $fault, $metadata } = error as SdkError;
  return (
    isThrottled(error) ||
    $fault === 'server' ||
    ($metadata?.httpStatusCode ?? 0) >= 500 ||
    name === 'AbortError' ||
    name === 'TimeoutError' ||
    (code !== undefined && /^(E[A-Z]+|UND_ERR_.*)$/.test(code))
  );
}

/** What to throw for an error of a service: that it is unavailable, or else the error itself. */
export function unavailableIfOutage(service: string, error: unknown): unknown {
  return isOutage(error)
    ? new Unavailable(`${service} is overloaded or out of reach.`, { cause: error })
    : error;
}
