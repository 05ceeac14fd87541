/** When a dog barked, and when it will; Unix seconds, and minutes. */
export interface Barks {
  readonly previous?: readonly number[];
  readonly next?: number;
  readonly frequency?: number;
}

/** A place on the picture, from 0 at its left to 100 at its right. */
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

/** Spans that are told on the axis, in seconds. */
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

/** How near two words of the axis may be, and how near to the edge a mark. */
const gap = 15;
const margin = 7;

/**
 * Places barks around now. The axis is logarithmic to both sides, so that a bark of a minute ago and one of next year are
 * both told apart from their neighbours.
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

/** The next times at which the dog barks by its schedule. */
export function comingOf({ next, frequency = 0 }: Barks): number[] {
  if (next === undefined) return [];
  const count = frequency > 0 ? shownComing : 1;
  return Array.from({ length: count }, (_, n) => next + n * frequency * 60);
}

/** The place of each span from now, where the first and the last are at the edges. */
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
