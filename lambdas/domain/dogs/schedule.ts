import { hash } from 'node:crypto';
import { seconds } from '../platform/request-context.ts';
import { ulid, ulidOf } from '../platform/ulid.ts';

/**
 * The first occurrence is at `start`, and the others follow every `frequency` minutes. In this file, `now` is in milliseconds since
 * 1970, as in a request context; all other times are in Unix seconds.
 */
export interface Schedule {
  /** Unique among all schedules that the dog has had, and part of the schedule's name in EventBridge Scheduler. */
  readonly scheduleId: string;
  readonly start: number;
  /** Null for a single occurrence. */
  readonly frequency: number | null;
  readonly lastOccurrence?: number;
  readonly ended?: true;
}

export const scheduleId = /^[0-9A-Z]{20}$/;

/** Used instead of `Dog`, which depends on this module. */
export interface HasSchedule {
  readonly schedule?: Schedule;
}

export interface UpcomingBarks {
  readonly next: number | null;
  /** Null if there is at most one further occurrence. */
  readonly frequency: number | null;
}

/** How long an overdue occurrence, at which the dog has not barked yet, still counts as the next one. */
const lateToleranceSeconds = 5 * 60;

/**
 * The first 20 characters of a ULID, because a name in EventBridge Scheduler (the dog's ID, a dot and the `scheduleId`) has at
 * most 64 characters.
 */
export function newScheduleId(now: number): string {
  return ulid(now).slice(0, 20);
}

export function occurrenceAfter(
  { start, frequency }: Pick<Schedule, 'start' | 'frequency'>,
  at: number,
): number | null {
  if (at < start) return start;
  if (frequency === null) return null;
  const period = frequency * 60;
  return start + (Math.floor((at - start) / period) + 1) * period;
}

/** Can be up to five minutes in the past if the dog has not barked at that occurrence yet. */
export function nextOccurrence({ schedule }: HasSchedule, now: number): number | null {
  if (!schedule || schedule.ended) return null;
  const next = occurrenceAfter(schedule, schedule.lastOccurrence ?? 0);
  const at = seconds(now);
  return next !== null && next < at - lateToleranceSeconds ? occurrenceAfter(schedule, at - 1) : next;
}

export function upcomingBarks(dog: HasSchedule, now: number): UpcomingBarks {
  const next = nextOccurrence(dog, now);
  return { next, frequency: next === null ? null : (dog.schedule?.frequency ?? null) };
}

/** True if the dog has a schedule that has not ended, with an occurrence after the one at which the dog last barked. */
export function isLive({ schedule }: HasSchedule): boolean {
  return (
    schedule !== undefined &&
    !schedule.ended &&
    occurrenceAfter(schedule, schedule.lastOccurrence ?? 0) !== null
  );
}

/** Returns false when in doubt. `next` is the occurrence that clients see, and `since` is in Unix seconds. */
export function isScheduleUnchangedSince(
  dog: HasSchedule & { readonly lastModified: number },
  next: number | null,
  since: number,
  now: number,
): boolean {
  if (dog.lastModified > since) return false;
  // If `lastModified` is in the future, another clock was ahead, and later barks may not have changed it.
  if (dog.lastModified > seconds(now)) return false;
  // If the dog misses an occurrence, `next` changes to the following one without a write.
  return nextOccurrence(dog, Math.min(since * 1000, now)) === next;
}

/** An occurrence always gets the same ULID, so that the key of the history entry prevents a second bark. */
export function occurrenceUlid({ scheduleId }: Pick<Schedule, 'scheduleId'>, scheduledAt: number): string {
  return ulidOf(scheduledAt * 1000, hash('sha256', `${scheduleId} ${scheduledAt}`, 'buffer'));
}
