import { type ProblemType, problemKind } from '../contract/problem-types.ts';

import type {
  DateInFuture,
  InvalidSchedule,
  ModifiedSince,
  ParsedPatch,
} from '../domain/schedules/decisions.ts';
import { DogPatchDocument } from '../domain/schedules/schema.ts';
import type { Response } from './endpoint.ts';
import { mediaTypeOf } from './header.ts';
import { formatHttpDate, httpDate } from './http-date.ts';
import { checkId, notJsonByType, parseBody, validate } from './json-body.ts';
import { invalidBody, Problem, problemOf } from './problem.ts';
import type { Request } from './request.ts';

const mediaTypes = ['application/json', 'application/merge-patch+json'];

/** The specification requires 403 for a failure, so a problem's `patchStatus` replaces its status. */
export function withForbiddenForInvalidPatch(route: (request: Request) => Promise<Response>): typeof route {
  return (request) =>
    route(request).catch((error) => {
      const problem = problemOfPatch(error, request);
      const { patchStatus } = problemKind(problem.type);
      throw patchStatus
        ? new Problem(problem.type, problem.message, { ...problem, status: patchStatus })
        : problem;
    });
}

function problemOfPatch(error: unknown, request: Request): Problem {
  const dateSent = () => request.header('If-Unmodified-Since') ?? '';
  const domainError = error as ModifiedSince | DateInFuture | InvalidSchedule;
  switch (domainError.name) {
    case 'InvalidSchedule':
      return invalidBody([{ pointer: `/barks/${domainError.field}`, detail: domainError.message }]);
    case 'ModifiedSince':
      return new Problem('dog-modified', modifiedSinceDetail(domainError, dateSent()), { cause: error });
    case 'DateInFuture':
      return new Problem('date-in-future', dateInFutureDetail(domainError, dateSent()), { cause: error });
    default:
      return problemOf(error);
  }
}

function modifiedSinceDetail({ settingsModified }: ModifiedSince, date: string): string {
  return `A client changed the dog at ${formatHttpDate(settingsModified)}. This is later than the If-Unmodified-Since date of this request (${date}). GET the dog again. If you still want the change, send the patch with the Last-Modified of that response.`;
}

function dateInFutureDetail({ now }: DateInFuture, date: string): string {
  return `The If-Unmodified-Since date of this request (${date}) is more than five minutes ahead of the service's clock (${formatHttpDate(now)}). Send the Last-Modified of your last GET.`;
}

/**
 * In Unix seconds. Together with the body and If-Match, the date identifies the request.
 *
 * @throws Problem 403 if the header is missing or is not an HTTP date
 */
export function unmodifiedSince(request: Request): number {
  const field = request.header('If-Unmodified-Since');
  const example = new Date(request.context.now).toUTCString();
  const problem = (type: ProblemType, what: string) =>
    new Problem(type, `${what} Send the Last-Modified of your last GET, for example: ${example}.`);
  if (field === undefined) throw problem('missing-date', 'The If-Unmodified-Since header is missing.');
  const since = httpDate(field, request.context.now);
  if (since === undefined)
    throw problem('invalid-date', `The If-Unmodified-Since header "${field}" is not an HTTP date.`);
  return since;
}

/**
 * Returns the problem for an invalid body instead of throwing it, because a repeated request is recognized before its
 * content is checked.
 */
export function patchOf(request: Request): ParsedPatch {
  try {
    if (!mediaTypes.includes(mediaTypeOf(request.header('Content-Type'))))
      throw notJsonByType('Accept-Patch', mediaTypes);
    const { id, barks } = validate(DogPatchDocument, parseBody(request.bytes()));
    checkId(request.parameter('dog_id'), id);
    return { patch: barks };
  } catch (error) {
    if (error instanceof Problem) return { error };
    throw error;
  }
}
