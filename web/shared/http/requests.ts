import type { BarkRequest, BarkScheduleRequest, DogRequest, SchedulePatch } from '../../../client/index.ts';

export interface Request {
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  /** The path and the query after the service's URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** By default, the request uses the session's credentials. */
  readonly sender?: 'none';
}

const json = { 'Content-Type': 'application/json' };

export function listDogs(): Request {
  return get('/v1/dogs/?limit=100');
}

export function get(path: string): Request {
  return { method: 'GET', path, headers: {} };
}

/** If the ID is still empty, the path contains a placeholder, as in the API description. */
export function pathOf(dog: string, below = ''): string {
  return `/v1/dogs/${encodeURIComponent(dog) || '{dog_id}'}/${below}`;
}

/** The request fails if the dog exists. */
export function createDog(dog: string, settings: DogRequest): Request {
  return putDog(dog, settings, { 'If-None-Match': '*' });
}

/** @param tag the entity tag that the dog must have, if any */
export function replaceDog(dog: string, settings: DogRequest, tag?: string): Request {
  return putDog(dog, settings, tag === undefined ? {} : { 'If-Match': tag });
}

function putDog(dog: string, settings: DogRequest, condition: Record<string, string>): Request {
  return {
    method: 'PUT',
    path: pathOf(dog),
    headers: { ...json, ...condition },
    body: JSON.stringify(settings),
  };
}

export function deleteDog(dog: string): Request {
  return { method: 'DELETE', path: pathOf(dog), headers: {} };
}

export interface BarkOptions {
  /** `barks` is variant A, and `bark` is variant C. */
  readonly resource: 'bark' | 'barks';
  readonly message: string;
  /** Such as `respond-async`. Without it, the dog's setting applies. */
  readonly preferences?: readonly string[];
  /** Two requests with the same key make the dog bark only once. */
  readonly idempotencyKey?: string;
}

export function postBark(
  dog: string,
  { resource, message, preferences = [], idempotencyKey }: BarkOptions,
): Request {
  return {
    method: 'POST',
    path: pathOf(dog, resource),
    headers: {
      // Without this header, the response to an asynchronous bark is HTML.
      Accept: 'application/json',
      ...(preferences.length > 0 && { Prefer: preferences.join(', ') }),
      ...(idempotencyKey && { 'Idempotency-Key': `"${idempotencyKey}"` }),
      ...(message !== '' && json),
    },
    ...(message !== '' && { body: JSON.stringify({ message } satisfies BarkRequest) }),
  };
}

export function deleteBark(path: string): Request {
  return { method: 'DELETE', path, headers: {} };
}

/** @param lastModified the dog's Last-Modified */
export function patchSchedule(dog: string, patch: SchedulePatch, lastModified: string): Request {
  return {
    method: 'PATCH',
    path: pathOf(dog),
    headers: { 'If-Unmodified-Since': lastModified, ...json },
    body: JSON.stringify(patch),
  };
}

export function postSchedule(dog: string, schedule: BarkScheduleRequest): Request {
  return {
    method: 'POST',
    path: pathOf(dog, 'bark-schedule'),
    headers: json,
    body: JSON.stringify(schedule),
  };
}

export function deleteSchedule(dog: string): Request {
  return { method: 'DELETE', path: pathOf(dog, 'bark-schedule'), headers: {} };
}
