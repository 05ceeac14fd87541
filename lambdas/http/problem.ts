import { phrases } from '../contract/status-text.ts';
import {
  AlreadyExists,
  InvalidCursor,
  InvalidSchedule,
  KeyReused,
  MailRefused,
  NotFound,
  PreconditionFailed,
  RequestInProgress,
  ScheduleRefused,
  StateMismatch,
  TooLate,
  Unavailable,
} from '../domain/platform/errors.ts';

/** An error of one field of a document. The pointer is a JSON pointer (RFC 6901). */
export interface FieldError {
  readonly pointer: string;
  readonly detail: string;
}

/**
 * An error that becomes the response to the client.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9457 RFC 9457}
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly FieldError[];

  constructor(
    status: number,
    detail: string,
    more: {
      readonly headers?: Record<string, string>;
      readonly errors?: readonly FieldError[];
      readonly cause?: unknown;
    } = {},
  ) {
    super(detail, { cause: more.cause });
    this.status = status;
    this.headers = more.headers ?? {};
    this.errors = more.errors ?? [];
  }
}

/** Returns the 422 for a body with invalid fields. */
export function invalidBody(errors: readonly FieldError[]): Problem {
  const faults = errors.map(({ pointer, detail }) => `${pointer || 'it'} ${detail}`);
  return new Problem(422, `The body is not as it should be: ${faults.join('; ')}.`, { errors });
}

/** Returns the problem for an error. The problem of an unexpected error has no details. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const problemOfHeader = headerProblemOf(error);
  if (problemOfHeader) return problemOfHeader;
  const problem = (status: number, headers: Record<string, string> = {}) =>
    new Problem(status, (error as Error).message, { headers, cause: error });
  if (error instanceof NotFound) return problem(404);
  if (error instanceof AlreadyExists || error instanceof TooLate) return problem(409);
  if (error instanceof PreconditionFailed) return problem(412);
  if (error instanceof InvalidSchedule)
    return invalidBody([{ pointer: `/${error.field}`, detail: error.message }]);
  if (error instanceof MailRefused || error instanceof ScheduleRefused) return problem(502);
  if (error instanceof Unavailable) return problem(503, { 'Retry-After': '1' });
  return new Problem(500, 'Something unforeseen happened. It has been logged under the request id.', {
    cause: error,
  });
}

/** Returns the problem of an error that a header of the request caused, or undefined for another error. */
function headerProblemOf(error: unknown): Problem | undefined {
  const problem = (status: number, detail: string, headers: Record<string, string> = {}) =>
    new Problem(status, detail, { headers, cause: error });
  if (error instanceof InvalidCursor)
    return problem(
      400,
      'This list did not return the value of "after". Use the URL in its Link header with rel="next".',
    );
  if (error instanceof RequestInProgress)
    return problem(409, 'The request of this Idempotency-Key is under way. Send it again a little later.', {
      'Retry-After': String(error.retryAfterSeconds),
    });
  if (error instanceof StateMismatch)
    return problem(
      412,
      `The dog "${error.dog}" does not meet the precondition of the request (If-Match, If-None-Match or If-Unmodified-Since). GET the dog again.`,
    );
  if (error instanceof KeyReused)
    return problem(422, 'This Idempotency-Key was sent with another request. Give each request its own.');
  return undefined;
}

/** Returns the document of a problem, with the media type `application/problem+json`. */
export function problemDocument({ status, message, errors }: Problem, requestId: string): object {
  return {
    type: 'about:blank',
    title: phrases[status],
    status,
    detail: message,
    // RFC 9457 section 3.1.5 requires a URI reference. An extended request id is not a UUID, so it is a fragment.
    instance: `#${requestId}`,
    ...(errors.length > 0 && { errors }),
  };
}
