export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The measurements are not accurate enough for more than two decimal places. */
export function ratio(value: number, to: number): string {
  return (value / to).toFixed(2);
}

export function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
