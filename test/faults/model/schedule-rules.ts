import type { Schedule } from '../../../lambdas/domain/dogs/schedule.ts';

/**
 * The rules of schedules, written a second time. The functions compute occurrences with arithmetic. This file counts them one by
 * one, so that the two do not share an error. It follows the documentation of schedules and decision record 16. All times are in Unix
 * seconds.
 */

type Times = Pick<Schedule, 'start' | 'frequency'>;

/** The schedule that a request asks for. */
export interface Plan extends Times {
  /** True if the first occurrence is now, so that the dog barks in the same step. */
  readonly barksNow: boolean;
  /** True if the dog has already barked at the first occurrence, because the former schedule has it too. */
  readonly hasBarked: boolean;
}

interface Requested {
  /** 0 means now. */
  readonly next?: number;
  /** Minutes. 0 and null mean that the dog barks once. */
  readonly frequency?: number | null;
}

const minute = 60;
const tenYears = 10 * 365 * 24 * 60 * minute;

function* occurrencesOf({ start, frequency }: Times): Generator<number> {
  yield start;
  if (frequency === null) return;
  for (let at = start + frequency * minute; ; at += frequency * minute) yield at;
}

function firstOccurrence(times: Times, meets: (at: number) => boolean): number | null {
  for (const at of occurrencesOf(times)) if (meets(at)) return at;
  return null;
}

/** Returns the nth occurrence, counted from 0, or null if there is none. */
export function nthOccurrence(times: Times, n: number): number | null {
  let earlier = 0;
  return firstOccurrence(times, () => earlier++ === n);
}

/** Returns the first occurrence after the last one at which the dog barked, or null if there is none. */
function dueOccurrence(schedule: Schedule): number | null {
  const { lastOccurrence } = schedule;
  return firstOccurrence(schedule, (at) => lastOccurrence === undefined || at > lastOccurrence);
}

/** Returns true if the schedule has not ended, and the dog has not barked at its last occurrence. */
export function isLive(schedule: Schedule | undefined): schedule is Schedule {
  return schedule !== undefined && !schedule.ended && dueOccurrence(schedule) !== null;
}

/**
 * Returns `next` and `frequency` as GET shows them at a time. The dog may miss an occurrence. Five minutes after its time, GET
 * shows the first occurrence that is not in the past.
 */
export function upcomingOf(
  schedule: Schedule | undefined,
  at: number,
): { next: number | null; frequency: number | null } {
  if (!isLive(schedule)) return { next: null, frequency: null };
  const due = dueOccurrence(schedule);
  const isMissed = due !== null && at - due > 5 * minute;
  const next = isMissed ? firstOccurrence(schedule, (time) => time >= at) : due;
  return { next, frequency: next === null ? null : schedule.frequency };
}

export function planOf(
  former: Schedule | undefined,
  { next, frequency: requested }: { next: number; frequency: number | null },
  at: number,
): Plan | 'refused' {
  const frequency = requested || null;
  if (isDone(former, next, at)) return { start: next, frequency, barksNow: false, hasBarked: true };
  const isNow = next === 0 || (next <= at && next >= at - minute);
  if (isNow) return { start: at, frequency, barksNow: true, hasBarked: false };
  if (next < at || next > at + tenYears) return 'refused';
  return { start: next, frequency, barksNow: false, hasBarked: false };
}

/** Returns true if the dog has just barked at the time that a client requests. */
function isDone(former: Schedule | undefined, next: number, at: number): boolean {
  return former !== undefined && former.lastOccurrence === next && at - next <= minute;
}

/** Decides on a patch that arrives at a time. `null` ends the schedule. */
export function patchOf(
  schedule: Schedule | undefined,
  patch: Requested | null,
  at: number,
): Plan | 'end' | 'unchanged' | 'refused' {
  if (patch === null) return isLive(schedule) ? 'end' : 'unchanged';
  if (patch.next === undefined && patch.frequency === undefined) return 'unchanged';
  const current = upcomingOf(schedule, at);
  const next = patch.next ?? current.next;
  const frequency = patch.frequency === undefined ? current.frequency : patch.frequency || null;
  if (next === null) return 'refused';
  const isSame = next === current.next || isDone(schedule, next, at);
  if (isSame && frequency === current.frequency) return 'unchanged';
  // A dog whose bark is late barks now.
  if (patch.next === undefined && next <= at)
    return { start: at, frequency, barksNow: true, hasBarked: false };
  return planOf(schedule, { next, frequency }, at);
}

/** Returns how many occurrences EventBridge Scheduler does not deliver: 1 if the dog has barked at the first one, otherwise 0. */
export function undeliveredOf({ barksNow, hasBarked }: Pick<Plan, 'barksNow' | 'hasBarked'>): 0 | 1 {
  return barksNow || hasBarked ? 1 : 0;
}

/**
 * Returns when EventBridge Scheduler must deliver the first occurrence, which is at least 15 seconds after the request. Null if
 * it delivers none.
 */
export function firstDeliveryOf(plan: Plan, created: number): number | null {
  const first = nthOccurrence(plan, undeliveredOf(plan));
  return first === null ? null : Math.max(first, created + 15);
}
