import * as fc from 'fast-check';
import type { Effect } from '../../lambdas/domain/dogs/dog.ts';
import { sent } from '../support/faults.ts';
import { setLimits, type TestLimits, usageOf } from '../support/limits.ts';
import { interleave } from './interleaving.ts';
import type { Change, CreatedSchedule, Operation } from './operations.ts';
import type { RaceHarness } from './race-harness.ts';
import { anyEffects, race, useRaces } from './races.ts';

useRaces();
afterEach(() => setLimits(undefined));

const hour = 3_600;

/** Sets the limits of the service and of the reference model. */
function limit(harness: RaceHarness, limits: TestLimits): void {
  setLimits(limits);
  harness.model = { ...harness.model, limits: { limitWindowMinutes: 60, ...limits } };
}

/** The limits of the barks or mails of a dog or of its user. */
const limitNames = fc.constantFrom<keyof TestLimits>(
  'barksPerDog',
  'barksPerUser',
  'mailsPerDog',
  'mailsPerUser',
);

const mailing = anyEffects.filter((effects) => effects.some((effect) => effect.startsWith('email')));

function passed(observations: readonly { outcome: string }[]): number {
  return observations.filter(({ outcome }) => outcome !== 'LimitReached').length;
}

/** Returns the highest stored counter of the dog and of its user in the window of the harness. */
async function storedUsage({ id, at }: RaceHarness): Promise<number> {
  const start = at - (at % hour);
  const items = await Promise.all([id, `u#user-of-${id}`].map((one) => usageOf(one, start)));
  return Math.max(...items.flatMap(({ barks = 0, mails = 0 } = {}) => [Number(barks), Number(mails)]));
}

describe('With a limit of N, N pass', () => {
  race(
    'bark against bark',
    { name: limitNames, effects: mailing, max: fc.integer({ min: 1, max: 3 }) },
    async ({ name, effects, max, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      limit(harness, { [name]: max });
      const barks = await harness.runConcurrently([
        harness.actor().bark(),
        harness.actor().bark({ isAsync: true }),
        harness.actor().bark({ inHistory: true }),
      ]);
      expect([passed(barks), await storedUsage(harness)]).toEqual([max, max]);
      expect((await harness.run(harness.actor().bark())).outcome).toBe('LimitReached');
      harness.at += hour;
      expect((await harness.run(harness.actor().bark())).outcome).not.toBe('LimitReached');
    },
  );

  race(
    'bark against a schedule that begins now',
    { name: limitNames, effects: mailing, method: fc.constantFrom('post' as const, 'patch' as const) },
    async ({ name, effects, method, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      limit(harness, { [name]: 1 });
      const actor = harness.actor();
      const set = { post: actor.post(1, 0, 10), patch: actor.patch({ next: 0 }, harness.at) }[method];
      const ends = await harness.runConcurrently([actor.bark(), set]);
      expect([passed(ends), await storedUsage(harness)]).toEqual([1, 1]);
    },
  );

  race('keyed bark against its repeat', { isAsync: fc.boolean() }, async ({ isAsync, createHarness }) => {
    const harness = await createHarness('sync', 'record');
    limit(harness, { barksPerDog: 1 });
    const barks = await harness.runConcurrently([
      harness.actor().keyedBark('a', isAsync),
      harness.actor().keyedBark('a', isAsync),
    ]);
    expect([passed(barks), await storedUsage(harness)]).toEqual([2, 1]);
    expect((await harness.run(harness.actor().keyedBark('b', isAsync))).outcome).toBe('LimitReached');
  });

  race(
    'bark against delete dog',
    {
      name: fc.constantFrom<keyof TestLimits>('barksPerDog', 'barksPerUser'),
      effects: fc.constantFrom<Effect[]>(['record'], ['count']),
    },
    async ({ name, effects, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      limit(harness, { [name]: 1 });
      const actor = harness.actor();
      await harness.runConcurrently([actor.bark(), actor.bark({ isAsync: true }), actor.delete()]);
      expect(await storedUsage(harness)).toBeLessThanOrEqual(1);
    },
  );

  // A synchronous bark with mail is counted before it is stored. The dog can be deleted in between, so the reference model, in which
  // a bark has one effect, cannot explain the results.
  race(
    'bark with mail against delete dog',
    { name: limitNames, effects: mailing },
    async ({ name, effects, order, score, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      limit(harness, { [name]: 1 });
      const actor = harness.actor();
      const operations = [actor.bark(), actor.bark({ isAsync: true }), actor.bark(), actor.delete()];
      const before = sent().length;
      const { ends, trace } = await interleave(operations, order);
      score.count(trace);
      const results = ends.map(({ result }) => result.status === 'fulfilled' && result.value.outcome);
      const accepted = results.filter((outcome) => outcome === 'accepted').length;
      expect(results).not.toContain(false);
      expect(sent().length - before + accepted).toBeLessThanOrEqual(1);
      expect(await storedUsage(harness)).toBeLessThanOrEqual(1);
    },
  );

  race(
    'mail of an occurrence against the mail of a bark',
    { max: fc.integer({ min: 1, max: 2 }) },
    async ({ max, createHarness }) => {
      const harness = await createHarness('sync', 'emailDog', 'record');
      await harness.run(harness.actor().post(1, harness.at + 60, 1));
      const schedule = harness.schedules[0] as CreatedSchedule;
      harness.at += 125;
      limit(harness, { mailsPerDog: max });
      const actor = harness.actor();
      const ends = await harness.runConcurrently([
        actor.fire(schedule, 0),
        actor.fire(schedule, 1),
        actor.bark(),
      ]);
      expect(ends.reduce((total, { mails }) => total + mails, 0)).toBe(max);
      expect(harness.model.dog?.history).toHaveLength(1 + passed(ends.slice(2)) + 1);
    },
  );

  race(
    'barks at the end of a window',
    { max: fc.integer({ min: 1, max: 2 }), effects: mailing },
    async ({ max, effects, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      harness.at += hour - 1;
      limit(harness, { mailsPerDog: max });
      const [before, after] = [harness.actorAhead(0), harness.actorAhead(1)];
      const ends = await harness.runConcurrently([before.bark(), before.bark(), after.bark(), after.bark()]);
      expect([passed(ends.slice(0, 2)), passed(ends.slice(2))]).toEqual([max, max]);
    },
    { daily: 4, thorough: 60 },
  );

  race(
    'many barks, with and without a key',
    { max: fc.integer({ min: 1, max: 6 }), effects: mailing },
    async ({ max, effects, order, score, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      limit(harness, { mailsPerDog: max, mailsPerUser: max });
      const before = sent().length;
      const barks: Change[] = Array.from({ length: 8 }, (_, i) =>
        i % 2 === 0 ? harness.actor().bark() : harness.actor().keyedBark(`key ${i}`, false),
      );
      const { ends, trace } = await interleave(barks as Operation[], order);
      score.count(trace);
      const results = ends.map(({ result }) => result.status === 'fulfilled' && result.value.outcome);
      expect(results.filter((outcome) => outcome === 'LimitReached')).toHaveLength(8 - max);
      expect([sent().length - before, await storedUsage(harness)]).toEqual([max, max]);
    },
  );
});
