import { type ProblemType, problemKind, problemUri } from '../contract/problem-types.ts';
import {
  AddressSuspended,
  InvalidCursor,
  InvalidSchedule,
  KeyReused,
  LimitReached,
  MailNotSent,
  MailRefused,
  MailUnavailable,
  MailUnknown,
  NotFound,
  PreconditionFailed,
  RequestInProgress,
  ScheduleRefused,
  StateMismatch,
  TokenReused,
  TooLate,
  Unavailable,
} from '../domain/platform/errors.ts';

/** The pointer is a JSON Pointer (RFC 6901). */
export interface FieldError {
  readonly pointer: string;
  readonly detail: string;
}

/** An error that becomes the response: https://www.rfc-editor.org/rfc/rfc9457 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly type: ProblemType;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly FieldError[];

  /** @param more `status` overrides the default status of the problem type */
  constructor(
    type: ProblemType,
    detail: string,
    more: {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly errors?: readonly FieldError[];
      readonly cause?: unknown;
    } = {},
  ) {
    super(detail, { cause: more.cause });
    this.type = type;
    this.status = more.status ?? problemKind(type).status;
    this.headers = more.headers ?? {};
    this.errors = more.errors ?? [];
  }
}

export function invalidBody(errors: readonly FieldError[]): Problem {
  const faults = errors.map(({ pointer, detail }) => `${pointer || 'it'} ${detail}`);
  return new Problem('invalid-body', `The request body is invalid: ${faults.join('; ')}.`, { errors });
}

export function preconditionFailed(cause?: unknown): Problem {
  return new Problem(
    'precondition-failed',
    'The resource does not meet the precondition in If-Match, If-None-Match or If-Unmodified-Since. GET it again.',
    { cause },
  );
}

const notFoundTypes: Readonly<Partial<Record<NotFound['what'], ProblemType>>> = {
  dog: 'dog-not-found',
  bark: 'bark-not-found',
  'bark of the dog': 'no-last-bark',
  'schedule of the dog': 'bark-schedule-not-found',
  'mail subscription': 'mail-subscription-not-found',
};

/** The problem for an unexpected error does not contain its message. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return requestProblemOf(error) ?? stateProblemOf(error) ?? serviceProblemOf(error);
}

function requestProblemOf(error: unknown): Problem | undefined {
  if (error instanceof InvalidCursor)
    return new Problem(
      'invalid-cursor',
      'The query parameter "after" is not a cursor from this list. Use the URL in the Link header with rel="next".',
      { cause: error },
    );
  if (error instanceof KeyReused)
    return new Problem(
      'idempotency-key-reused',
      'This Idempotency-Key was already used for a different request. Send each new request with a new key.',
      { cause: error },
    );
  if (error instanceof TokenReused) {
    const { message, errors } = invalidBody([{ pointer: `/${error.field}`, detail: error.message }]);
    return new Problem('schedule-token-reused', message, { errors, cause: error });
  }
  if (error instanceof InvalidSchedule)
    return invalidBody([{ pointer: `/${error.field}`, detail: error.message }]);
  return undefined;
}

function stateProblemOf(error: unknown): Problem | undefined {
  const problem = (type: ProblemType, detail: string, headers: Record<string, string> = {}) =>
    new Problem(type, detail, { headers, cause: error });
  if (error instanceof NotFound) {
    const type = notFoundTypes[error.what];
    return type && problem(type, error.message);
  }
  if (error instanceof AddressSuspended) return problem('address-suspended', error.message);
  if (error instanceof TooLate) return problem('bark-not-cancellable', error.message);
  if (error instanceof RequestInProgress)
    return problem(
      'request-in-progress',
      'A request with this Idempotency-Key is in progress. Wait for the number of seconds in Retry-After, then send the request again.',
      { 'Retry-After': String(error.retryAfterSeconds) },
    );
  if (error instanceof LimitReached) return problem(...limitProblem(error));
  if (error instanceof StateMismatch) return preconditionFailed(error);
  return error instanceof PreconditionFailed ? problem('precondition-failed', error.message) : undefined;
}

/**
 * The name of each policy is the name of the setting.
 *
 * @see {@link https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/11/ RateLimit header fields for HTTP}
 */
function limitProblem({
  reached,
  windowSeconds,
  secondsLeft,
}: LimitReached): [ProblemType, string, Record<string, string>] {
  const type = reached.some(({ name }) => name.startsWith('barks'))
    ? 'bark-limit-reached'
    : 'mail-limit-reached';
  const sentences = reached.map(
    ({ name, limit }) =>
      `The limit of ${limit} ${name.slice(0, 5)} for each ${name.endsWith('Dog') ? 'dog' : 'user'} in ${windowSeconds / 60} minutes is reached.`,
  );
  const policies = reached.map(({ name, limit }) => `"${name}";q=${limit};w=${windowSeconds}`);
  const remaining = reached.map(({ name }) => `"${name}";r=0;t=${secondsLeft}`);
  return [
    type,
    `${sentences.join(' ')} The dog did not bark. Wait for the number of seconds in Retry-After, then send the request again.`,
    {
      'Retry-After': String(secondsLeft),
      'RateLimit-Policy': policies.join(', '),
      RateLimit: remaining.join(', '),
    },
  ];
}

function serviceProblemOf(error: unknown): Problem {
  const problem = (type: ProblemType, headers: Record<string, string> = {}) =>
    new Problem(type, (error as Error).message, { headers, cause: error });
  if (error instanceof MailRefused) return problem('mail-refused');
  if (error instanceof ScheduleRefused) return problem('schedule-refused');
  if (error instanceof MailUnknown) return problem('mail-unknown');
  // The operator needs time.
  if (error instanceof MailUnavailable) return problem('mail-unavailable', { 'Retry-After': '60' });
  if (error instanceof MailNotSent) return problem('mail-not-sent', { 'Retry-After': '1' });
  if (error instanceof Unavailable) return problem('service-unavailable', { 'Retry-After': '1' });
  return new Problem(
    'internal-error',
    'The service failed unexpectedly. Report the X-Request-Id of this response to the operator.',
    { cause: error },
  );
}

/** A document of the type `application/problem+json`. */
export function problemDocument(
  { type, status, message, errors }: Problem,
  { requestId, baseUrl }: { readonly requestId: string; readonly baseUrl: string },
): object {
  return {
    type: problemUri(type, baseUrl),
    title: problemKind(type).title,
    status,
    detail: message,
    // RFC 9457 section 3.1.5 requires a URI reference, and an extended request ID is no UUID for a `urn:uuid`.
    instance: `#${requestId}`,
    ...(errors.length > 0 && { errors }),
  };
}
