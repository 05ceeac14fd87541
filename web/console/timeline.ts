/** The barks of a dog. Times are Unix seconds, and the frequency is in minutes. */
export interface Barks {
  readonly previous?: readonly number[];
  readonly next?: number;
  readonly frequency?: number;
}

/** A time in Unix seconds and its position on the axis, from 0 (left) to 100 (right). */
interface Mark {
  readonly at: number;
  readonly x: number;
}

export interface Timeline {
  readonly now: number;
  readonly past: readonly Mark[];
  readonly coming: readonly Mark[];
  readonly ticks: readonly { readonly x: number; readonly label: string }[];
}

/** The largest number of future barks on the timeline. */
const maxComing = 8;

/** The distances from now that the axis labels, in seconds. */
const spans = [
  [60, '1 min'],
  [600, '10 min'],
  [3_600, '1 h'],
  [86_400, '1 day'],
  [604_800, '1 week'],
  [2_592_000, '30 days'],
  [31_536_000, '1 year'],
  [315_360_000, '10 years'],
] as const;

/** The smallest distance between two labels of the axis. */
const labelDistance = 15;
/** The smallest distance of a mark from the edge. */
const edgeDistance = 7;

/**
 * Returns the positions of the barks. The axis is logarithmic on both sides of now, so that both recent barks and barks in a
 * year are visibly apart from their neighbors.
 */
export function timelineOf(barks: Barks, now: number): Timeline {
  const past = (barks.previous ?? []).map((at) => at);
  const coming = comingOf(barks);
  const first = Math.min(now - 600, ...past);
  const last = Math.max(now + (coming.length > 0 ? 600 : 20), ...past, ...coming);
  const place = placing(first - now, last - now);
  const mark = (at: number) => ({ at, x: place(at - now) });
  return {
    now: place(0),
    past: past.map(mark),
    coming: coming.map(mark),
    ticks: ticksOf(place, first - now, last - now),
  };
}

/** Returns the next occurrences of the schedule in Unix seconds. */
export function comingOf({ next, frequency = 0 }: Barks): number[] {
  if (next === undefined) return [];
  const count = frequency > 0 ? maxComing : 1;
  return Array.from({ length: count }, (_, n) => next + n * frequency * 60);
}

/** Returns a function that maps a distance to its position. The first and the last distance are at the edges. */
function placing(first: number, last: number): (span: number) => number {
  const stretched = (span: number) => Math.sign(span) * Math.log1p(Math.abs(span) / 30);
  const [low, high] = [stretched(first), stretched(last)];
  return (span) => edgeDistance + ((100 - 2 * edgeDistance) * (stretched(span) - low)) / (high - low);
}

function ticksOf(place: (span: number) => number, first: number, last: number): Timeline['ticks'] {
  const candidates = [
    ...spans.map(([span, label]) => ({ span: -span, label: `−${label}` })),
    ...spans.map(([span, label]) => ({ span, label: `+${label}` })),
  ].filter(({ span }) => span >= first && span <= last);
  const kept = [{ x: place(0), label: 'now' }];
  for (const { span, label } of candidates) {
    const x = place(span);
    if (kept.every((other) => Math.abs(other.x - x) >= labelDistance)) kept.push({ x, label });
  }
  return kept;
}
