import { InvalidSchedule, ScheduleRefused } from '../domain/platform/errors.ts';
import type { SchedulePatch } from '../domain/schedules/schedule.ts';
import { DogPatchDocument } from '../domain/schedules/schema.ts';
import type { Response } from './endpoint.ts';
import { httpDate } from './http-date.ts';
import { checkId, notJsonByType, parseBody, validate } from './json-body.ts';
import { mediaTypeOf } from './media-type.ts';
import { invalidBody, Problem, problemOf } from './problem.ts';
import type { Request } from './request.ts';

const mediaTypes = ['application/json', 'application/merge-patch+json'];

/** What is the patch's own fault is 403 in this part of the interface, whatever it is elsewhere. */
const faultsOfPatch = new Set([400, 412, 415, 422]);

/** Lets a route answer each fault of a patch with 403, and what is wrong with it. */
export function forbidding(route: (request: Request) => Promise<Response>): typeof route {
  return (request) =>
    route(request).catch((error) => {
      const problem = problemOfPatch(error);
      throw faultsOfPatch.has(problem.status) || error instanceof ScheduleRefused
        ? new Problem(403, problem.message, problem)
        : error;
    });
}

function problemOfPatch(error: unknown): Problem {
  return error instanceof InvalidSchedule
    ? invalidBody([{ pointer: `/barks/${error.field}`, detail: error.message }])
    : problemOf(error);
}

/**
 * Returns the date of a PATCH in Unix seconds. With the body and If-Match, it identifies the request.
 *
 * @throws Problem 403 if the header is missing or is not an HTTP date
 */
export function unmodifiedSince(request: Request): number {
  const field = request.header('If-Unmodified-Since');
  const example = new Date(request.now).toUTCString();
  const refuse = (why: string) =>
    new Problem(403, `${why} Send the Date or the Last-Modified of your last GET, for example: ${example}.`);
  if (field === undefined) throw refuse('The If-Unmodified-Since header is missing.');
  const since = httpDate(field);
  if (since === undefined) throw refuse(`The If-Unmodified-Since "${field}" is not an HTTP date.`);
  return since;
}

/**
 * What a PATCH of a dog asks for.
 *
 * @throws Problem
 */
export function patchOf(request: Request): SchedulePatch {
  if (!mediaTypes.includes(mediaTypeOf(request.header('Content-Type'))))
    throw notJsonByType('Accept-Patch', mediaTypes);
  const { id, barks } = validate(DogPatchDocument, parseBody(request.bytes()));
  checkId(request.parameter('dog_id'), id);
  return barks;
}
