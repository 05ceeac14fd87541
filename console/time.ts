/** The units of a span, the largest first, in seconds. */
const units = [
  ['year', 31_536_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** A time as one speaks of it, such as "in 5 minutes"; times are Unix seconds. */
export function spoken(at: number, now: number): string {
  const span = at - now;
  const [unit, seconds] = units.find(([, size]) => Math.abs(span) >= size) ?? units[4];
  return relative.format(Math.trunc(span / seconds), unit);
}

/** A time as clocks and calendars have it. */
export function written(at: number): string {
  return new Date(at * 1000).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
}

/** A number of minutes between two barks. */
export function every(minutes: number): string {
  return minutes === 1 ? 'every minute' : `every ${minutes} minutes`;
}

export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
