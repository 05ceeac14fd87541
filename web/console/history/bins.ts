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
 * @param times in Unix seconds, in any order
 */
export function binsOf(times: readonly number[]): Bin[] {
  const first = Math.min(...times);
  const last = Math.max(...times);
  const seconds = Math.max(minSeconds, Math.ceil((last - first + 1) / maxBins));
  if (times.length === 0) return [];
  const length = Math.floor((last - first) / seconds) + 1;
  const counts = new Array<number>(length).fill(0);
  for (const time of times) {
    const i = Math.floor((time - first) / seconds);
    counts[i] = (counts[i] ?? 0) + 1;
  }
  return counts.map((count, i) => ({ from: first + i * seconds, count }));
}
