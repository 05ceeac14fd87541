import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

/** The wait that `shortenPauses` does not change. */
export const sleep = timers.setTimeout;

/** Divides the pauses of `node:timers/promises` by 50 in a test file. Returns the requested pauses, in milliseconds. */
export function shortenPauses(): number[] {
  const pauses: number[] = [];
  const shortened = jest.spyOn(timers, 'setTimeout').mockImplementation((milliseconds = 0, ...rest) => {
    pauses.push(milliseconds);
    return sleep(milliseconds / 50, ...rest);
  });
  syncBuiltinESMExports();
  afterAll(() => {
    shortened.mockRestore();
    syncBuiltinESMExports();
  });
  return pauses;
}
