import { setTimeout as sleep } from 'node:timers/promises';

/** Calls a function until it succeeds. @throws the last error if the function does not succeed before the deadline */
export async function eventually<Result>(
  attempt: () => Promise<Result>,
  { deadline = 15_000, interval = 50 }: { deadline?: number; interval?: number } = {},
): Promise<Result> {
  const end = performance.now() + deadline;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(interval);
  }
}
