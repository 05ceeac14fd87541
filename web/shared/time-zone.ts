/**
 * In this module, a local time is the number of seconds since 1970-01-01 00:00 on a time zone's clocks, as if every day had 24
 * hours.
 */

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a name such as "Europe/Berlin". */
export function deviceTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** @param at Unix seconds */
export function localTimeOf(at: number, timeZone: string): number {
  return Math.floor(at) + offsetSeconds(at, timeZone);
}

/**
 * Returns the time in Unix seconds at which clocks show a local time. If they show it twice, returns the first time. If they skip
 * it, returns the time that is as far after the change as the local time is after the start of the gap.
 */
export function timeOfLocal(local: number, timeZone: string): number {
  const dayBefore = local - offsetSeconds(local - 86_400, timeZone);
  if (localTimeOf(dayBefore, timeZone) === local) return dayBefore;
  const dayAfter = local - offsetSeconds(local + 86_400, timeZone);
  return localTimeOf(dayAfter, timeZone) === local ? dayAfter : dayBefore;
}

/** Returns an offset such as "UTC+1" or "UTC−3:30". @param at Unix seconds */
function offsetName(at: number, timeZone: string): string {
  const minutes = Math.round(offsetSeconds(at, timeZone) / 60);
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

/** @param now Unix seconds */
export function timeZoneSentence(now: number, timeZone: string): string {
  const offset = offsetName(now, timeZone);
  return timeZone === offset ? `Times are in ${offset}.` : `Times are in ${timeZone} (${offset}).`;
}

function offsetSeconds(at: number, timeZone: string): number {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(timeZone, format);
  const whole = Math.floor(at);
  const parts = format.formatToParts(whole * 1000);
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local / 1000 - whole;
}
