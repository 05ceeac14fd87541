import { refusedBarks } from './barks.ts';
import { refusedBodies } from './bodies.ts';
import type { CaseGroup } from './case.ts';
import { refusedDogs } from './dogs.ts';
import { refusedPages } from './lists.ts';
import { refusedSubscriptions } from './mail-subscriptions.ts';
import { refusedPatches } from './patches.ts';
import { refusedPaths } from './paths.ts';
import { refusedPreconditions } from './preconditions.ts';
import { refusedSchedules } from './schedules.ts';

/** All requests that the service refuses, except those without valid credentials. @param now Unix seconds */
export function refusedRequests(now: number): CaseGroup[] {
  return [
    ...refusedBodies,
    ...refusedBarks,
    refusedDogs,
    refusedSchedules(now),
    ...refusedPatches(now),
    ...refusedPreconditions(now),
    ...refusedPages,
    ...refusedPaths,
    ...refusedSubscriptions,
  ];
}
