import { setTimeout } from 'node:timers/promises';

/** The timer for long waits. Tests replace its method, so that they do not wait. */
export const timer = {
  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    await setTimeout(milliseconds, undefined, { signal });
  },
};
