import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

/** The wait that `shortenPauses` does not change. */
export const sleep = timers.setTimeout;

/**
 * Divides the pauses of `setTimeout` of `node:timers/promises` by 50 until the end of the test file. Tests of a poller wait less.
 *
 * @returns the list of the requested pauses in milliseconds, which grows
 */
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
