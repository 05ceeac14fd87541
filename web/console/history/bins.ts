/** A bar of the chart. `from` is in Unix seconds. */
export interface Bin {
  readonly from: number;
  readonly count: number;
}

const maxBins = 48;
const minSeconds = 60;

/**
 * Divides the time between the first and the last bark into equal parts.
 *
 * @param times in Unix seconds, in any order, at least one
 */
export function binsOf(times: readonly number[]): Bin[] {
  const first = times.reduce((a, b) => Math.min(a, b));
  const last = times.reduce((a, b) => Math.max(a, b));
  const seconds = Math.max(minSeconds, Math.ceil((last - first + 1) / maxBins));
  const length = Math.floor((last - first) / seconds) + 1;
  const counts = new Array<number>(length).fill(0);
  for (const time of times) {
    const i = Math.floor((time - first) / seconds);
    counts[i] = (counts[i] ?? 0) + 1;
  }
  return counts.map((count, i) => ({ from: first + i * seconds, count }));
}
