import { localTimeOf, timeOfLocal } from '../../shared/time-zone.ts';

/** The time between two ticks of an axis, or the time that a bar covers. */
export interface Step {
  readonly unit: 'day' | 'hour' | 'minute' | 'month' | 'second' | 'week';
  readonly count: number;
}

const hour = 3_600;
const day = 24 * hour;
const month = 30.44 * day;

const unitSeconds = { second: 1, minute: 60, hour, day, week: 7 * day, month } as const;

const steps: readonly Step[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => ({ unit: 'second', count }) as const),
  ...[1, 2, 5, 10, 15, 30].map((count) => ({ unit: 'minute', count }) as const),
  ...[1, 2, 3, 6, 12].map((count) => ({ unit: 'hour', count }) as const),
  ...[1, 2].map((count) => ({ unit: 'day', count }) as const),
  { unit: 'week', count: 1 },
  ...[1, 3, 6, 12, 24, 60, 120, 240, 600, 1_200].map((count) => ({ unit: 'month', count }) as const),
];
const longest: Step = { unit: 'month', count: 12_000 };

/** Uses the average length of a month. */
function secondsOf({ unit, count }: Step): number {
  return unitSeconds[unit] * count;
}

/** Returns the shortest step of at least the given number of seconds, or else the longest step. */
export function stepOfAtLeast(seconds: number): Step {
  return steps.find((step) => secondsOf(step) >= seconds) ?? longest;
}

export function shorterThan(step: Step): Step | undefined {
  return steps.findLast((other) => secondsOf(other) < secondsOf(step));
}

/** Returns a name such as "day" or "15 minutes". */
export function nameOf({ unit, count }: Step): string {
  if (unit === 'month' && count % 12 === 0) return count === 12 ? 'year' : `${count / 12} years`;
  return count === 1 ? unit : `${count} ${unit}s`;
}

/**
 * Returns the times at which steps begin in a time zone, in Unix seconds: from the last one at or before `from` to the first one
 * at or after `to`.
 */
export function boundaries(from: number, to: number, step: Step, timeZone: string): number[] {
  const first = startOf(localTimeOf(from, timeZone), step);
  const times: number[] = [];
  // A clock change can map two local times to the same time.
  const add = (at: number) => at > (times.at(-1) ?? Number.NEGATIVE_INFINITY) && times.push(at);
  if (secondsOf(step) <= hour) {
    // Steps of at most an hour have the same length even on days on which the clocks change.
    let at = Math.floor(from) - (localTimeOf(from, timeZone) - first);
    for (; at < to; at += secondsOf(step)) add(at);
    add(at);
    return times;
  }
  for (let local = first; (times.at(-1) ?? from - 1) < to; local = after(local, step))
    add(timeOfLocal(local, timeZone));
  return times;
}

function startOf(local: number, { unit, count }: Step): number {
  if (unit === 'month') {
    const date = new Date(local * 1000);
    const months = date.getUTCFullYear() * 12 + date.getUTCMonth();
    return monthStart(months - (months % count));
  }
  // 1970 began on a Thursday, and weeks begin on Monday.
  const shift = unit === 'week' ? 4 * day : 0;
  const length = unitSeconds[unit] * count;
  return Math.floor((local - shift) / length) * length + shift;
}

function after(local: number, { unit, count }: Step): number {
  if (unit !== 'month') return local + unitSeconds[unit] * count;
  const date = new Date(local * 1000);
  return monthStart(date.getUTCFullYear() * 12 + date.getUTCMonth() + count);
}

function monthStart(months: number): number {
  return Date.UTC(Math.floor(months / 12), months % 12) / 1000;
}
