import { type ProblemType, problemKind, problemUri } from '../contract/problem-types.ts';
import { LimitReached } from '../domain/limits/limit-reached.ts';
import {
  InvalidCursor,
  InvalidSchedule,
  KeyReused,
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
import { AddressSuspended } from '../domain/suspensions/suspension.ts';

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
    more: Partial<Pick<Problem, 'status' | 'headers' | 'errors' | 'cause'>> = {},
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

/** The problem types for errors whose message becomes the detail. A subclass comes before its base class. */
const problemsByClass: readonly [new (...args: never[]) => Error, ProblemType, retryAfterSeconds?: number][] =
  [
    [TooLate, 'bark-not-cancellable'],
    [PreconditionFailed, 'precondition-failed'],
    [AddressSuspended, 'address-suspended'],
    [MailRefused, 'mail-refused'],
    [ScheduleRefused, 'schedule-refused'],
    // A minute, because the operator has to act first.
    [MailUnavailable, 'mail-unavailable', 60],
    [MailNotSent, 'mail-not-sent', 1],
    [Unavailable, 'service-unavailable', 1],
  ];

/** The problem for an unexpected error omits the error's message. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof LimitReached) return limitProblem(error);
  if (error instanceof StateMismatch) return preconditionFailed(error);
  if (error instanceof InvalidSchedule) return scheduleProblem(error);
  const problem = (type: ProblemType, detail: string, retryAfterSeconds?: number) => {
    const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
    return new Problem(type, detail, { headers, cause: error });
  };
  if (error instanceof InvalidCursor)
    return problem(
      'invalid-cursor',
      'The query parameter "after" is not a cursor from this list. Use the URL in the Link header with rel="next".',
    );
  if (error instanceof KeyReused)
    return problem(
      'idempotency-key-reused',
      'This Idempotency-Key was already used for a different request. Send each new request with a new key.',
    );
  if (error instanceof RequestInProgress)
    return problem(
      'request-in-progress',
      'A request with this Idempotency-Key is in progress. Wait for the number of seconds in Retry-After, then send the request again.',
      error.retryAfterSeconds,
    );
  if (error instanceof MailUnknown)
    return problem(
      'mail-unknown',
      'The mail may have been sent, but the bark was not counted. A request with a new Idempotency-Key, or without one, can send the mail again.',
    );
  const notFoundType = error instanceof NotFound && notFoundTypes[error.what];
  if (notFoundType) return problem(notFoundType, error.message);
  const [, type, retryAfterSeconds] = problemsByClass.find(([Class]) => error instanceof Class) ?? [];
  return type
    ? problem(type, (error as Error).message, retryAfterSeconds)
    : problem(
        'internal-error',
        'The service failed unexpectedly. Report the X-Request-Id of this response to the operator.',
      );
}

function scheduleProblem(error: InvalidSchedule): Problem {
  const invalid = invalidBody([{ pointer: `/${error.field}`, detail: error.message }]);
  if (!(error instanceof TokenReused)) return invalid;
  return new Problem('schedule-token-reused', invalid.message, { errors: invalid.errors, cause: error });
}

/**
 * Each policy is named after its setting.
 *
 * @see {@link https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/11/ RateLimit header fields for HTTP}
 */
function limitProblem(error: LimitReached): Problem {
  const { reached, windowSeconds, secondsLeft } = error;
  const ofBarks = reached.some(({ name }) => name.startsWith('barks'));
  const sentences = reached.map(
    ({ name, limit }) =>
      `The limit of ${limit} ${name.slice(0, 5)} for each ${name.endsWith('Dog') ? 'dog' : 'user'} in ${windowSeconds / 60} minutes is reached.`,
  );
  return new Problem(
    ofBarks ? 'bark-limit-reached' : 'mail-limit-reached',
    `${sentences.join(' ')} The dog did not bark. Wait for the number of seconds in Retry-After, then send the request again.`,
    {
      headers: {
        'Retry-After': String(secondsLeft),
        'RateLimit-Policy': reached
          .map(({ name, limit }) => `"${name}";q=${limit};w=${windowSeconds}`)
          .join(', '),
        RateLimit: reached.map(({ name }) => `"${name}";r=0;t=${secondsLeft}`).join(', '),
      },
      cause: error,
    },
  );
}

export function problemDocument(
  { type, status, message, errors }: Problem,
  { requestId, baseUrl }: { readonly requestId: string; readonly baseUrl: string },
): object {
  return {
    type: problemUri(type, baseUrl),
    title: problemKind(type).title,
    status,
    detail: message,
    // RFC 9457 section 3.1.5 requires a URI reference. An extended request ID is not a UUID, so `urn:uuid` is not
    // possible.
    instance: `#${requestId}`,
    ...(errors.length > 0 && { errors }),
  };
}
