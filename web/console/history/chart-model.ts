import { boundaries, nameOf, type Step, shorterThan, stepOfAtLeast } from './steps.ts';

/** The schedule of a dog: the next occurrence in Unix seconds, and the minutes from one occurrence to the next. */
export interface Schedule {
  readonly next?: number;
  readonly frequency?: number;
}

/** The part of the past that a chart shows. `all` contains all loaded barks. */
export type Range = 'all' | 'day' | 'hour' | 'month' | 'week';

const rangeSeconds = { hour: 3_600, day: 86_400, week: 604_800, month: 2_592_000 } as const;

/** The data of a chart. All times are Unix seconds. */
export interface ChartData {
  /** The times of the loaded barks, in any order. */
  readonly times: readonly number[];
  readonly schedule: Schedule;
  /** True if the dog has older barks that are not loaded. */
  readonly hasOlder: boolean;
  readonly range: Range;
  readonly now: number;
  readonly timeZone: string;
  /** The width of the chart in pixels. */
  readonly width: number;
}

/** Barks that the chart shows as one mark or one bin. Its edges are pixels from the left edge of the chart. */
export interface Group {
  readonly left: number;
  readonly right: number;
  /** The times of the first and the last bark of a mark, or the start and the end of a bin. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

interface Tick {
  readonly at: number;
  readonly x: number;
  readonly label: string;
  /** The day or the year, if it is not that of the tick before. */
  readonly context?: string;
}

export interface Chart {
  /** The times at the left and the right end of the axis, and the positions of these ends. */
  readonly axis: {
    readonly from: number;
    readonly to: number;
    readonly left: number;
    readonly right: number;
  };
  readonly now: number;
  readonly kind: 'bins' | 'marks';
  readonly groups: readonly Group[];
  /** The largest count of a group. 0 if there is no group. */
  readonly highest: number;
  /** The name of the width of a bin, such as "15 minutes". Absent if the chart shows marks. */
  readonly binName?: string;
  readonly upcoming: readonly Group[];
  /** The first upcoming occurrence to the right of the axis, and the number of them. */
  readonly beyond?: { readonly at: number; readonly count: number };
  /** The number of loaded barks to the left of the axis. */
  readonly earlier: number;
  /** The position of the oldest loaded bark, if older barks are not loaded and the axis begins before it. */
  readonly loadedFrom?: number;
  readonly ticks: readonly Tick[];
}

/** The space for labels at both ends of the axis, in pixels. */
const margin = 40;
/** The radius of a mark, in pixels. */
export const markRadius = 6;
/** More times than this become bins. */
const maxMarks = 30;
const minBinWidth = 9;
const tickDistance = 72;
const minTicks = 3;
/** The shortest past that a chart shows, in seconds. */
const minPastSeconds = 900;
const maxUpcoming = 8;

/** Returns the next occurrences of a schedule, in Unix seconds. */
export function upcomingOf({ next, frequency = 0 }: Schedule): number[] {
  if (next === undefined) return [];
  return Array.from({ length: frequency > 0 ? maxUpcoming : 1 }, (_, n) => next + n * frequency * 60);
}

/** Returns a chart with a linear time axis: single marks for few barks, and bins for many barks. */
export function chartOf(data: ChartData): Chart {
  const times = data.times.toSorted((a, b) => a - b);
  const { schedule, timeZone } = data;
  const [left, right] = [margin, Math.max(data.width - margin, margin + 1)];
  const present = Math.max(data.now, times.at(-1) ?? 0);
  const start = startOf(data, times, present);
  const shown = times.filter((at) => at >= start);
  const kind = new Set(shown).size > maxMarks ? 'bins' : 'marks';
  const occurrences = upcomingOf(schedule);
  const future = futureSeconds(
    occurrences,
    present,
    shown.length === 0 ? 10 : kind === 'marks' ? 2 : 0.5,
    start,
  );
  const step = stepOfAtLeast((minBinWidth * (present + future - start)) / (right - left));
  const edges = kind === 'bins' ? boundaries(start, present + 1, step, timeZone) : [];
  const from = edges[0] ?? start;
  const to = Math.max(present + future, edges.at(-1) ?? 0);
  const place = (at: number) => left + ((right - left) * (at - from)) / (to - from);
  const inAxis = times.filter((at) => at >= from);
  const groups = kind === 'bins' ? binsOf(inAxis, edges, place) : marksOf(inAxis, place);
  const beyond = occurrences.filter((at) => at > to);
  const oldest = times[0];
  return {
    axis: { from, to, left, right },
    now: place(data.now),
    kind,
    groups,
    highest: Math.max(0, ...groups.map(({ count }) => count)),
    ...(kind === 'bins' && { binName: nameOf(step) }),
    upcoming: marksOf(
      occurrences.filter((at) => at >= from && at <= to),
      place,
    ),
    ...(beyond[0] !== undefined && { beyond: { at: beyond[0], count: beyond.length } }),
    earlier: times.length - inAxis.length,
    ...(data.hasOlder && oldest !== undefined && oldest > from && { loadedFrom: place(oldest) }),
    ticks: ticksOf(from, to, place, timeZone, right - left),
  };
}

/** Returns the time at the left end of the axis. */
function startOf({ range }: ChartData, times: readonly number[], present: number): number {
  if (range !== 'all') return present - rangeSeconds[range];
  return present - Math.max(minPastSeconds, present - (times[0] ?? present));
}

/** Returns the length of the future on the axis. @param ratio the maximum length of the future, as a multiple of that of the past */
function futureSeconds(occurrences: readonly number[], present: number, ratio: number, start: number) {
  const past = present - start;
  const inReach = occurrences.filter((at) => at <= present + ratio * past);
  return Math.max(past / 50, (inReach.at(-1) ?? present) - present);
}

/** Returns marks for times in ascending order. Times whose marks would overlap share a mark. */
function marksOf(times: readonly number[], place: (at: number) => number): Group[] {
  const groups: { from: number; to: number; count: number }[] = [];
  for (const at of times) {
    const last = groups.at(-1);
    if (last && (at === last.to || place(at) - place(last.from) < 2 * markRadius + 2)) {
      last.to = at;
      last.count += 1;
    } else groups.push({ from: at, to: at, count: 1 });
  }
  return groups.map((group) => ({ ...group, left: place(group.from), right: place(group.to) }));
}

/** Returns the bins that contain barks. @param times ascending */
function binsOf(times: readonly number[], edges: readonly number[], place: (at: number) => number): Group[] {
  const bins: Group[] = [];
  let i = 0;
  for (const [n, from] of edges.entries()) {
    const to = edges[n + 1];
    if (to === undefined) break;
    const begin = i;
    while (i < times.length && (times[i] ?? 0) < to) i += 1;
    if (i > begin) bins.push({ from, to, count: i - begin, left: place(from), right: place(to) });
  }
  return bins;
}

/** Returns the ticks of the axis: those of the shortest step with enough space, or of a shorter one if there are too few. */
function ticksOf(
  from: number,
  to: number,
  place: (at: number) => number,
  timeZone: string,
  width: number,
): Tick[] {
  let step = stepOfAtLeast(((to - from) * tickDistance) / width);
  let times = apart(boundaries(from, to, step, timeZone), from, to, place);
  for (let shorter = shorterThan(step); shorter && times.length < minTicks; shorter = shorterThan(step)) {
    step = shorter;
    times = apart(boundaries(from, to, step, timeZone), from, to, place);
  }
  return labelled(times, place, formatsOf(step, timeZone));
}

/** Returns the times on the axis, without those whose labels would be too close to the label before. */
function apart(times: readonly number[], from: number, to: number, place: (at: number) => number): number[] {
  const kept: number[] = [];
  for (const at of times) {
    const last = kept.at(-1);
    const isApart = last === undefined || place(at) - place(last) >= tickDistance - 8;
    if (at >= from && at <= to && isApart) kept.push(at);
  }
  return kept;
}

/** Returns ticks with labels. Those that begin another day or year state it. */
function labelled(times: readonly number[], place: (at: number) => number, formats: TickFormats): Tick[] {
  let before: { day?: string | undefined; year?: string | undefined } = {};
  return times.map((at) => {
    const day = formats.day?.format(at * 1000);
    const year = formats.year?.format(at * 1000);
    const changed =
      year === before.year ? (day === before.day ? undefined : day) : [day, year].join(' ').trim();
    before = { day, year };
    const label = formats.label.format(at * 1000);
    return { at, x: place(at), label, ...(changed !== undefined && { context: changed }) };
  });
}

/** The formats of the label of a tick, and of the day and the year, which only some ticks have. */
interface TickFormats {
  readonly label: Intl.DateTimeFormat;
  readonly day?: Intl.DateTimeFormat;
  readonly year?: Intl.DateTimeFormat;
}

function formatsOf({ unit, count }: Step, timeZone: string): TickFormats {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  const day = format({ day: 'numeric', month: 'short' });
  const year = format({ year: 'numeric' });
  if (unit === 'second') return { label: format({ ...time, second: '2-digit' }), day, year };
  if (unit === 'minute' || unit === 'hour') return { label: format(time), day, year };
  if (unit !== 'month') return { label: day, year };
  return count < 12 ? { label: format({ month: 'short' }), year } : { label: year };
}
