import { type ProblemType, problemKind, problemUri } from '../contract/problem-types.ts';
import type { InvalidCursor } from '../domain/barks/bark.ts';
import type { TooLate } from '../domain/barks/cancel.ts';
import type { KeyReused, RequestInProgress } from '../domain/barks/idempotency-record.ts';
import type { StateMismatch } from '../domain/dogs/precondition.ts';
import type { LimitReached } from '../domain/limits/usage.ts';
import type { NotFound, Unavailable } from '../domain/platform/errors.ts';
import type { MailFailure } from '../domain/platform/ses.ts';
import type { InvalidSchedule, TokenReused } from '../domain/schedules/decisions.ts';
import type { ScheduleRefused } from '../domain/schedules/eventbridge.ts';

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

/** The errors of the domain that have a response of their own. */
type DomainError =
  | InvalidCursor
  | InvalidSchedule
  | KeyReused
  | LimitReached
  | MailFailure
  | NotFound
  | RequestInProgress
  | ScheduleRefused
  | StateMismatch
  | TokenReused
  | TooLate
  | Unavailable;

type ErrorOf<Name> = Name extends MailFailure['name'] ? MailFailure : Extract<DomainError, { name: Name }>;

/** By the error's name. */
const problems: {
  readonly [Name in DomainError['name']]: (error: ErrorOf<Name>) => Problem | undefined;
} = {
  AddressSuspended: problem('address-suspended'),
  InvalidCursor: problem('invalid-cursor', {
    detail:
      'The query parameter "after" is not a cursor from this list. Use the URL in the Link header with rel="next".',
  }),
  InvalidSchedule: invalidSchedule,
  KeyReused: problem('idempotency-key-reused', {
    detail:
      'This Idempotency-Key was already used for a different request. Send each new request with a new key.',
  }),
  LimitReached: limitProblem,
  MailNotSent: problem('mail-not-sent', { retryAfterSeconds: 1 }),
  MailRefused: problem('mail-refused'),
  // A minute, because the operator has to act first.
  MailUnavailable: problem('mail-unavailable', { retryAfterSeconds: 60 }),
  MailUnknown: problem('mail-unknown', {
    detail:
      'The mail may have been sent, but the bark was not counted. A request with a new Idempotency-Key, or without one, can send the mail again.',
  }),
  NotFound: (error) => {
    const type = notFoundTypes[error.what];
    return type && problem(type)(error);
  },
  RequestInProgress: (error) =>
    problem('request-in-progress', {
      detail:
        'A request with this Idempotency-Key is in progress. Wait for the number of seconds in Retry-After, then send the request again.',
      retryAfterSeconds: error.retryAfterSeconds,
    })(error),
  ScheduleRefused: problem('schedule-refused'),
  StateMismatch: preconditionFailed,
  TokenReused: (error) => {
    const { message, errors } = invalidSchedule(error);
    return new Problem('schedule-token-reused', message, { errors, cause: error });
  },
  TooLate: problem('bark-not-cancellable'),
  Unavailable: problem('service-unavailable', { retryAfterSeconds: 1 }),
};

/** By default, the error's message is the detail. */
function problem(
  type: ProblemType,
  { detail, retryAfterSeconds }: { detail?: string; retryAfterSeconds?: number } = {},
) {
  const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  return (error: Error) => new Problem(type, detail ?? error.message, { headers, cause: error });
}

/** The problem for an unexpected error omits the error's message. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { name } = Object(error) as Error;
  const known = Object.hasOwn(problems, name)
    ? (problems[name as DomainError['name']] as (error: unknown) => Problem | undefined)(error)
    : undefined;
  return (
    known ??
    new Problem(
      'internal-error',
      'The service failed unexpectedly. Report the X-Request-Id of this response to the operator.',
      { cause: error },
    )
  );
}

function invalidSchedule(error: InvalidSchedule | TokenReused): Problem {
  return invalidBody([{ pointer: `/${error.field}`, detail: error.message }]);
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
