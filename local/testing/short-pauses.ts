import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

/** The wait that `shortenPauses` does not change. */
export const sleep = timers.setTimeout;

interface ShortPauses {
  /** The requested pauses, in milliseconds. */
  readonly pauses: number[];
  readonly restore: () => void;
}

/** Divides the pauses of `node:timers/promises` by 50 until `restore` is called. */
export function shortenPauses(): ShortPauses {
  const pauses: number[] = [];
  replaceTimer((milliseconds = 0, ...rest) => {
    pauses.push(milliseconds);
    return sleep(milliseconds / 50, ...rest);
  });
  return { pauses, restore: () => replaceTimer(sleep) };
}

function replaceTimer(timer: typeof sleep): void {
  timers.setTimeout = timer;
  syncBuiltinESMExports();
}
