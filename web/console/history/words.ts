import { counted } from '../../shared/counted.ts';
import { dateAndTime, every, relativeTime } from '../../shared/time.ts';
import type { Chart, Group, Schedule } from './chart-model.ts';

interface Extent {
  /** The number of barks that the page has loaded. */
  readonly loaded: number;
  /** The number of barks that the dog has counted. */
  readonly total: number;
  /** True if the service has older barks. */
  readonly hasOlder: boolean;
}

/** Returns which barks of a dog the page has loaded. */
export function extentOf({ loaded, total, hasOlder }: Extent): string {
  if (loaded === 0) return total === 0 ? 'No barks yet' : `None of ${counted(total, 'bark')}`;
  if (!hasOlder && loaded >= total) return loaded === 1 ? '1 bark' : `All ${counted(loaded, 'bark')}`;
  const latest = `The latest ${loaded === 1 ? 'bark' : loaded.toLocaleString('en')}`;
  return loaded < total
    ? `${latest} of ${counted(total, 'bark')}`
    : `${latest}${loaded === 1 ? '' : ' barks'}`;
}

/** Returns the chart in words. @param times the times of the loaded barks in Unix seconds */
export function summaryOf(chart: Chart, times: readonly number[], schedule: Schedule, now: number): string {
  return [pastInWords(times, now), peakInWords(chart), nextInWords(schedule, now)].filter(Boolean).join(' ');
}

function pastInWords(times: readonly number[], now: number): string {
  if (times.length === 0) return 'The dog has not barked yet.';
  const last = times.reduce((a, b) => Math.max(a, b));
  return `The last bark was ${last >= now ? 'just now' : relativeTime(last, now)}.`;
}

function peakInWords({ kind, groups, highest }: Chart): string {
  const peak = groups.find(({ count }) => count === highest);
  if (kind === 'marks' || !peak) return '';
  return `The highest bar has ${counted(peak.count, 'bark')}, from ${dateAndTime(peak.from)} to ${dateAndTime(peak.to)}.`;
}

/** Returns when the dog barks next, and how often. @param now Unix seconds */
export function nextInWords({ next, frequency = 0 }: Schedule, now: number): string {
  if (next === undefined) return 'No bark is scheduled.';
  const repeated = frequency > 0 ? `, then ${every(frequency)}` : ', once';
  const when = next <= now ? 'due now' : `${relativeTime(next, now)}, on ${dateAndTime(next)}`;
  return `The next bark is ${when}${repeated}.`;
}

/** Returns the lines of the tooltip of a group: what the group contains, and when. */
export function tooltipOf(group: Group, kind: 'bins' | 'marks' | 'upcoming', now: number): string[] {
  const { from, to, count } = group;
  if (kind === 'bins') return [counted(count, 'bark'), `${dateAndTime(from)} to`, dateAndTime(to)];
  const what = kind === 'upcoming' ? counted(count, 'scheduled bark') : counted(count, 'bark');
  if (from !== to) return [what, `${dateAndTime(from)} to`, dateAndTime(to)];
  const title = count > 1 ? `${what} in the same second` : what;
  return [title, dateAndTime(from), relativeTime(from, now)];
}
