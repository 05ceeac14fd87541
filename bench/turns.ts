import { median } from '../tools/statistics.ts';

/** What is measured, for about so many seconds: how often a second it was done. */
export type Subject = (seconds: number) => Promise<number>;

/**
 * Measures subjects in turns, so that what disturbs the machine disturbs them all.
 *
 * @param rounds how often each is measured, and for how many seconds each time, after it was warmed up
 * @returns the median of each
 */
export async function inTurns<Name extends string>(
  subjects: Readonly<Record<Name, Subject>>,
  { warmUp, rounds, seconds }: { warmUp: number; rounds: number; seconds: number },
): Promise<Record<Name, number>> {
  const entries = Object.entries<Subject>(subjects).map(([name, subject]) => ({
    name,
    subject,
    rates: [] as number[],
  }));
  for (const { subject } of entries) await subject(warmUp);
  for (let round = 0; round < rounds; round++)
    for (const { subject, rates } of entries) rates.push(await subject(seconds));
  return Object.fromEntries(entries.map(({ name, rates }) => [name, median(rates)])) as Record<Name, number>;
}

/** Does work for a while, some of it side by side. @returns how often a second it was done */
export async function rateOf(
  work: () => Promise<unknown>,
  seconds: number,
  concurrency: number,
): Promise<number> {
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  let done = 0;
  const lane = async () => {
    for (; elapsed() < seconds; done++) await work();
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return done / elapsed();
}
