/** Runs a workload for about this many seconds. Returns its rate per second. */
export type Subject = (seconds: number) => Promise<number>;

/**
 * Measures several workloads in turn, so that other load on the machine affects all of them equally.
 *
 * @param rounds how many times each workload is measured, for `seconds` each time, after a warm-up of `warmUp` seconds
 * @returns each workload's rates, one per round
 */
export async function inTurns<Subjects extends Readonly<Record<string, Subject | undefined>>>(
  subjects: Subjects,
  { warmUp, rounds, seconds }: { warmUp: number; rounds: number; seconds: number },
): Promise<{ [Name in keyof Subjects]: number[] }> {
  const entries = Object.entries(subjects).flatMap(([name, subject]) =>
    subject ? [{ name, subject, rates: [] as number[] }] : [],
  );
  for (const { subject } of entries) await subject(warmUp);
  for (let round = 0; round < rounds; round++)
    for (const { subject, rates } of entries) rates.push(await subject(seconds));
  return Object.fromEntries(entries.map(({ name, rates }) => [name, rates])) as {
    [Name in keyof Subjects]: number[];
  };
}

/** Returns how often `work` runs per second with the given number of concurrent runs. */
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
