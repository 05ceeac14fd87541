/** The past and coming barks of a dog. Times are in Unix seconds, and `frequency` is in minutes. */
export interface Barks {
  readonly previous?: readonly number[];
  readonly next?: number;
  readonly frequency?: number;
}

/** A bark at a place of the picture, from 0 at the left to 100 at the right. */
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

const shownComing = 8;

/** The spans that the axis labels, in seconds. */
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

/** The minimum distance between two labels, and between a mark and the edge, in the units of the picture. */
const gap = 15;
const margin = 7;

/**
 * Returns the places of the barks around now. The axis is logarithmic on both sides, so that the barks of the last minutes
 * and those of the next years are each apart from their neighbours.
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

/** Returns the next times at which the dog barks on schedule, in Unix seconds. */
export function comingOf({ next, frequency = 0 }: Barks): number[] {
  if (next === undefined) return [];
  const count = frequency > 0 ? shownComing : 1;
  return Array.from({ length: count }, (_, n) => next + n * frequency * 60);
}

/** Returns the function that places a span from now. The first and the last span are at the edges. */
function placing(first: number, last: number): (span: number) => number {
  const stretched = (span: number) => Math.sign(span) * Math.log1p(Math.abs(span) / 30);
  const [low, high] = [stretched(first), stretched(last)];
  return (span) => margin + ((100 - 2 * margin) * (stretched(span) - low)) / (high - low);
}

function ticksOf(place: (span: number) => number, first: number, last: number): Timeline['ticks'] {
  const candidates = [
    ...spans.map(([span, label]) => ({ span: -span, label: `−${label}` })),
    ...spans.map(([span, label]) => ({ span, label: `+${label}` })),
  ].filter(({ span }) => span >= first && span <= last);
  const kept = [{ x: place(0), label: 'now' }];
  for (const { span, label } of candidates) {
    const x = place(span);
    if (kept.every((other) => Math.abs(other.x - x) >= gap)) kept.push({ x, label });
  }
  return kept;
}
