import { timer } from '../../lambdas/domain/platform/timer.ts';
import { happen } from './during-pauses.ts'; // @extension waiting

/** Ends each pause at once, in all tests of a file. */
export function skipPauses(): void {
  beforeAll(() => {
    jest.spyOn(timer, 'sleep').mockImplementation(async (...pause) => {
      await happen(pause[0]); // @extension waiting
      const [, signal] = pause;
      signal.throwIfAborted();
    });
  });
}
