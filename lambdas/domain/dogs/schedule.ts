import { hash } from 'node:crypto';
import { InvalidSchedule } from '../platform/errors.ts';
import { seconds } from '../platform/request-context.ts';
import { ulid, ulidOf } from '../platform/ulid.ts';

/** The schedule of a dog. The first occurrence is at `start`, and the others follow every `frequency` minutes. */
export interface Schedule {
  /** Unique among all schedules that the dog has had. It is part of the name in EventBridge Scheduler. */
  readonly scheduleId: string;
  /** The time of the first occurrence, in Unix seconds. */
  readonly start: number;
  /** Whole minutes from one occurrence to the next; null for a single occurrence. */
  readonly frequency: number | null;
  /** The time of the latest occurrence at which the dog barked, in Unix seconds; absent until the first bark. */
  readonly lastOccurrence?: number;
  /** Absent until a client ends the schedule. */
  readonly ended?: true;
}

/** The pattern of a `scheduleId`. */
export const scheduleId = /^[0-9A-Z]{20}$/;

/**
 * The part of a dog that this module needs. The module does not import the type `Dog`, because that type depends on this module.
 */
export interface HasSchedule {
  readonly schedule?: Schedule;
}

/**
 * The schedule that a request asks for. `lastOccurrence` is `start` if the first occurrence is now, or if the dog has already
 * barked at it as an occurrence of the current schedule.
 */
export interface Plan extends Pick<Schedule, 'start' | 'frequency' | 'lastOccurrence'> {
  /** True if the first occurrence is now. The transaction that sets the schedule then also records the bark. */
  readonly atOnce: boolean;
}

/** The schedule of a dog as GET shows it. */
export interface UpcomingBarks {
  /** The time of the next occurrence, in Unix seconds; null if there is none. */
  readonly next: number | null;
  /** Minutes from one occurrence to the next; null if there is at most one more occurrence. */
  readonly frequency: number | null;
}

/** How far in the past the `next` of a request may be, in seconds. The service treats a `next` in the past as now. */
const pastToleranceSeconds = 60;

/** The maximum time from now to `next`, in seconds: ten years. */
const maxAheadSeconds = 10 * 365 * 24 * 60 * 60;

/** How long after its time an occurrence counts as the next one if the dog has not barked at it, in seconds. */
const lateToleranceSeconds = 5 * 60;

/** The body of a POST of a bark schedule. */
export type BarkScheduleDocument = {
  readonly token: number;
  readonly next: number;
  readonly frequency: number | null;
};

/** The part of a merge patch that concerns the schedule. `null` ends the schedule. An absent member changes nothing. */
export type SchedulePatch =
  | { readonly next?: number | undefined; readonly frequency?: number | null | undefined }
  | null
  | undefined;

/**
 * Returns a new, unique `scheduleId`: the first 20 characters of a ULID. A whole ULID would be too long, because a name in
 * EventBridge Scheduler has at most 64 characters, and consists of the dog's ID, a dot and the `scheduleId`.
 *
 * @param now milliseconds since 1970
 */
export function newScheduleId(now: number): string {
  return ulid(now).slice(0, 20);
}

/**
 * Returns the time of the first occurrence after `at`, in Unix seconds; null if there is none.
 *
 * @param at Unix seconds
 */
export function occurrenceAfter(
  { start, frequency }: Pick<Schedule, 'start' | 'frequency'>,
  at: number,
): number | null {
  if (at < start) return start;
  if (frequency === null) return null;
  const period = frequency * 60;
  return start + (Math.floor((at - start) / period) + 1) * period;
}

/**
 * Returns the time of the dog's next occurrence in Unix seconds; null if there is none. Until the dog has barked at that
 * occurrence, the time can be up to five minutes in the past.
 *
 * @param now milliseconds since 1970
 */
export function nextOccurrence({ schedule }: HasSchedule, now: number): number | null {
  if (!schedule || schedule.ended) return null;
  const next = occurrenceAfter(schedule, schedule.lastOccurrence ?? 0);
  const at = seconds(now);
  return next !== null && next < at - lateToleranceSeconds ? occurrenceAfter(schedule, at - 1) : next;
}

/**
 * Returns the schedule of the dog as GET shows it.
 *
 * @param now milliseconds since 1970
 */
export function upcomingBarks(dog: HasSchedule, now: number): UpcomingBarks {
  const next = nextOccurrence(dog, now);
  return { next, frequency: next === null ? null : (dog.schedule?.frequency ?? null) };
}

/** Returns true if the dog's schedule has not ended, and the dog has not yet barked at the last occurrence. */
export function isLive({ schedule }: HasSchedule): boolean {
  return (
    schedule !== undefined &&
    !schedule.ended &&
    occurrenceAfter(schedule, schedule.lastOccurrence ?? 0) !== null
  );
}

/**
 * Decides how a merge patch changes the dog's schedule.
 *
 * @param now milliseconds since 1970
 * @returns the plan for the new schedule, `end` if the schedule ends, or `unchanged` if it does not change
 * @throws InvalidSchedule if `next` is out of range, or if it is missing and the dog has no next occurrence
 */
export function applyPatch(dog: HasSchedule, patch: SchedulePatch, now: number): Plan | 'end' | 'unchanged' {
  if (patch === null) return isLive(dog) ? 'end' : 'unchanged';
  if (patch?.next === undefined && patch?.frequency === undefined) return 'unchanged';
  const { next: current, frequency: kept } = upcomingBarks(dog, now);
  const frequency = patch.frequency === undefined ? kept : patch.frequency || null;
  const next = patch.next ?? current;
  if (next === null) throw new InvalidSchedule('next', 'is required, because no bark is scheduled');
  if ((next === current || hasJustBarkedAt(dog, next, now)) && frequency === kept) return 'unchanged';
  // If the client did not send `next`, it is not an error that the next occurrence is in the past. The dog then barks now.
  const isDue = patch.next === undefined && next <= seconds(now);
  return planOf(dog, { next: isDue ? 0 : next, frequency }, now);
}

/**
 * Returns true if a time is that of the latest occurrence of the dog's schedule at which the dog has barked, and a client may
 * still request it.
 *
 * @param time Unix seconds
 * @param now milliseconds since 1970
 */
function hasJustBarkedAt({ schedule }: HasSchedule, time: number, now: number): boolean {
  return schedule?.lastOccurrence === time && time >= seconds(now) - pastToleranceSeconds;
}

/**
 * Returns the plan for a schedule whose first occurrence is `next`, and which replaces the schedule of the dog.
 *
 * @param next Unix seconds, or 0 for now
 * @param now milliseconds since 1970
 * @throws InvalidSchedule if `next` is too far in the past or in the future
 */
export function planOf(
  dog: HasSchedule,
  { next, frequency }: { next: number; frequency: number | null },
  now: number,
): Plan {
  const at = seconds(now);
  // The dog must not bark a second time for the same occurrence.
  if (hasJustBarkedAt(dog, next, now)) return { start: next, frequency, lastOccurrence: next, atOnce: false };
  if (next > at) {
    if (next > at + maxAheadSeconds) throw new InvalidSchedule('next', tooFar(next, at));
    return { start: next, frequency, atOnce: false };
  }
  if (next !== 0 && next < at - pastToleranceSeconds)
    throw new InvalidSchedule(
      'next',
      `must be at most ${pastToleranceSeconds} seconds in the past, but is ${dateOf(next)}; the service's clock shows ${dateOf(at)}; send 0 to mean now`,
    );
  return { start: at, frequency, lastOccurrence: at, atOnce: true };
}

function tooFar(next: number, at: number): string {
  const inMilliseconds = Math.abs(next / 1000 - at) <= maxAheadSeconds;
  return `must be at most ten years ahead${inMilliseconds ? '; send seconds, not milliseconds' : ''}`;
}

/** Returns a time as an HTTP date. */
function dateOf(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toUTCString();
}

/**
 * Returns the ULID of the bark at an occurrence. An occurrence always has the same ULID, so that the key of the history entry
 * prevents a second bark.
 *
 * @param scheduledAt Unix seconds
 */
export function occurrenceUlid({ scheduleId }: Pick<Schedule, 'scheduleId'>, scheduledAt: number): string {
  return ulidOf(scheduledAt * 1000, hash('sha256', `${scheduleId} ${scheduledAt}`, 'buffer'));
}
