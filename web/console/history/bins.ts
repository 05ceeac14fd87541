/** A bar of the chart. `from` and `to` are in Unix seconds. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

type Step = { readonly unit: 'day' | 'minute' | 'month'; readonly count: number };

const steps: readonly (Step & { readonly name: string })[] = [
  { unit: 'minute', count: 1, name: 'minute' },
  { unit: 'minute', count: 10, name: '10 minutes' },
  { unit: 'minute', count: 60, name: 'hour' },
  { unit: 'day', count: 1, name: 'day' },
  { unit: 'day', count: 7, name: 'week' },
  { unit: 'month', count: 1, name: 'month' },
  { unit: 'month', count: 12, name: 'year' },
];

const maxBins = 60;

/**
 * Divides the time between the first and the last bark into equal steps of the device's time zone.
 *
 * @param times in Unix seconds, in any order
 */
export function binsOf(times: readonly number[]): { readonly step: string; readonly bins: readonly Bin[] } {
  const first = times.reduce((a, b) => Math.min(a, b), Number.MAX_SAFE_INTEGER);
  const last = times.reduce((a, b) => Math.max(a, b), 0);
  for (const step of steps) {
    const edges = edgesOf(first, last, step);
    if (edges === undefined && step !== steps.at(-1)) continue;
    const [start = first, ...ends] = edges ?? [];
    const bins = ends.map((to, i) => {
      const from = ends[i - 1] ?? start;
      return { from, to, count: times.filter((time) => from <= time && time < to).length };
    });
    return { step: step.name, bins };
  }
  return { step: '', bins: [] };
}

/** Returns the edges of the bins, or undefined if there are too many. */
function edgesOf(first: number, last: number, { unit, count }: Step): number[] | undefined {
  const start = new Date(first * 1000);
  start.setSeconds(0, 0);
  if (unit === 'minute')
    start.setMinutes(count === 60 ? 0 : start.getMinutes() - (start.getMinutes() % count));
  else start.setHours(0, 0);
  if (count === 7) start.setDate(start.getDate() - ((start.getDay() + 6) % 7));
  if (unit === 'month') start.setMonth(count === 12 ? 0 : start.getMonth(), 1);
  const edges = [start.getTime() / 1000];
  for (let n = 1; (edges.at(-1) ?? 0) <= last; n++) {
    if (n > maxBins) return undefined;
    const next = new Date(start);
    if (unit === 'minute') next.setTime(start.getTime() + n * count * 60_000);
    if (unit === 'day') next.setDate(start.getDate() + n * count);
    if (unit === 'month') next.setMonth(start.getMonth() + n * count);
    edges.push(next.getTime() / 1000);
  }
  return edges;
}
