import * as fc from 'fast-check';
import { readDogView } from '../../lambdas/domain/barks/queries.ts';
import type { WorkflowInput } from '../../lambdas/domain/platform/step-functions.ts';
import { useDatabase } from '../support/database.ts';
import { injectFaults, plan, reset, standing } from '../support/faults.ts';
import { setLimits } from '../support/limits.ts';
import { skipPauses } from '../support/pauses.ts';
import { anyEffects, type CreateOperation, operations, settings } from './any-operation.ts';
import { isThorough, recordFigures } from './figures.ts';
import { anyOrder, holdCalls, interleave } from './interleaving.ts';
import type { Actor, Operation } from './operations.ts';
import { RaceHarness, Score } from './race-harness.ts';

/** The seed of the properties. To repeat a run, set RACES_SEED to its seed. */
const seed = Number(process.env.RACES_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** How far the clocks of the functions in a race are ahead, in milliseconds. Two clocks differ by up to five seconds. */
const anyClocks = fc.noBias(fc.array(fc.nat({ max: 5_000 }), { minLength: 8, maxLength: 8 }));

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
export const hour = 3_600;
export const context = { now, signal: new AbortController().signal };

/** Returns the number of history entries. Also checks that the count is the same. */
export async function historyLengthOf(dog: string): Promise<number> {
  const { previous, dog: state } = await readDogView(dog, context);
  expect(state.barkCount).toBe(previous.length);
  return previous.length;
}

/** Returns the ID of an asynchronous bark that another operation accepts, as soon as its workflow starts. */
function idOfAcceptedBark(): Promise<string> {
  const started = Promise.withResolvers<string>();
  plan('StartExecution', async ({ body }) => {
    const { input } = JSON.parse(new TextDecoder().decode(body as Uint8Array));
    started.resolve((JSON.parse(input) as WorkflowInput).bark);
  });
  return started.promise;
}

/** The random parts of every race, and the harnesses that use them. */
export interface Race {
  readonly order: readonly number[];
  /** How far the clock of each function is ahead, in milliseconds. */
  readonly clocks: readonly number[];
  /** Runs operations in this interleaving. The reference model does not judge them. */
  run<Result>(
    operations: readonly { readonly name: string; readonly run: () => Promise<Result> }[],
  ): ReturnType<typeof interleave<Result>>;
  createHarness(...of: Parameters<typeof settings>): Promise<RaceHarness>;
}

/**
 * Tests a race in many interleavings and with many combinations of clocks. The thorough suite tests more of them.
 *
 * @param given the random values that differ from race to race
 * @param runs how many times the race runs, and the row to which its figures belong
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
        const run: Race['run'] = async (operations) => {
          const ran = await interleave(operations, order);
          score.count(ran.trace);
          return ran;
        };
        await hold({ ...own, order, clocks, run, createHarness });
        for (const harness of harnesses) await harness.checkEvents(); // @extension events
      };
      try {
        await fc.assert(fc.asyncProperty(everything, runOne), {
          seed,
          numRuns: isThorough ? thorough : daily,
          includeErrorInReport: true,
        });
      } finally {
        recordFigures({ part: 'Races', of: row, figures: score.figures });
      }
    },
    limit,
  );
}

/** A dog, and the operations that can run on it concurrently, in any combination. */
interface Situation<Given> {
  readonly given: { [Key in keyof Given]: fc.Arbitrary<Given[Key]> };
  begin(given: Given & Race): Promise<RaceHarness>;
  readonly operations: readonly (keyof typeof operations)[] | Readonly<Record<string, CreateOperation>>;
}

/**
 * Tests each operation against one or two of the others, or against itself. The reference model judges the results, so a situation
 * needs no expectations.
 */
export function raceAll<Given extends object>(
  of: string,
  { given, begin, ...situation }: Situation<Given>,
): void {
  const list = Object.entries<keyof typeof operations | CreateOperation>(situation.operations).map(
    ([key, value]) =>
      typeof value === 'string'
        ? { name: value, any: operations[value].arbitrary }
        : { name: key, any: fc.constant(value) },
  );
  const others = fc.oneof(...list.map(({ any }) => any));
  const rivals = fc.array(fc.option(others, { freq: 2 }), { minLength: 1, maxLength: 2 });
  describe(of, () => {
    for (const { name, any } of list)
      race(
        `${name} against others`,
        { given: fc.record(given) as fc.Arbitrary<Given>, own: any, rivals },
        async ({ given: values, own, rivals, ...one }) => {
          const harness = await begin({ ...values, ...one });
          const creates = [own, ...rivals.map((rival) => rival ?? own)];
          await harness.runConcurrently(creates.flatMap((create) => create(harness.actor(), harness) ?? []));
          await settle(harness);
        },
        { daily: 7, thorough: 150, row: of },
      );
  });
}

/**
 * A bark that is being accepted, against its execution.
 *
 * @param accept returns the operation of the client that sends the bark, and what to check after the race
 */
export function raceAgainstExecution(
  of: string,
  accept: (actor: Actor) => {
    readonly operation: Operation;
    check?(harness: RaceHarness, bark: string): void;
  },
): void {
  race(
    of,
    {
      effects: anyEffects,
      others: fc.array(fc.constantFrom('perform', 'perform', 'put', 'show'), { minLength: 1, maxLength: 2 }),
    },
    async ({ effects, others, createHarness }) => {
      const harness = await createHarness('async', ...effects);
      const bark = idOfAcceptedBark();
      const actor = harness.actor();
      const created: Readonly<Record<(typeof others)[number], () => Operation>> = {
        perform: () => actor.performBark(bark),
        put: () => actor.put(settings('async', 'record')),
        show: () => actor.show(),
      };
      const { operation, check } = accept(actor);
      await harness.runConcurrently([operation, ...others.map((other) => created[other]())]);
      check?.(harness, await bark);
      await settle(harness);
    },
    { daily: 12 },
  );
}

/**
 * Performs all asynchronous barks, purges all deleted dogs, and fires the latest schedule. Then the dog barks, including in the
 * next window of the limits and after a late complaint, and the clients read everything.
 */
async function settle(harness: RaceHarness): Promise<void> {
  const actor = harness.actor();
  if (!harness.model.dog) await harness.run(actor.put(settings('sync', 'count')));
  for (const bark of Object.keys(harness.model.barks))
    for (const next of [actor.performBark(bark), actor.cancel(bark), actor.showBark(bark)])
      await harness.run(next);
  for (const dog of harness.model.deleted)
    if (!harness.model.purged.includes(dog.incarnation)) await harness.run(actor.purge(dog));
  const latest = harness.schedules.at(-1);
  if (latest && standing(harness.id).includes(latest.standing))
    await harness.run(harness.actorAhead(1).fire(latest, 0));
  await harness.run(actor.bark());
  for (const read of [actor.show(), actor.showLastBark(), actor.showSchedule()]) await harness.run(read);
  const { at, model } = harness;
  harness.at += 2 * hour;
  const { incarnation = '' } = model.dog ?? {};
  const later = harness.actor();
  for (const last of [
    later.feedback(incarnation, ['dog@example.com'], 'complained', at - 4),
    later.bark(),
    later.patch(null, harness.at + 10),
    later.show(),
  ])
    await harness.run(last);
}
