import * as fc from 'fast-check';
import type { DogSettings, Effect } from '../../lambdas/domain/dogs/dog.ts';
import { useDatabase } from '../support/database.ts';
import { injectFaults, reset } from '../support/faults.ts';
import { isThorough, recordFigures } from './figures.ts';
import { holdCalls } from './interleaving.ts';
import { Score } from './race-harness.ts';

/** The seed of the properties. To repeat a run, set RACES_SEED to its seed. */
const seed = Number(process.env.RACES_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Prepares the database and the hold on calls for the races of a test file, and prints the seed. */
export function useRaces(): void {
  useDatabase();
  beforeAll(() => {
    console.log(`races: seed ${seed}; repeat with RACES_SEED=${seed}`);
    for (const method of ['info', 'warn', 'error'] as const)
      jest.spyOn(console, method).mockImplementation(() => {});
    injectFaults();
    holdCalls();
  });
  beforeEach(reset);
}

/** Tests a race in many interleavings. The thorough suite tests more of them. */
export function race<Given>(
  of: string,
  { runs, given }: { runs: { daily: number; thorough: number }; given: fc.Arbitrary<Given> },
  hold: (given: Given, score: Score) => Promise<void>,
): void {
  const limit = isThorough ? 600_000 : 60_000;
  test(
    of,
    async () => {
      const score = new Score();
      try {
        await fc.assert(
          fc.asyncProperty(given, (one) => hold(one, score)),
          { seed, numRuns: isThorough ? runs.thorough : runs.daily },
        );
      } finally {
        const { interleavings, different, unexplained, lost, doubled, unhandled } = score;
        const figures = { interleavings, different, unexplained, lost, doubled, unhandled };
        recordFigures({ part: 'Races', of, figures });
      }
    },
    limit,
  );
}

const addresses = { email: 'dog@example.com', owner: 'mailto:owner@example.com' };

/** Returns settings with all addresses. */
export function settings(barkHandling: DogSettings['barkHandling'], ...barkEffects: Effect[]): DogSettings {
  return { ...addresses, barkEffects, barkHandling };
}

/** Sets of effects: with and without mail, and with and without the count. */
export const anyEffects = fc.constantFrom<Effect[]>(
  ['record'],
  ['emailDog', 'record'],
  ['count'],
  ['emailOwner', 'count'],
  ['emailDog'],
);

/** Sets of effects that change the dog. */
export const countedEffects = anyEffects.filter((effects) => effects.length > 1 || effects[0] !== 'emailDog');

/** Sets of effects other than the default. A PUT of them changes the dog. */
export const otherThanRecord = anyEffects.filter((effects) => effects.length > 1 || effects[0] !== 'record');
