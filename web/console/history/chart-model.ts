import type { Schedule } from '../dogs/words.ts';
import { boundaries, nameOf, type Step, shorterThan, stepOfAtLeast } from './steps.ts';

/** In Unix seconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** All times are in Unix seconds. */
export interface ChartData {
  /** The times of the known barks, in any order. */
  readonly times: readonly number[];
  readonly schedule: Schedule;
  /** The span to show. By default, the chart shows all known barks. */
  readonly zoom?: Span | undefined;
  readonly now: number;
  readonly timeZone: string;
  /** In pixels. */
  readonly width: number;
}

/** `from` and `to` are the times of a bar's first and last bark. `left` and `right` are in pixels from the chart's left edge. */
export interface Bar extends Span {
  readonly left: number;
  readonly right: number;
  readonly count: number;
  /** The number of barks in the bar below this one. */
  readonly below: number;
}

interface Tick {
  readonly at: number;
  readonly x: number;
  readonly label: string;
  /** The day, the year or both, if they differ from the previous tick's. */
  readonly context?: string;
}

export interface Chart {
  /** The times and positions of the ends of the axis. */
  readonly axis: Span & { readonly left: number; readonly right: number };
  /** The position of the current time. Absent if that time is not on the axis. */
  readonly now?: number;
  readonly bars: readonly Bar[];
  /** The bars for scheduled occurrences. Each is stacked on the bar for known barks at the same place, if there is one. */
  readonly upcoming: readonly Bar[];
  /** The largest total count at one place. 0 if there are no bars. */
  readonly highest: number;
  /** The name of a bar's width, such as "15 minutes". */
  readonly binName: string;
  /** The gaps between the bars for known barks, if wide enough for a label. */
  readonly pauses: readonly { readonly x: number; readonly seconds: number }[];
  /** How many of the next `maxUpcoming` occurrences are to the right of the axis. */
  readonly beyond: number;
  /** The number of known barks that are not on the axis. */
  readonly outside: number;
  readonly ticks: readonly Tick[];
}

/** The space for labels at both ends of the axis, in pixels. */
const margin = 40;
/** A count fits above a bar that is at least this wide, in pixels. */
const minBarWidth = 24;
/** A label fits into a pause that is at least this wide, in pixels. */
const minPauseWidth = 110;
const tickDistance = 72;
const minTicks = 3;
/** The shortest time span that a chart shows. */
const minSeconds = 10;
/** How much of the past a chart without barks shows. */
const emptySeconds = 900;
const maxUpcoming = 8;

/** Returns the next occurrences, in Unix seconds. */
export function upcomingOf({ next, frequency = 0 }: Schedule): number[] {
  if (next === undefined) return [];
  return Array.from({ length: frequency > 0 ? maxUpcoming : 1 }, (_, n) => next + n * frequency * 60);
}

export function chartOf(data: ChartData): Chart {
  const times = data.times.toSorted((a, b) => a - b);
  const { now, timeZone } = data;
  const occurrences = upcomingOf(data.schedule);
  const { from: start, to: end } = spanOf(data, times, occurrences);
  const [left, right] = [margin, Math.max(data.width - margin, margin + 1)];
  const step = stepOfAtLeast((minBarWidth * (end - start)) / (right - left));
  const edges = boundaries(start, end, step, timeZone);
  const [from = start, to = end] = [edges[0], edges.at(-1)];
  const place = (at: number) => left + ((right - left) * (at - from)) / (to - from);
  const bars = barsOf(times, edges, place);
  const upcoming = barsOf(occurrences, edges, place).map((bar) => ({
    ...bar,
    below: bars.find((one) => one.left === bar.left)?.count ?? 0,
  }));
  return {
    axis: { from, to, left, right },
    ...(now >= from && now <= to && { now: place(now) }),
    bars,
    upcoming,
    highest: Math.max(0, ...[...bars, ...upcoming].map(({ count, below }) => count + below)),
    binName: nameOf(step),
    pauses: pausesOf(bars),
    beyond: occurrences.filter((at) => at >= to).length,
    outside: times.filter((at) => at < from || at >= to).length,
    ticks: ticksOf(from, to, place, timeZone, right - left),
  };
}

/** The end of the returned span is exclusive. */
function spanOf({ zoom, now }: ChartData, times: readonly number[], occurrences: readonly number[]): Span {
  if (zoom) return atLeast(minSeconds, zoom);
  const [from = now - emptySeconds, last = now] = [times[0], times.at(-1)];
  // If the last bark was long ago, showing the time since then would leave little space for the barks.
  if (last > from && now - last > last - from) return atLeast(minSeconds, { from, to: last + 1 });
  const present = Math.max(now, last);
  const past = Math.max(present - from, minSeconds);
  const reach = present + past * (times.length > 0 ? 1 : 10);
  const reached = occurrences.findLast((at) => at <= reach) ?? present;
  return { from: present - past, to: Math.max(reached, present) + 1 };
}

function atLeast(seconds: number, { from, to }: Span): Span {
  const missing = Math.max(0, seconds - (to - from));
  return { from: from - Math.floor(missing / 2), to: to + Math.ceil(missing / 2) };
}

/** @param times ascending */
function barsOf(times: readonly number[], edges: readonly number[], place: (at: number) => number): Bar[] {
  const bars: Bar[] = [];
  let i = 0;
  for (const [n, start] of edges.entries()) {
    const end = edges[n + 1];
    if (end === undefined) break;
    while (i < times.length && (times[i] ?? 0) < start) i += 1;
    const begin = i;
    while (i < times.length && (times[i] ?? 0) < end) i += 1;
    const [from, to] = [times[begin] ?? start, times[i - 1] ?? end];
    if (i > begin) bars.push({ from, to, count: i - begin, below: 0, left: place(start), right: place(end) });
  }
  return bars;
}

function pausesOf(bars: readonly Bar[]): { x: number; seconds: number }[] {
  return bars.flatMap((bar, i) => {
    const before = bars[i - 1];
    if (!before || bar.left - before.right < minPauseWidth) return [];
    return { x: (before.right + bar.left) / 2, seconds: bar.from - before.to };
  });
}

/** Uses the shortest step at which all labels fit. If there are too few ticks, uses a shorter step and omits some ticks. */
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

/** Returns the times on the axis, without those whose labels would be too close to the previous label. */
function apart(times: readonly number[], from: number, to: number, place: (at: number) => number): number[] {
  const kept: number[] = [];
  for (const at of times) {
    const last = kept.at(-1);
    const isApart = last === undefined || place(at) - place(last) >= tickDistance - 8;
    if (at >= from && at <= to && isApart) kept.push(at);
  }
  return kept;
}

/** The first tick in each day or year names it. */
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
