import { hash } from 'node:crypto';
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

/** The schedule of a dog as GET shows it. */
export interface UpcomingBarks {
  /** The time of the next occurrence, in Unix seconds; null if there is none. */
  readonly next: number | null;
  /** Minutes from one occurrence to the next; null if there is at most one more occurrence. */
  readonly frequency: number | null;
}

/** How long after its time an occurrence counts as the next one if the dog has not barked at it, in seconds. */
const lateToleranceSeconds = 5 * 60;

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
 * Returns the ULID of the bark at an occurrence. An occurrence always has the same ULID, so that the key of the history entry
 * prevents a second bark.
 *
 * @param scheduledAt Unix seconds
 */
export function occurrenceUlid({ scheduleId }: Pick<Schedule, 'scheduleId'>, scheduledAt: number): string {
  return ulidOf(scheduledAt * 1000, hash('sha256', `${scheduleId} ${scheduledAt}`, 'buffer'));
}
