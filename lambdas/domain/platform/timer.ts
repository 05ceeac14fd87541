import { setTimeout } from 'node:timers/promises';

/** Tests replace the method, so that they do not wait. */
export const timer = {
  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    await setTimeout(milliseconds, undefined, { signal });
  },
};
