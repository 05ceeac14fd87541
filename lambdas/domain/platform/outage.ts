import { Unavailable } from './errors.ts';

const throttlingErrors = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
]);

interface SdkError {
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
  readonly $fault?: 'client' | 'server';
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: unknown;
}

/** A throttled request has no effect. */
export function isThrottled(error: unknown): boolean {
  const { name, $metadata } = error as SdkError;
  return throttlingErrors.has(name ?? '') || $metadata?.httpStatusCode === 429;
}

/**
 * True if the AWS service refused the time in a signature, and therefore did nothing. A function's clock can be minutes behind
 * right after Lambda has thawed the function. The next attempt has a new signature.
 */
export function isWrongClock(error: unknown): boolean {
  const { name, message } = error as SdkError;
  return (
    /^(InvalidSignatureException|SignatureDoesNotMatch)$/.test(name ?? '') &&
    /^Signature (expired|not yet current)/.test(message ?? '')
  );
}

/** A refused request has no effect. */
export function isRefused(error: unknown): boolean {
  const { httpStatusCode = 0 } = (error as SdkError).$metadata ?? {};
  return httpStatusCode >= 400 && httpStatusCode < 500;
}

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

export function unavailableIfOutage(service: string, error: unknown): unknown {
  return isOutage(error)
    ? new Unavailable(`${service} is overloaded or unreachable. Send the request again later.`, {
        cause: error,
      })
    : error;
}
