import type { Schedule } from './definition.ts';

const minuteMs = 60_000;
const unitsMs: Record<string, number> = { minute: minuteMs, hour: 60 * minuteMs, day: 24 * 60 * minuteMs };

/** Enough for 24 hours, the longest event age that a retry policy allows, because each period is at least a minute. */
const maximumMissed = 24 * 60;

/** `now` and the result are in milliseconds since 1970. */
export function firstOccurrence(
  { ScheduleExpression, StartDate }: Pick<Schedule, 'ScheduleExpression' | 'StartDate'>,
  now: number,
): number {
  return atTimeMs(ScheduleExpression) ?? Math.floor(StartDate ?? now / 1000) * 1000;
}

/**
 * All times are in milliseconds since 1970.
 *
 * @param due the first occurrence that has not been handled yet
 * @returns `skipped`: how many missed occurrences `times` leaves out. `next`: null if there is none
 */
export function dueOccurrences(
  { ScheduleExpression }: Pick<Schedule, 'ScheduleExpression'>,
  due: number,
  now: number,
): { readonly times: readonly number[]; readonly skipped: number; readonly next: number | null } {
  const periodMs = ratePeriodMs(ScheduleExpression);
  if (periodMs === undefined) return { times: [due], skipped: 0, next: null };
  const count = Math.floor((now - due) / periodMs) + 1;
  const skipped = Math.max(0, count - maximumMissed);
  const times = Array.from({ length: count - skipped }, (_, i) => due + (skipped + i) * periodMs);
  return { times, skipped, next: due + count * periodMs };
}

/** Returns milliseconds since 1970, or undefined if the expression is not a valid `at(…)`. */
export function atTimeMs(expression: string): number | undefined {
  const [, text] = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)$/.exec(expression) ?? [];
  const time = Date.parse(`${text}Z`);
  // Date.parse converts 30 February to a day in March.
  return new Date(time || 0).toISOString() === `${text}.000Z` ? time : undefined;
}

/** Returns undefined if the expression is not a valid `rate(…)`. */
export function ratePeriodMs(expression: string): number | undefined {
  const [, count, unit = ''] = /^rate\(([1-9]\d{0,7}) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const unitMs = unitsMs[unit];
  return unitMs && Number(count) * unitMs;
}
