import * as fc from 'fast-check';
import { readBark, readDogView } from '../../lambdas/domain/barks/queries.ts';
import { refreshCredential } from '../../lambdas/domain/credentials/refresh.ts';
import type { Credential } from '../../lambdas/domain/credentials/schema.ts';
import { storeCredential } from '../../lambdas/domain/credentials/store.ts';
import type { WorkflowInput } from '../../lambdas/domain/platform/step-functions.ts';
import { isLive } from '../../lambdas/domain/schedules/schedule.ts';
import {
  clearSecrets,
  plan,
  reset,
  type StandingSchedule,
  secrets,
  sent,
  standing,
} from '../support/faults.ts';
import { occurrenceOf } from '../support/schedules.ts';
import { anyOrder, hold, interleave } from './interleaving.ts';
import type { Operation } from './operations.ts';
import { RaceHarness, Score } from './race-harness.ts';
import { anyEffects, countedEffects, otherThanRecord, race, settings, useRaces } from './races.ts';

useRaces();

const runs = { daily: 13, thorough: 200 };
const order = anyOrder;
const now = Date.UTC(2026, 10, 21, 12);
const context = { now, signal: new AbortController().signal };
/** How far the clock of another function can be ahead, in seconds. */
const ahead = fc.nat({ max: 1 });

/** Creates a harness with a dog that has these settings. */
async function createHarness(score: Score, ...of: Parameters<typeof settings>): Promise<RaceHarness> {
  const harness = new RaceHarness(score);
  await harness.run(harness.actor().put(settings(...of)));
  return harness;
}

/** Returns the count of the dog in the reference model. */
function countOf({ model }: RaceHarness): number | undefined {
  return model.dog?.barkCount;
}

function mailsOf(numbers: readonly { mails: number }[]): number {
  return numbers.reduce((total, { mails }) => total + mails, 0);
}

/** Makes SES throttle the next mail, and forgets the mails that were sent so far. */
function throttleMailOnce(): void {
  reset();
  plan('SendEmail', 'throttled');
}

/** Returns the number of history entries. Also checks that the count is the same. */
async function historyLengthOf(dog: string): Promise<number> {
  const { previous, dog: state } = await readDogView(dog, context);
  expect(state.barkCount).toBe(previous.length);
  return previous.length;
}

test('the same order produces the same interleaving', async () => {
  const [order = []] = fc.sample(anyOrder, { seed: 1, numRuns: 1 });
  const traces: string[][] = [];
  for (let time = 0; time < 3; time++) {
    const harness = await createHarness(new Score(), 'async', 'emailDog', 'record');
    const { bark = '' } = await harness.run(harness.actor().bark());
    const actor = harness.actor();
    const operations = [actor.cancel(bark), actor.performBark(bark), actor.post(1, 0, 10)];
    const { trace } = await interleave(operations, order);
    traces.push(trace);
  }
  expect(traces[0]?.length).toBeGreaterThan(8);
  expect(traces).toEqual([traces[0], traces[0], traces[0]]);
});

describe('An asynchronous bark', () => {
  race(
    'cancel against complete',
    { runs, given: fc.record({ effects: anyEffects, order, ahead }) },
    async ({ effects, order, ahead }, score) => {
      const harness = await createHarness(score, 'async', ...effects);
      const { bark = '' } = await harness.run(harness.actor().bark());
      const [cancelled, taken] = await harness.runConcurrently(
        [harness.actor(ahead).cancel(bark), harness.actor().performBark(bark)],
        order,
      );
      const again = await harness.run(harness.actor().performBark(bark));
      const happened = harness.model.barks[bark]?.status === 'complete';
      expect(cancelled?.outcome).toBe(happened ? 'TooLate' : 'done');
      if (!happened) expect([taken?.mails, again.mails, countOf(harness)]).toEqual([0, 0, 0]);
    },
  );

  race(
    'complete against complete',
    { runs, given: fc.record({ effects: countedEffects, order, more: fc.boolean() }) },
    async ({ effects, order, more }, score) => {
      const harness = await createHarness(score, 'async', ...effects);
      const { bark = '' } = await harness.run(harness.actor().bark());
      const deliveries = Array.from({ length: more ? 3 : 2 }, () => harness.actor().performBark(bark));
      const taken = await harness.runConcurrently(deliveries, order);
      expect([countOf(harness), mailsOf(taken)]).toEqual([1, effects.length - 1]);
    },
  );

  race(
    'complete against fail',
    { runs, given: fc.record({ effects: anyEffects, order, cancelled: fc.boolean() }) },
    async ({ effects, order, cancelled }, score) => {
      const harness = await createHarness(score, 'async', ...effects);
      const { bark = '' } = await harness.run(harness.actor().bark());
      const actor = harness.actor();
      const ends = await harness.runConcurrently(
        [actor.performBark(bark), actor.failBark(bark), ...(cancelled ? [actor.cancel(bark)] : [])],
        order,
      );
      const { status } = harness.model.barks[bark] ?? {};
      if (status !== 'complete') expect([mailsOf(ends), countOf(harness)]).toEqual([0, 0]);
      expect(['complete', 'failed', 'cancelled']).toContain(status);
    },
  );

  race(
    'complete against complete, with SES throttled at first',
    {
      runs,
      given: fc.record({
        order,
        // The clock of the function that fails the bark can be so far ahead that the other's lease seems to be over.
        late: fc.constantFrom(0, 70, 70),
        third: fc.constantFrom(
          'failBark' as const,
          'failBark' as const,
          'cancel' as const,
          'performBark' as const,
        ),
      }),
    },
    async ({ order, late, third }, score) => {
      const harness = await createHarness(score, 'async', 'emailDog', 'record');
      const { bark = '' } = await harness.run(harness.actor().bark());
      const [actor, lateActor] = [harness.actor(), harness.actor(late)];
      throttleMailOnce();
      const { ends, trace } = await interleave(
        [actor.performBark(bark), lateActor.performBark(bark), lateActor[third](bark)],
        order,
      );
      score.count(trace);
      const isComplete = (await readBark(harness.id, bark, context)).status === 'complete';
      expect(await historyLengthOf(harness.id)).toBe(isComplete ? 1 : 0);
      if (isComplete) expect(sent()).toHaveLength(1);
      else expect(sent().length).toBeLessThanOrEqual(1);
      // The function that has sent the mail completes the bark, unless its lease is over.
      const sender = ends.findIndex(
        ({ calls, result }) => calls.includes('SendEmail') && result.status === 'fulfilled',
      );
      if (sender > 0 || (sender === 0 && late === 0)) expect(isComplete).toBe(true);
    },
  );

  race(
    'accept against its own workflow',
    { runs, given: fc.record({ effects: countedEffects, order }) },
    async ({ effects, order }, score) => {
      const harness = await createHarness(score, 'async', ...effects);
      const started = Promise.withResolvers<string>();
      plan('StartExecution', async ({ body }) => {
        const { input } = JSON.parse(new TextDecoder().decode(body as Uint8Array));
        started.resolve((JSON.parse(input) as WorkflowInput).bark);
      });
      const [accepted, taken] = await harness.runConcurrently(
        [harness.actor().bark(), harness.actor().performBark(started.promise)],
        order,
      );
      expect(accepted?.outcome).toBe('accepted');
      if (taken?.outcome === 'NotYet') await harness.run(harness.actor().performBark(await started.promise));
      expect(countOf(harness)).toBe(1);
    },
  );

  race(
    'accept against delete dog',
    { runs, given: fc.record({ effects: anyEffects, order, again: fc.boolean() }) },
    async ({ effects, order, again }, score) => {
      const harness = await createHarness(score, 'async', ...effects);
      const actor = harness.actor();
      const [accepted] = await harness.runConcurrently(
        [actor.bark(), actor.delete(), ...(again ? [actor.put(settings('sync', 'record'))] : [])],
        order,
      );
      if (!harness.model.dog) await harness.run(actor.put(settings('sync', 'record')));
      const { bark } = accepted ?? {};
      const isOfNewIncarnation =
        bark !== undefined && harness.model.barks[bark]?.incarnation === harness.model.dog?.incarnation;
      if (bark === undefined || isOfNewIncarnation) return;
      const taken = await harness.run(actor.performBark(bark));
      expect([taken.mails, countOf(harness)]).toEqual([0, accepted?.outcome === 'accepted' ? 0 : 1]);
      expect((await harness.run(actor.cancel(bark))).outcome).toBe('NotFound');
    },
  );
});

describe('The deletion of a dog', () => {
  const given = fc.record({ effects: countedEffects, order, again: fc.boolean() });

  race('delete dog against bark', { runs, given }, async ({ effects, order, again }, score) => {
    const harness = await createHarness(score, 'sync', ...effects);
    const actor = harness.actor();
    const [, barked] = await harness.runConcurrently(
      [actor.delete(), actor.bark(), ...(again ? [actor.put(settings('sync', 'count'))] : [])],
      order,
    );
    if (!harness.model.dog) await harness.run(actor.put(settings('sync', 'count')));
    const isOfNewIncarnation = barked?.outcome === 'counted' && countOf(harness) === 1;
    if (!isOfNewIncarnation) expect(countOf(harness)).toBe(0);
  });

  race('delete dog against complete', { runs, given }, async ({ effects, order, again }, score) => {
    const harness = await createHarness(score, 'async', ...effects);
    const { bark = '' } = await harness.run(harness.actor().bark());
    const actor = harness.actor();
    await harness.runConcurrently(
      [actor.delete(), actor.performBark(bark), ...(again ? [actor.put(settings('sync', 'count'))] : [])],
      order,
    );
    if (!harness.model.dog) await harness.run(actor.put(settings('sync', 'count')));
    await harness.run(actor.performBark(bark));
    expect([countOf(harness), harness.model.dog?.history]).toEqual([0, []]);
  });

  race(
    'delete dog against schedule',
    { runs, given: fc.record({ order, next: fc.constantFrom(0, 120), again: fc.boolean() }) },
    async ({ order, next, again }, score) => {
      const harness = await createHarness(score, 'sync', 'record');
      const actor = harness.actor();
      await harness.runConcurrently(
        [
          actor.delete(),
          actor.post(1, next && harness.at + next, 10),
          ...(again ? [actor.put(settings('sync', 'count'))] : []),
        ],
        order,
      );
      for (const dog of harness.model.deleted) await harness.run(actor.purge(dog));
      const living = harness.model.dog?.schedule ? 1 : 0;
      expect(standing(harness.id)).toHaveLength(living);
    },
  );

  race(
    'purge against a new dog with the same ID',
    { runs, given: fc.record({ effects: countedEffects, order, late: fc.boolean() }) },
    async ({ effects, order, late }, score) => {
      const harness = await createHarness(score, 'sync', ...effects);
      const actor = harness.actor();
      await harness.run(actor.post(1, 0, 10));
      await harness.run(actor.bark());
      await harness.run(actor.delete());
      const [dog] = harness.model.deleted;
      if (!dog) throw new Error('No dog was deleted.');
      if (!late) await harness.run(actor.put(settings('sync', ...effects)));
      await harness.runConcurrently(
        [
          actor.purge(dog),
          ...(late ? [actor.put(settings('sync', ...effects))] : [actor.bark()]),
          actor.post(1, 0, 20),
        ],
        order,
      );
    },
  );
});

describe('Settings and schedules', () => {
  race(
    'schedule against schedule',
    {
      runs,
      given: fc.record({
        effects: anyEffects,
        order,
        ahead,
        next: fc.constantFrom(0, 120),
        others: fc.subarray(['patch', 'end', 'post'] as const, { minLength: 1, maxLength: 2 }),
      }),
    },
    async ({ effects, order, ahead, next, others }, score) => {
      const harness = await createHarness(score, 'sync', ...effects);
      await harness.run(harness.actor().post(1, harness.at + 60, 10));
      const actor = harness.actor(ahead);
      const operations = {
        patch: actor.patch({ next: next && harness.at + next }, harness.at),
        end: actor.endSchedule(),
        post: actor.post(3, 0, 10),
      };
      const at = next && harness.at + next;
      await harness.runConcurrently(
        [harness.actor().post(2, at, 20), ...others.map((one) => operations[one])],
        order,
      );
      const { dog } = harness.model;
      expect(standing(harness.id)).toHaveLength(dog && isLive(dog) ? 1 : 0);
    },
  );

  race(
    'put against patch',
    {
      runs,
      given: fc.record({ effects: anyEffects, other: anyEffects, order, ahead, ago: fc.nat({ max: 2 }) }),
    },
    async ({ effects, other, order, ahead, ago }, score) => {
      const harness = await createHarness(score, 'sync', ...effects);
      harness.at += 5;
      const [put, patched] = await harness.runConcurrently(
        [
          harness.actor(ahead).put(settings('sync', ...other)),
          harness.actor().patch({ next: 0, frequency: 10 }, harness.at - ago),
        ],
        order,
      );
      expect(put?.outcome).toBe('replaced');
      expect(harness.model.dog?.settings.barkEffects).toEqual(other);
      expect(harness.model.dog?.schedule !== undefined).toBe(patched?.outcome === 'changed');
    },
  );

  race(
    'put against the same put',
    { runs, given: fc.record({ effects: otherThanRecord, order, barks: fc.boolean() }) },
    async ({ effects, order, barks }, score) => {
      const harness = await createHarness(score, 'sync', 'record');
      const { dog: only } = harness.model;
      if (!only) throw new Error('There is no dog.');
      const actor = harness.actor();
      const [one, other] = await harness.runConcurrently(
        [
          actor.put(settings('sync', ...effects), { only }),
          actor.put(settings('async', 'record'), { only }),
          ...(barks ? [actor.bark()] : []),
        ],
        order,
      );
      const made = [one, other].filter((put) => put?.outcome === 'replaced');
      expect(made.length).toBeLessThanOrEqual(1);
      if (!barks) expect(made).toHaveLength(1);
    },
  );

  race(
    'create against create',
    { runs, given: fc.record({ order, deleted: fc.boolean() }) },
    async ({ order, deleted }, score) => {
      const harness = new RaceHarness(score);
      const actor = harness.actor();
      const puts = await harness.runConcurrently(
        [
          actor.put(settings('sync', 'record'), { onlyNew: true }),
          actor.put(settings('sync', 'count'), { onlyNew: true }),
          ...(deleted ? [actor.delete()] : []),
        ],
        order,
      );
      const made = puts.filter(({ outcome }) => outcome === 'created').length;
      expect(made).toBe(1 + harness.model.deleted.length - (harness.model.dog ? 0 : 1));
    },
  );

  race(
    'PATCH against the same PATCH',
    {
      runs,
      given: fc.record({
        effects: countedEffects,
        order,
        ahead,
        ago: fc.nat({ max: 2 }),
        next: fc.constantFrom(0, 120),
      }),
    },
    async ({ effects, order, ahead, ago, next }, score) => {
      const harness = await createHarness(score, 'sync', ...effects);
      harness.at += 5;
      const barks = { next: next && harness.at + next, frequency: 10 };
      const patches = await harness.runConcurrently(
        [harness.actor().patch(barks, harness.at - ago), harness.actor(ahead).patch(barks, harness.at - ago)],
        order,
      );
      expect(patches.map(({ outcome }) => outcome).sort()).toEqual(['changed', 'unchanged']);
      expect(countOf(harness)).toBe(next === 0 ? 1 : 0);
    },
  );

  race(
    'POST against POST with the same token',
    { runs, given: fc.record({ effects: countedEffects, order, ahead, frequency: fc.constantFrom(10, 20) }) },
    async ({ effects, order, ahead, frequency }, score) => {
      const harness = await createHarness(score, 'sync', ...effects);
      const posts = await harness.runConcurrently(
        [harness.actor().post(7, 0, 10), harness.actor(ahead).post(7, 0, frequency)],
        order,
      );
      const refused = frequency === 10 ? 'unchanged' : 'TokenReused';
      expect(posts.map(({ outcome }) => outcome).sort()).toEqual([refused, 'changed'].sort());
      expect([countOf(harness), mailsOf(posts)]).toEqual([1, effects.length - 1]);
    },
  );
});

describe('A bark with an idempotency key', () => {
  race(
    'POST against POST with the same key',
    {
      runs,
      given: fc.record({
        order,
        ahead,
        effect: fc.constantFrom('record' as const, 'count' as const),
        isAsync: fc.boolean(),
        otherIsAsync: fc.boolean(),
      }),
    },
    async ({ order, ahead, effect, isAsync, otherIsAsync }, score) => {
      const harness = await createHarness(score, 'sync', effect);
      const [one, other] = await harness.runConcurrently(
        [harness.actor().keyedBark('a', isAsync), harness.actor(ahead).keyedBark('a', otherIsAsync)],
        order,
      );
      const { barks, dog } = harness.model;
      expect(Object.keys(barks).length + (dog?.barkCount ?? 0)).toBe(1);
      if (isAsync === otherIsAsync) expect(other?.shown).toEqual(one?.shown);
      else expect([one?.outcome, other?.outcome]).toContain('KeyReused');
    },
  );
});

describe('A read', () => {
  /** Returns the operations of a client that reads the dog after its own change. */
  function inTurn(change: Operation, read: Operation): Operation[] {
    const { promise, resolve } = Promise.withResolvers<void>();
    const ended = () => change.run().finally(resolve);
    return [
      { ...change, run: ended },
      { ...read, run: () => promise.then(read.run) },
    ];
  }

  race(
    'GET of the dog after a change, against another change',
    {
      runs,
      given: fc.record({
        order,
        names: fc.shuffledSubarray(['put', 'bark', 'barkAsync', 'post', 'delete', 'create'] as const, {
          minLength: 2,
          maxLength: 2,
        }),
      }),
    },
    async ({ order, names }, score) => {
      const harness = await createHarness(score, 'sync', 'record');
      const actor = harness.actor();
      const operations = {
        put: actor.put(settings('sync', 'count')),
        bark: actor.bark(),
        barkAsync: actor.bark({ isAsync: true }),
        post: actor.post(1, 0, 10),
        delete: actor.delete(),
        create: actor.put(settings('sync', 'count'), { onlyNew: true }),
      };
      const [own, other] = names.map((one) => operations[one]) as [Operation, Operation];
      await harness.runConcurrently([...inTurn(own, actor.show()), other], order);
    },
  );

  race(
    'GET of a bark against its end and delete dog',
    {
      runs,
      given: fc.record({
        effects: anyEffects,
        order,
        end: fc.constantFrom('cancel' as const, 'performBark' as const, 'failBark' as const),
      }),
    },
    async ({ effects, order, end }, score) => {
      const harness = await createHarness(score, 'async', ...effects);
      const { bark = '' } = await harness.run(harness.actor().bark());
      const actor = harness.actor();
      await harness.runConcurrently([actor.showBark(bark), actor[end](bark), actor.delete()], order);
      await harness.run(actor.showBark(bark));
    },
  );
});

describe('An occurrence', () => {
  /** Creates a harness with a dog that barks every minute, starting in 60 seconds. */
  async function harnessBeforeOccurrence(score: Score, ...of: Parameters<typeof settings>) {
    const harness = await createHarness(score, ...of);
    await harness.run(harness.actor().post(1, harness.at + 60, 1));
    const [schedule] = harness.schedules as [StandingSchedule];
    return { harness, schedule };
  }

  /** Creates a harness with a dog whose first two occurrences are due. */
  async function harnessAfterOccurrences(score: Score, ...of: Parameters<typeof settings>) {
    const { harness, schedule } = await harnessBeforeOccurrence(score, ...of);
    harness.at += 125;
    return { harness, schedule };
  }

  race(
    'occurrence against the same occurrence',
    { runs, given: fc.record({ effects: countedEffects, order, more: fc.boolean() }) },
    async ({ effects, order, more }, score) => {
      const { harness, schedule } = await harnessAfterOccurrences(score, 'sync', ...effects);
      const deliveries = Array.from({ length: more ? 3 : 2 }, () => harness.actor().fire(schedule, 0));
      const fired = await harness.runConcurrently(deliveries, order);
      expect([countOf(harness), mailsOf(fired)]).toEqual([1, effects.length - 1]);
    },
  );

  race(
    'occurrence against the same occurrence, with SES throttled at first',
    { runs, given: fc.record({ order }) },
    async ({ order }, score) => {
      const { harness, schedule } = await harnessAfterOccurrences(score, 'sync', 'emailDog', 'record');
      const fire = harness.actor().fire(schedule, 0);
      throttleMailOnce();
      const { trace } = await interleave([fire, fire, fire], order);
      score.count(trace);
      await fire.run();
      expect([await historyLengthOf(harness.id), sent().length]).toEqual([1, 1]);
    },
  );

  race(
    'occurrence against PATCH',
    {
      runs,
      given: fc.record({
        effects: countedEffects,
        order,
        ahead,
        barks: fc.constantFrom(null, { next: 0 }, { frequency: 5 }, { frequency: 0 }),
      }),
    },
    async ({ effects, order, ahead, barks }, score) => {
      const { harness, schedule } = await harnessAfterOccurrences(score, 'sync', ...effects);
      const fire = harness.actor().fire(schedule, 0);
      await harness.runConcurrently([fire, harness.actor(ahead).patch(barks, harness.at)], order);
      const before = countOf(harness);
      await harness.run(harness.actor().fire(schedule, 1));
      expect(countOf(harness)).toBe(before);
    },
  );

  race(
    'occurrence against a PATCH that keeps its time',
    { runs, given: fc.record({ effects: countedEffects, order, frequency: fc.constantFrom(0, 5) }) },
    async ({ effects, order, frequency }, score) => {
      const { harness, schedule } = await harnessBeforeOccurrence(score, 'sync', ...effects);
      harness.at += 59;
      const fire = harness.actor(1).fire(schedule, 0);
      await harness.runConcurrently([fire, harness.actor().patch({ frequency }, harness.at)], order);
      await harness.run(harness.actor(1).fire(harness.schedules.at(-1) as StandingSchedule, 0));
      const { history = [] } = harness.model.dog ?? {};
      expect(history).toEqual([...new Set(history)]);
      expect(history.map((entry) => Number.parseInt(entry, 10))).toContain(
        occurrenceOf(schedule).firstScheduledAt,
      );
    },
  );

  race(
    'occurrence, which may be the only one, against the end of its schedule',
    {
      runs,
      given: fc.record({
        order,
        frequency: fc.constantFrom(null, 1),
        end: fc.constantFrom('PATCH' as const, 'DELETE' as const),
      }),
    },
    async ({ order, frequency, end }, score) => {
      const harness = await createHarness(score, 'sync', 'record');
      await harness.run(harness.actor().post(1, harness.at + 60, frequency));
      const [schedule] = harness.schedules as [StandingSchedule];
      harness.at += 65;
      const actor = harness.actor();
      const ends = { PATCH: actor.patch(null, harness.at), DELETE: actor.endSchedule() };
      const [, ended] = await harness.runConcurrently([actor.fire(schedule, 0), ends[end]], order);
      if (frequency === null && countOf(harness) === 1) expect(ended?.outcome).not.toBe('changed');
    },
  );

  race(
    'occurrence against a later one and put',
    { runs, given: fc.record({ effects: anyEffects, other: anyEffects, order }) },
    async ({ effects, other, order }, score) => {
      const { harness, schedule } = await harnessAfterOccurrences(score, 'sync', ...effects);
      const actor = harness.actor();
      await harness.runConcurrently(
        [actor.fire(schedule, 0), actor.fire(schedule, 1), actor.put(settings('sync', ...other))],
        order,
      );
      expect(harness.model.dog?.history).toHaveLength(2);
    },
  );

  race(
    'occurrence against delete dog',
    { runs, given: fc.record({ effects: countedEffects, order, again: fc.boolean() }) },
    async ({ effects, order, again }, score) => {
      const { harness, schedule } = await harnessAfterOccurrences(score, 'sync', ...effects);
      const actor = harness.actor();
      await harness.runConcurrently(
        [actor.fire(schedule, 0), actor.delete(), ...(again ? [actor.put(settings('sync', 'record'))] : [])],
        order,
      );
      if (!harness.model.dog) await harness.run(actor.put(settings('sync', 'record')));
      await harness.run(actor.fire(schedule, 1));
      expect(countOf(harness)).toBe(0);
    },
  );
});

describe('A credential', () => {
  const own = { name: 'own', client: 'own-client', credential: 'own-credential' };
  const client = { auth_url: 'http://127.0.0.1:1', client_id: 'walker', client_secret: 'hush' };
  const { fetch } = globalThis;
  let issued = 0;

  /** Returns a token endpoint. A rotating endpoint sends a new refresh token with each access token. */
  const endpoint = (rotates: boolean) => () =>
    hold('token endpoint', async () => {
      issued += 1;
      const { access_token, refresh_token } = issue(issued);
      return Response.json({
        access_token,
        token_type: 'Bearer',
        expires_in: 3599,
        ...(rotates && { refresh_token }),
      });
    });

  const issue = (n: number, refresh_token = `refresh-${n}`): Credential => ({
    access_token: `token-${n}`,
    token_type: 'Bearer',
    expires_in: 3599,
    refresh_token,
    created: now / 1000,
  });

  const stored = (): Credential => JSON.parse(secrets.get(own.credential) ?? '');

  function begin(rotates: boolean): void {
    clearSecrets();
    issued = 0;
    globalThis.fetch = endpoint(rotates);
    secrets.set(own.client, JSON.stringify(client));
    secrets.set(own.credential, JSON.stringify({ ...issue(0), created: now / 1000 - 3000 }));
  }

  afterAll(() => {
    globalThis.fetch = fetch;
  });

  const refresh = { name: 'refresh', run: () => refreshCredential(own, context) };

  race(
    'refresh against refresh',
    { runs, given: fc.record({ order, rotates: fc.boolean(), more: fc.boolean() }) },
    async ({ order, rotates, more }, score) => {
      begin(rotates);
      const { ends, trace } = await interleave(
        more ? [refresh, refresh, refresh] : [refresh, refresh],
        order,
      );
      score.count(trace);
      const outcomes = ends.map(({ result }) => result.status === 'fulfilled' && result.value);
      expect(outcomes).toContain('refreshed');
      expect(outcomes.every((outcome) => outcome === 'refreshed' || outcome === 'fresh')).toBe(true);
      const possible = Array.from({ length: issued }, (_, i) =>
        issue(i + 1, rotates ? undefined : 'refresh-0'),
      );
      expect(possible).toContainEqual(stored());
    },
  );

  race(
    'refresh against a credential that the operator stores',
    { runs, given: fc.record({ order, rotates: fc.boolean() }) },
    async ({ order, rotates }, score) => {
      begin(rotates);
      const store = { name: 'store', run: () => storeCredential(own, client, 'theirs', context) };
      const { ends, trace } = await interleave<unknown>([refresh, store], order);
      score.count(trace);
      expect(ends.map(({ result }) => result.status)).toEqual(['fulfilled', 'fulfilled']);
      const isSeen = trace.indexOf('store: PutSecretValue') < trace.lastIndexOf('refresh: GetSecretValue');
      const theirs = [1, 2].map((n) => issue(n, rotates ? undefined : 'theirs'));
      const refreshed = [1, 2].map((n) => issue(n, rotates ? undefined : 'refresh-0'));
      expect(isSeen ? theirs : [...theirs, ...refreshed]).toContainEqual(stored());
    },
  );
});
