import { hash } from 'node:crypto';
import { InvalidSchedule } from '../platform/errors.ts';
import { seconds } from '../platform/request-context.ts';
import { ulid, ulidOf } from '../platform/ulid.ts';

/** When a dog barks by itself: at its slots, which are `start` and every `frequency` minutes after it. */
export interface Schedule {
  /** Names it among all that the dog has had, here and at the scheduler. */
  readonly scheduleId: string;
  /** The first scheduledAt, in Unix seconds. */
  readonly start: number;
  /** Whole minutes; null for one slot alone. */
  readonly frequency: number | null;
  /** The latest slot of this schedule at which the dog barked, in Unix seconds; absent until its first bark. */
  readonly lastOccurrence?: number;
  /** Absent until a client ends it. */
  readonly ended?: true;
}

/** A dog, as far as its schedule is concerned. This module does not import the dog, whose type contains a schedule. */
export interface Scheduled {
  readonly schedule?: Schedule;
}

/** A schedule that is to be set. */
export interface Plan extends Pick<Schedule, 'start' | 'frequency'> {
  /** True if the first slot is now: the bark then happens together with the setting. */
  readonly atOnce: boolean;
  /** True if the first slot is the one that comes next as it is: it must not have barked meanwhile. */
  readonly keepsNext?: true;
}

export interface UpcomingBarks {
  /** When the dog barks next by its schedule, in Unix seconds. */
  readonly next: number | null;
  /** Every how many minutes after that. */
  readonly frequency: number | null;
}

/** How far `next` may be past and still mean now, in seconds. */
const pastToleranceSeconds = 60;

/** How far ahead `next` may be, in seconds: ten years. */
const maxAheadSeconds = 10 * 365 * 24 * 60 * 60;

/** How long a slot that has passed is still what comes next, in seconds; after that its bark is lost. */
const lateToleranceSeconds = 5 * 60;

/** What POST of a bark schedule takes. */
export type BarkScheduleDocument = {
  readonly token: number;
  readonly next: number;
  readonly frequency: number | null;
};

/** What a merge patch says of the schedule: null ends it, and an absent member stays as it is. */
export type SchedulePatch =
  | { readonly next?: number | undefined; readonly frequency?: number | null | undefined }
  | null
  | undefined;

/** A name that no schedule has had: a ULID less its end, since it and a dog's id must make a name of 64 characters. */
export function newScheduleId(now: number): string {
  return ulid(now).slice(0, 20);
}

/** The first slot after a time in Unix seconds; null if there is none. */
export function occurrenceAfter(
  { start, frequency }: Pick<Schedule, 'start' | 'frequency'>,
  at: number,
): number | null {
  if (at < start) return start;
  if (frequency === null) return null;
  const period = frequency * 60;
  return start + (Math.floor((at - start) / period) + 1) * period;
}

/** The slot at which the dog barks next; null if none is coming. @param now milliseconds */
export function nextOccurrence({ schedule }: Scheduled, now: number): number | null {
  if (!schedule || schedule.ended) return null;
  const next = occurrenceAfter(schedule, schedule.lastOccurrence ?? 0);
  const at = seconds(now);
  return next !== null && next < at - lateToleranceSeconds ? occurrenceAfter(schedule, at - 1) : next;
}

/** What the dog's schedule has to come: the next scheduledAt, and the minutes between slots; null where there is none. */
export function upcomingBarks(dog: Scheduled, now: number): UpcomingBarks {
  const next = nextOccurrence(dog, now);
  return { next, frequency: next === null ? null : (dog.schedule?.frequency ?? null) };
}

/** True if the scheduler may still have occurrences of the dog's schedule. */
export function isLive({ schedule }: Scheduled): boolean {
  return (
    schedule !== undefined &&
    !schedule.ended &&
    occurrenceAfter(schedule, schedule.lastOccurrence ?? 0) !== null
  );
}

/**
 * What a merge patch makes of the dog's schedule: a plan, its end, or nothing new.
 *
 * @param now milliseconds
 * @throws InvalidSchedule
 */
export function patched(dog: Scheduled, patch: SchedulePatch, now: number): Plan | 'end' | 'unchanged' {
  if (patch === null) return isLive(dog) ? 'end' : 'unchanged';
  if (patch?.next === undefined && patch?.frequency === undefined) return 'unchanged';
  const { next: current, frequency: kept } = upcomingBarks(dog, now);
  const frequency = patch.frequency === undefined ? kept : patch.frequency || null;
  const next = patch.next ?? current;
  if (next === null) throw new InvalidSchedule('next', 'must be given, since no bark is scheduled');
  if (next === current && frequency === kept) return 'unchanged';
  if (patch.next !== undefined) return planOf({ next, frequency }, now);
  // A slot that is due and was not asked for anew is not an error of the client's: it happens at once.
  const isDue = next <= seconds(now);
  return { ...planOf({ next: isDue ? 0 : next, frequency }, now), keepsNext: true };
}

/**
 * The plan for a schedule that begins at `next`.
 *
 * @param now milliseconds
 * @throws InvalidSchedule if that time is too far away
 */
export function planOf({ next, frequency }: { next: number; frequency: number | null }, now: number): Plan {
  const at = seconds(now);
  if (next > at) {
    if (next > at + maxAheadSeconds) throw new InvalidSchedule('next', tooFar(next, at));
    return { start: next, frequency, atOnce: false };
  }
  if (next !== 0 && next < at - pastToleranceSeconds)
    throw new InvalidSchedule(
      'next',
      `must not be over ${pastToleranceSeconds} seconds past: it is ${dateOf(next)}, and here it is ${dateOf(at)}; 0 means now`,
    );
  return { start: at, frequency, atOnce: true };
}

function tooFar(next: number, at: number): string {
  const inMilliseconds = Math.abs(next / 1000 - at) <= maxAheadSeconds;
  return `must be at most ten years ahead${inMilliseconds ? '; it must be in seconds, and this looks like milliseconds' : ''}`;
}

/** Returns a time as an HTTP date. */
function dateOf(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toUTCString();
}

/** The ULID of the bark of a slot: the same each time, so that its key is what keeps it from barking twice. */
export function occurrenceUlid({ scheduleId }: Pick<Schedule, 'scheduleId'>, scheduledAt: number): string {
  return ulidOf(scheduledAt * 1000, hash('sha256', `${scheduleId} ${scheduledAt}`, 'buffer'));
}
