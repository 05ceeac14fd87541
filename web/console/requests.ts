import type { DogRequest, SchedulePatch } from '../../client/index.ts';
import { pathOf, type Request } from '../shared/http/requests.ts';

const json = { 'Content-Type': 'application/json' };

/** @param tag the entity tag that the dog must have, if any */
export function replaceDog(dog: string, settings: DogRequest, tag?: string): Request {
  return {
    method: 'PUT',
    path: pathOf(dog),
    headers: { ...json, ...(tag !== undefined && { 'If-Match': tag }) },
    body: JSON.stringify(settings),
  };
}

export function deleteDog(dog: string): Request {
  return { method: 'DELETE', path: pathOf(dog), headers: {} };
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

export function deleteSchedule(dog: string): Request {
  return { method: 'DELETE', path: pathOf(dog, 'bark-schedule'), headers: {} };
}
