import type { NewBark, NewBarkSchedule, NewDog, SchedulePatch } from '../client/index.ts';

/** A request as it is to be sent, but for the credentials. */
export interface Request {
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  /** What follows the service's URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const json = { 'Content-Type': 'application/json' };

export function listDogs(): Request {
  return get('/v1/dogs/?limit=100');
}

export function get(path: string): Request {
  return { method: 'GET', path, headers: {} };
}

/** The path of a dog, or of what is below it. */
export function pathOf(dog: string, below = ''): string {
  return `/v1/dogs/${encodeURIComponent(dog)}/${below}`;
}

/** Creates a dog, and replaces none: a dog that is there fails the condition. */
export function createDog(dog: string, settings: NewDog): Request {
  return putDog(dog, settings, { 'If-None-Match': '*' });
}

/** @param tag that the dog must still have; none if whatever is there is to be replaced */
export function replaceDog(dog: string, settings: NewDog, tag?: string): Request {
  return putDog(dog, settings, tag === undefined ? {} : { 'If-Match': tag });
}

function putDog(dog: string, settings: NewDog, condition: Record<string, string>): Request {
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

export interface BarkWish {
  /** `barks` is variant A, `bark` is variant C. */
  readonly resource: 'bark' | 'barks';
  readonly message: string;
  /** True to have it handled asynchronously, whatever the dog's own way is. */
  readonly later: boolean;
}

export function postBark(dog: string, { resource, message, later }: BarkWish): Request {
  return {
    method: 'POST',
    path: pathOf(dog, resource),
    headers: {
      // Where the bark is accepted for later, its note is JSON then; it would be hypertext.
      Accept: 'application/json',
      ...(later && { Prefer: 'respond-async' }),
      ...(message !== '' && json),
    },
    ...(message !== '' && { body: JSON.stringify({ message } satisfies NewBark) }),
  };
}

export function deleteBark(path: string): Request {
  return { method: 'DELETE', path, headers: {} };
}

/** @param since when this request is sent first, in milliseconds */
export function patchSchedule(dog: string, patch: SchedulePatch, since: number): Request {
  return {
    method: 'PATCH',
    path: pathOf(dog),
    headers: { 'If-Unmodified-Since': new Date(since).toUTCString(), ...json },
    body: JSON.stringify(patch),
  };
}

export function postSchedule(dog: string, schedule: NewBarkSchedule): Request {
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
