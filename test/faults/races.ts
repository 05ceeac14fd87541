import * as fc from 'fast-check';
import { readDogView } from '../../lambdas/domain/barks/queries.ts';
import type { DogSettings, Effect } from '../../lambdas/domain/dogs/dog.ts';
import { useDatabase } from '../support/database.ts';
import { injectFaults, plan, reset } from '../support/faults.ts';
import { setLimits } from '../support/limits.ts';
import { skipPauses } from '../support/pauses.ts';
import { isThorough, recordFigures } from './figures.ts';
import { anyOrder, holdCalls } from './interleaving.ts';
import type { Actor, Observation, Operation } from './operations.ts';
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

/** The random parts of every race, and the harnesses that use them. */
export interface Race {
  /** The interleaving of the concurrent operations. */
  readonly order: readonly number[];
  /** How far the clock of each function is ahead, in milliseconds. */
  readonly clocks: readonly number[];
  readonly score: Score;
  /** Creates a harness with a dog that has these settings. */
  createHarness(...of: Parameters<typeof settings>): Promise<RaceHarness>;
}

/**
 * Tests a race in many interleavings and with many combinations of clocks. The thorough suite tests more of them.
 *
 * @param given the random values that differ from race to race
 * @param runs how often the race runs, and the row of the figures to which they belong
 */
export function race<Given extends object>(
  of: string,
  given: { [Key in keyof Given]: fc.Arbitrary<Given[Key]> },
  hold: (given: Given & Race) => Promise<void>,
  {
    daily = 6,
    thorough = 200,
    row = of,
  }: { readonly daily?: number; readonly thorough?: number; readonly row?: string } = {},
): void {
  const limit = isThorough ? 600_000 : 60_000;
  const everything = fc.tuple(fc.record(given), fc.record({ order: anyOrder, clocks: anyClocks }));
  test(
    of,
    async () => {
      const score = new Score();
      const runOne = async ([own, { order, clocks }]: [Given, Pick<Race, 'order' | 'clocks'>]) => {
        const harnesses: RaceHarness[] = [];
        const createHarness: Race['createHarness'] = async (...settingsOfDog) => {
          const harness = new RaceHarness(score, { order, clocks });
          harnesses.push(harness);
          await harness.run(harness.actorAhead(0).put(settings(...settingsOfDog)));
          return harness;
        };
        setLimits(undefined);
        await hold({ ...own, order, clocks, score, createHarness });
        for (const harness of harnesses) await harness.checkEvents();
      };
      try {
        await fc.assert(fc.asyncProperty(everything, runOne), {
          seed,
          numRuns: isThorough ? thorough : daily,
          includeErrorInReport: true,
        });
      } finally {
        const { interleavings, different, unexplained, lost, doubled, unhandled, events } = score;
        const figures = { interleavings, different, unexplained, lost, doubled, unhandled, events };
        recordFigures({ part: 'Races', of: row, figures });
      }
    },
    limit,
  );
}

type Operations<Scene> = Readonly<Record<string, (actor: Actor, scene: Scene) => Operation>>;

/** A dog, and the operations that can run on it concurrently, in any combination. */
interface Situation<Given, Scene> {
  /** The random values that differ from situation to situation. */
  readonly given: { [Key in keyof Given]: fc.Arbitrary<Given[Key]> };
  begin(given: Given & Race): Promise<Scene>;
  readonly operations: Operations<Scene>;
  /** The operations of which exactly one takes part. By default, there are none. */
  readonly alone?: Operations<Scene>;
  /** Runs further operations after the concurrent ones. */
  end(scene: Scene, ends: readonly Observation[]): Promise<void>;
}

/**
 * Tests each operation against one or two of the others, or against itself. The reference model judges the results, so a situation
 * needs no expectations.
 */
export function raceAll<Given extends object, Scene extends { harness: RaceHarness; actor?: Actor }>(
  of: string,
  { given, begin, operations, alone, end }: Situation<Given, Scene>,
): void {
  const rivals = fc.array(fc.constantFrom(...Object.values(operations)), { minLength: 1, maxLength: 2 });
  describe(of, () => {
    for (const [name, operation] of Object.entries(alone ?? operations))
      race(
        `${name} against others`,
        { given: fc.record(given) as fc.Arbitrary<Given>, rivals },
        async ({ given: values, rivals: others, ...one }) => {
          const scene = await begin({ ...values, ...one });
          const create = (of: typeof operation) => of(scene.actor ?? scene.harness.actor(), scene);
          await end(scene, await scene.harness.runConcurrently([operation, ...others].map(create)));
        },
        { daily: 4, thorough: 100, row: of },
      );
  });
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
