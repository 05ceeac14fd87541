/** In seconds, largest first. */
const units = [
  ['year', 31_536_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Returns a time relative to now, such as "in 5 minutes". Both parameters are in Unix seconds. */
export function relativeTime(at: number, now: number): string {
  const span = at - now;
  const [unit, seconds] = units.find(([, size]) => Math.abs(span) >= size) ?? units[4];
  return relative.format(Math.trunc(span / seconds), unit);
}

/** Returns how often a dog barks, such as "every 5 minutes" or "every hour". */
export function every(minutes: number): string {
  const [unit, size] = (
    [
      ['day', 1_440],
      ['hour', 60],
    ] as const
  ).find(([, size]) => minutes % size === 0) ?? ['minute', 1];
  return minutes === size ? `every ${unit}` : `every ${minutes / size} ${unit}s`;
}

/** Names the time zone of `dateAndTime`. */
export function timeZoneSentence(): string {
  return `Times are in ${new Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
}
