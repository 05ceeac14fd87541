import * as fc from 'fast-check';
import { readDogView } from '../../lambdas/domain/barks/queries.ts';
import type { DogSettings, Effect } from '../../lambdas/domain/dogs/dog.ts';
import { useDatabase } from '../support/database.ts';
import { injectFaults, plan, reset } from '../support/faults.ts';
import { skipPauses } from '../support/pauses.ts';
import { isThorough, recordFigures } from './figures.ts';
import { anyOrder, holdCalls } from './interleaving.ts';
import { RaceHarness, Score } from './race-harness.ts';

/** The seed of the properties. To repeat a run, set RACES_SEED to its seed. */
const seed = Number(process.env.RACES_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** How far the clocks of the functions in a race are ahead, in milliseconds. Two clocks differ by up to five seconds. */
const anyClocks = fc.noBias(fc.array(fc.nat({ max: 5_000 }), { minLength: 8, maxLength: 8 }));

/** Prepares the database and the hold on calls for the races of a test file, and prints the seed. */
export function useRaces(): void {
  useDatabase();
  skipPauses();
  beforeAll(() => {
    console.log(`races: seed ${seed}; repeat with RACES_SEED=${seed}`);
    for (const method of ['info', 'warn', 'error'] as const)
      jest.spyOn(console, method).mockImplementation(() => {});
    injectFaults();
    holdCalls();
  });
  beforeEach(reset);
}

/** The time of the model when a race begins, in milliseconds since 1970. */
export const now = Date.UTC(2026, 10, 21, 12);
export const context = { now, signal: new AbortController().signal };

/** Returns the count of the dog in the reference model. */
export function countOf({ model }: RaceHarness): number | undefined {
  return model.dog?.barkCount;
}

export function mailsOf(numbers: readonly { mails: number }[]): number {
  return numbers.reduce((total, { mails }) => total + mails, 0);
}

/** Makes SES throttle the next mail, and forgets the mails that were sent so far. */
export function throttleMailOnce(): void {
  reset();
  plan('SendRawEmail', 'throttled');
}

/** Returns the number of history entries. Also checks that the count is the same. */
export async function historyLengthOf(dog: string): Promise<number> {
  const { previous, dog: state } = await readDogView(dog, context);
  expect(state.barkCount).toBe(previous.length);
  return previous.length;
}

/** The random parts of every race, and the harness that uses them. */
export interface Race {
  /** The interleaving of the concurrent operations. */
  readonly order: readonly number[];
  /** How far the clock of each function is ahead, in milliseconds. */
  readonly clocks: readonly number[];
  readonly score: Score;
  /** Creates a harness without a dog. */
  newHarness(): RaceHarness;
  /** Creates a harness with a dog that has these settings. */
  createHarness(...of: Parameters<typeof settings>): Promise<RaceHarness>;
}

/**
 * Tests a race in many interleavings and with many combinations of clocks. The thorough suite tests more of them.
 *
 * @param given the random values that differ from race to race
 */
export function race<Given extends object>(
  of: string,
  given: { [Key in keyof Given]: fc.Arbitrary<Given[Key]> },
  hold: (given: Given & Race) => Promise<void>,
  runs = { daily: 6, thorough: 200 },
): void {
  const limit = isThorough ? 600_000 : 60_000;
  const everything = fc.tuple(fc.record(given), fc.record({ order: anyOrder, clocks: anyClocks }));
  test(
    of,
    async () => {
      const score = new Score();
      const runOne = async ([own, { order, clocks }]: [Given, Pick<Race, 'order' | 'clocks'>]) => {
        const harnesses: RaceHarness[] = [];
        const newHarness = () => {
          const harness = new RaceHarness(score, { order, clocks });
          harnesses.push(harness);
          return harness;
        };
        const createHarness: Race['createHarness'] = async (...settingsOfDog) => {
          const harness = newHarness();
          await harness.run(harness.actorAhead(0).put(settings(...settingsOfDog)));
          return harness;
        };
        await hold({ ...own, order, clocks, score, newHarness, createHarness });
        for (const harness of harnesses) await harness.checkEvents();
      };
      try {
        await fc.assert(fc.asyncProperty(everything, runOne), {
          seed,
          numRuns: isThorough ? runs.thorough : runs.daily,
        });
      } finally {
        const { interleavings, different, unexplained, lost, doubled, unhandled, events } = score;
        const figures = { interleavings, different, unexplained, lost, doubled, unhandled, events };
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
