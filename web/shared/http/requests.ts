import type { BarkRequest, BarkScheduleRequest, DogRequest } from '../../../client/index.ts';

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
  return {
    method: 'PUT',
    path: pathOf(dog),
    headers: { ...json, 'If-None-Match': '*' },
    body: JSON.stringify(settings),
  };
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

export function postSchedule(dog: string, schedule: BarkScheduleRequest): Request {
  return {
    method: 'POST',
    path: pathOf(dog, 'bark-schedule'),
    headers: json,
    body: JSON.stringify(schedule),
  };
}
