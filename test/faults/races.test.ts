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
import { Kennel, Score } from './race-harness.ts';
import { anyEffects, countedEffects, otherThanRecord, race, settings, useRaces } from './races.ts';

useRaces();

const runs = { daily: 13, thorough: 200 };
const order = anyOrder;
const now = Date.UTC(2026, 10, 21, 12);
const context = { now, signal: new AbortController().signal };
/** How far ahead another function's clock may be, in seconds. */
const ahead = fc.nat({ max: 1 });

/** A kennel with a dog that has these settings. */
async function kennelOf(score: Score, ...of: Parameters<typeof settings>): Promise<Kennel> {
  const kennel = new Kennel(score);
  await kennel.alone(kennel.keeper().put(settings(...of)));
  return kennel;
}

/** How many barks the dog has counted. */
function countOf({ world }: Kennel): number | undefined {
  return world.dog?.barkCount;
}

function sum(numbers: readonly { mails: number }[]): number {
  return numbers.reduce((total, { mails }) => total + mails, 0);
}

/** Has the mail service refuse the next mail for its rate, and forget those that it took. */
function mailIsBusyOnce(): void {
  reset();
  plan('SendEmail', 'throttled');
}

/** How many barks the service has noted, which must be as many as it has counted. */
async function noted(dog: string): Promise<number> {
  const { previous, dog: state } = await readDogView(dog, context);
  expect(state.barkCount).toBe(previous.length);
  return previous.length;
}

test('The same order makes the same interleaving', async () => {
  const [order = []] = fc.sample(anyOrder, { seed: 1, numRuns: 1 });
  const traces: string[][] = [];
  for (let time = 0; time < 3; time++) {
    const kennel = await kennelOf(new Score(), 'async', 'emailDog', 'record');
    const { bark = '' } = await kennel.alone(kennel.keeper().bark());
    const keeper = kennel.keeper();
    const operations = [keeper.cancel(bark), keeper.takeEffect(bark), keeper.post(1, 0, 10)];
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
      const kennel = await kennelOf(score, 'async', ...effects);
      const { bark = '' } = await kennel.alone(kennel.keeper().bark());
      const [cancelled, taken] = await kennel.together(
        [kennel.keeper(ahead).cancel(bark), kennel.keeper().takeEffect(bark)],
        order,
      );
      const again = await kennel.alone(kennel.keeper().takeEffect(bark));
      const happened = kennel.world.barks[bark]?.status === 'complete';
      expect(cancelled?.outcome).toBe(happened ? 'TooLate' : 'done');
      if (!happened) expect([taken?.mails, again.mails, countOf(kennel)]).toEqual([0, 0, 0]);
    },
  );

  race(
    'complete against complete',
    { runs, given: fc.record({ effects: countedEffects, order, more: fc.boolean() }) },
    async ({ effects, order, more }, score) => {
      const kennel = await kennelOf(score, 'async', ...effects);
      const { bark = '' } = await kennel.alone(kennel.keeper().bark());
      const deliveries = Array.from({ length: more ? 3 : 2 }, () => kennel.keeper().takeEffect(bark));
      const taken = await kennel.together(deliveries, order);
      expect([countOf(kennel), sum(taken)]).toEqual([1, effects.length - 1]);
    },
  );

  race(
    'complete against give up',
    { runs, given: fc.record({ effects: anyEffects, order, cancelled: fc.boolean() }) },
    async ({ effects, order, cancelled }, score) => {
      const kennel = await kennelOf(score, 'async', ...effects);
      const { bark = '' } = await kennel.alone(kennel.keeper().bark());
      const keeper = kennel.keeper();
      const ends = await kennel.together(
        [keeper.takeEffect(bark), keeper.giveUp(bark), ...(cancelled ? [keeper.cancel(bark)] : [])],
        order,
      );
      const { status } = kennel.world.barks[bark] ?? {};
      if (status !== 'complete') expect([sum(ends), countOf(kennel)]).toEqual([0, 0]);
      expect(['complete', 'failed', 'cancelled']).toContain(status);
    },
  );

  race(
    'complete against complete, where mail is busy at first',
    {
      runs,
      given: fc.record({
        order,
        // The clock of who gives up may be so wrong that it finds the time over that another has.
        late: fc.constantFrom(0, 70, 70),
        third: fc.constantFrom(
          'giveUp' as const,
          'giveUp' as const,
          'cancel' as const,
          'takeEffect' as const,
        ),
      }),
    },
    async ({ order, late, third }, score) => {
      const kennel = await kennelOf(score, 'async', 'emailDog', 'record');
      const { bark = '' } = await kennel.alone(kennel.keeper().bark());
      const [keeper, later] = [kennel.keeper(), kennel.keeper(late)];
      mailIsBusyOnce();
      const { ends, trace } = await interleave(
        [keeper.takeEffect(bark), later.takeEffect(bark), later[third](bark)],
        order,
      );
      score.count(trace);
      const isComplete = (await readBark(kennel.id, bark, context)).status === 'complete';
      expect(await noted(kennel.id)).toBe(isComplete ? 1 : 0);
      if (isComplete) expect(sent()).toHaveLength(1);
      else expect(sent().length).toBeLessThanOrEqual(1);
      // Who has handed a mail over completes the bark, unless the time is up that it had for it.
      const sender = ends.findIndex(
        ({ calls, answer }) => calls.includes('SendEmail') && answer.status === 'fulfilled',
      );
      if (sender > 0 || (sender === 0 && late === 0)) expect(isComplete).toBe(true);
    },
  );

  race(
    'accept against its own execution',
    { runs, given: fc.record({ effects: countedEffects, order }) },
    async ({ effects, order }, score) => {
      const kennel = await kennelOf(score, 'async', ...effects);
      const started = Promise.withResolvers<string>();
      plan('StartExecution', async ({ body }) => {
        const { input } = JSON.parse(new TextDecoder().decode(body as Uint8Array));
        started.resolve((JSON.parse(input) as WorkflowInput).bark);
      });
      const [accepted, taken] = await kennel.together(
        [kennel.keeper().bark(), kennel.keeper().takeEffect(started.promise)],
        order,
      );
      expect(accepted?.outcome).toBe('accepted');
      if (taken?.outcome === 'NotYet') await kennel.alone(kennel.keeper().takeEffect(await started.promise));
      expect(countOf(kennel)).toBe(1);
    },
  );

  race(
    'accept against delete dog',
    { runs, given: fc.record({ effects: anyEffects, order, again: fc.boolean() }) },
    async ({ effects, order, again }, score) => {
      const kennel = await kennelOf(score, 'async', ...effects);
      const keeper = kennel.keeper();
      const [accepted] = await kennel.together(
        [keeper.bark(), keeper.delete(), ...(again ? [keeper.put(settings('sync', 'record'))] : [])],
        order,
      );
      if (!kennel.world.dog) await kennel.alone(keeper.put(settings('sync', 'record')));
      const { bark } = accepted ?? {};
      const isOfNewLife =
        bark !== undefined && kennel.world.barks[bark]?.incarnation === kennel.world.dog?.incarnation;
      if (bark === undefined || isOfNewLife) return;
      const taken = await kennel.alone(keeper.takeEffect(bark));
      expect([taken.mails, countOf(kennel)]).toEqual([0, accepted?.outcome === 'accepted' ? 0 : 1]);
      expect((await kennel.alone(keeper.cancel(bark))).outcome).toBe('NotFound');
    },
  );
});

describe('A dog that is deleted', () => {
  const given = fc.record({ effects: countedEffects, order, again: fc.boolean() });

  race('delete dog against bark', { runs, given }, async ({ effects, order, again }, score) => {
    const kennel = await kennelOf(score, 'sync', ...effects);
    const keeper = kennel.keeper();
    const [, barked] = await kennel.together(
      [keeper.delete(), keeper.bark(), ...(again ? [keeper.put(settings('sync', 'count'))] : [])],
      order,
    );
    if (!kennel.world.dog) await kennel.alone(keeper.put(settings('sync', 'count')));
    const isOfNewLife = barked?.outcome === 'counted' && countOf(kennel) === 1;
    if (!isOfNewLife) expect(countOf(kennel)).toBe(0);
  });

  race('delete dog against complete', { runs, given }, async ({ effects, order, again }, score) => {
    const kennel = await kennelOf(score, 'async', ...effects);
    const { bark = '' } = await kennel.alone(kennel.keeper().bark());
    const keeper = kennel.keeper();
    await kennel.together(
      [keeper.delete(), keeper.takeEffect(bark), ...(again ? [keeper.put(settings('sync', 'count'))] : [])],
      order,
    );
    if (!kennel.world.dog) await kennel.alone(keeper.put(settings('sync', 'count')));
    await kennel.alone(keeper.takeEffect(bark));
    expect([countOf(kennel), kennel.world.dog?.notes]).toEqual([0, []]);
  });

  race(
    'delete dog against schedule',
    { runs, given: fc.record({ order, next: fc.constantFrom(0, 120), again: fc.boolean() }) },
    async ({ order, next, again }, score) => {
      const kennel = await kennelOf(score, 'sync', 'record');
      const keeper = kennel.keeper();
      await kennel.together(
        [
          keeper.delete(),
          keeper.post(1, next && kennel.at + next, 10),
          ...(again ? [keeper.put(settings('sync', 'count'))] : []),
        ],
        order,
      );
      for (const dog of kennel.world.deleted) await kennel.alone(keeper.purge(dog));
      const living = kennel.world.dog?.schedule ? 1 : 0;
      expect(standing(kennel.id)).toHaveLength(living);
    },
  );

  race(
    'purge against the new dog of its id',
    { runs, given: fc.record({ effects: countedEffects, order, late: fc.boolean() }) },
    async ({ effects, order, late }, score) => {
      const kennel = await kennelOf(score, 'sync', ...effects);
      const keeper = kennel.keeper();
      await kennel.alone(keeper.post(1, 0, 10));
      await kennel.alone(keeper.bark());
      await kennel.alone(keeper.delete());
      const [dog] = kennel.world.deleted;
      if (!dog) throw new Error('No dog was deleted.');
      if (!late) await kennel.alone(keeper.put(settings('sync', ...effects)));
      await kennel.together(
        [
          keeper.purge(dog),
          ...(late ? [keeper.put(settings('sync', ...effects))] : [keeper.bark()]),
          keeper.post(1, 0, 20),
        ],
        order,
      );
    },
  );
});

describe('What clients set of a dog', () => {
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
      const kennel = await kennelOf(score, 'sync', ...effects);
      await kennel.alone(kennel.keeper().post(1, kennel.at + 60, 10));
      const keeper = kennel.keeper(ahead);
      const operations = {
        patch: keeper.patch({ next: next && kennel.at + next }, kennel.at),
        end: keeper.endSchedule(),
        post: keeper.post(3, 0, 10),
      };
      const at = next && kennel.at + next;
      await kennel.together(
        [kennel.keeper().post(2, at, 20), ...others.map((one) => operations[one])],
        order,
      );
      const { dog } = kennel.world;
      expect(standing(kennel.id)).toHaveLength(dog && isLive(dog) ? 1 : 0);
    },
  );

  race(
    'put against patch',
    {
      runs,
      given: fc.record({ effects: anyEffects, other: anyEffects, order, ahead, ago: fc.nat({ max: 2 }) }),
    },
    async ({ effects, other, order, ahead, ago }, score) => {
      const kennel = await kennelOf(score, 'sync', ...effects);
      kennel.at += 5;
      const [put, patched] = await kennel.together(
        [
          kennel.keeper(ahead).put(settings('sync', ...other)),
          kennel.keeper().patch({ next: 0, frequency: 10 }, kennel.at - ago),
        ],
        order,
      );
      expect(put?.outcome).toBe('replaced');
      expect(kennel.world.dog?.settings.barkEffects).toEqual(other);
      expect(kennel.world.dog?.schedule !== undefined).toBe(patched?.outcome === 'changed');
    },
  );

  race(
    'put against put of the same state',
    { runs, given: fc.record({ effects: otherThanRecord, order, barks: fc.boolean() }) },
    async ({ effects, order, barks }, score) => {
      const kennel = await kennelOf(score, 'sync', 'record');
      const { dog: only } = kennel.world;
      if (!only) throw new Error('There is no dog.');
      const keeper = kennel.keeper();
      const [one, other] = await kennel.together(
        [
          keeper.put(settings('sync', ...effects), { only }),
          keeper.put(settings('async', 'record'), { only }),
          ...(barks ? [keeper.bark()] : []),
        ],
        order,
      );
      const made = [one, other].filter((put) => put?.outcome === 'replaced');
      expect(made.length).toBeLessThanOrEqual(1);
      if (!barks) expect(made).toHaveLength(1);
    },
  );

  race(
    'make against make',
    { runs, given: fc.record({ order, deleted: fc.boolean() }) },
    async ({ order, deleted }, score) => {
      const kennel = new Kennel(score);
      const keeper = kennel.keeper();
      const puts = await kennel.together(
        [
          keeper.put(settings('sync', 'record'), { onlyNew: true }),
          keeper.put(settings('sync', 'count'), { onlyNew: true }),
          ...(deleted ? [keeper.delete()] : []),
        ],
        order,
      );
      const made = puts.filter(({ outcome }) => outcome === 'created').length;
      expect(made).toBe(1 + kennel.world.deleted.length - (kennel.world.dog ? 0 : 1));
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
      const kennel = await kennelOf(score, 'sync', ...effects);
      kennel.at += 5;
      const barks = { next: next && kennel.at + next, frequency: 10 };
      const patches = await kennel.together(
        [kennel.keeper().patch(barks, kennel.at - ago), kennel.keeper(ahead).patch(barks, kennel.at - ago)],
        order,
      );
      expect(patches.map(({ outcome }) => outcome).sort()).toEqual(['changed', 'unchanged']);
      expect(countOf(kennel)).toBe(next === 0 ? 1 : 0);
    },
  );

  race(
    'POST against POST of the same token',
    { runs, given: fc.record({ effects: countedEffects, order, ahead, frequency: fc.constantFrom(10, 20) }) },
    async ({ effects, order, ahead, frequency }, score) => {
      const kennel = await kennelOf(score, 'sync', ...effects);
      const posts = await kennel.together(
        [kennel.keeper().post(7, 0, 10), kennel.keeper(ahead).post(7, 0, frequency)],
        order,
      );
      const refused = frequency === 10 ? 'unchanged' : 'InvalidSchedule';
      expect(posts.map(({ outcome }) => outcome).sort()).toEqual([refused, 'changed'].sort());
      expect([countOf(kennel), sum(posts)]).toEqual([1, effects.length - 1]);
    },
  );
});

describe('A bark that bears a key', () => {
  race(
    'POST against POST of the same key',
    {
      runs,
      given: fc.record({
        order,
        ahead,
        effect: fc.constantFrom('record' as const, 'count' as const),
        later: fc.boolean(),
        otherLater: fc.boolean(),
      }),
    },
    async ({ order, ahead, effect, later, otherLater }, score) => {
      const kennel = await kennelOf(score, 'sync', effect);
      const [one, other] = await kennel.together(
        [kennel.keeper().keyedBark('a', later), kennel.keeper(ahead).keyedBark('a', otherLater)],
        order,
      );
      const { barks, dog } = kennel.world;
      expect(Object.keys(barks).length + (dog?.barkCount ?? 0)).toBe(1);
      if (later === otherLater) expect(other?.shown).toEqual(one?.shown);
      else expect([one?.outcome, other?.outcome]).toContain('KeyReused');
    },
  );
});

describe('A look', () => {
  /** A client that looks at what it has done. */
  function inTurn(change: Operation, look: Operation): Operation[] {
    const { promise, resolve } = Promise.withResolvers<void>();
    const ended = () => change.run().finally(resolve);
    return [
      { ...change, run: ended },
      { ...look, run: () => promise.then(look.run) },
    ];
  }

  race(
    'GET of the dog after a change, against another',
    {
      runs,
      given: fc.record({
        order,
        wishes: fc.shuffledSubarray(['put', 'bark', 'later', 'post', 'delete', 'make'] as const, {
          minLength: 2,
          maxLength: 2,
        }),
      }),
    },
    async ({ order, wishes }, score) => {
      const kennel = await kennelOf(score, 'sync', 'record');
      const keeper = kennel.keeper();
      const operations = {
        put: keeper.put(settings('sync', 'count')),
        bark: keeper.bark(),
        later: keeper.bark({ isAsync: true }),
        post: keeper.post(1, 0, 10),
        delete: keeper.delete(),
        make: keeper.put(settings('sync', 'count'), { onlyNew: true }),
      };
      const [own, other] = wishes.map((one) => operations[one]) as [Operation, Operation];
      await kennel.together([...inTurn(own, keeper.show()), other], order);
    },
  );

  race(
    'GET of a bark against its end, and delete dog',
    {
      runs,
      given: fc.record({
        effects: anyEffects,
        order,
        end: fc.constantFrom('cancel' as const, 'takeEffect' as const, 'giveUp' as const),
      }),
    },
    async ({ effects, order, end }, score) => {
      const kennel = await kennelOf(score, 'async', ...effects);
      const { bark = '' } = await kennel.alone(kennel.keeper().bark());
      const keeper = kennel.keeper();
      await kennel.together([keeper.showBark(bark), keeper[end](bark), keeper.delete()], order);
      await kennel.alone(keeper.showBark(bark));
    },
  );
});

describe('An occurrence', () => {
  /** A dog that is to bark each minute, from the next one on. */
  async function kennelBeforeSlot(score: Score, ...of: Parameters<typeof settings>) {
    const kennel = await kennelOf(score, ...of);
    await kennel.alone(kennel.keeper().post(1, kennel.at + 60, 1));
    const [schedule] = kennel.schedules as [StandingSchedule];
    return { kennel, schedule };
  }

  /** A kennel with a dog that has a schedule, which has come to its second slot. */
  async function kennelAtSlot(score: Score, ...of: Parameters<typeof settings>) {
    const { kennel, schedule } = await kennelBeforeSlot(score, ...of);
    kennel.at += 125;
    return { kennel, schedule };
  }

  race(
    'occurrence against the same occurrence',
    { runs, given: fc.record({ effects: countedEffects, order, more: fc.boolean() }) },
    async ({ effects, order, more }, score) => {
      const { kennel, schedule } = await kennelAtSlot(score, 'sync', ...effects);
      const deliveries = Array.from({ length: more ? 3 : 2 }, () => kennel.keeper().fire(schedule, 0));
      const fired = await kennel.together(deliveries, order);
      expect([countOf(kennel), sum(fired)]).toEqual([1, effects.length - 1]);
    },
  );

  race(
    'occurrence against the same occurrence, where mail is busy at first',
    { runs, given: fc.record({ order }) },
    async ({ order }, score) => {
      const { kennel, schedule } = await kennelAtSlot(score, 'sync', 'emailDog', 'record');
      const fire = kennel.keeper().fire(schedule, 0);
      mailIsBusyOnce();
      const { trace } = await interleave([fire, fire, fire], order);
      score.count(trace);
      await fire.run();
      expect([await noted(kennel.id), sent().length]).toEqual([1, 1]);
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
      const { kennel, schedule } = await kennelAtSlot(score, 'sync', ...effects);
      const fire = kennel.keeper().fire(schedule, 0);
      await kennel.together([fire, kennel.keeper(ahead).patch(barks, kennel.at)], order);
      const before = countOf(kennel);
      await kennel.alone(kennel.keeper().fire(schedule, 1));
      expect(countOf(kennel)).toBe(before);
    },
  );

  race(
    'occurrence against PATCH, which keeps the slot',
    { runs, given: fc.record({ effects: countedEffects, order, frequency: fc.constantFrom(0, 5) }) },
    async ({ effects, order, frequency }, score) => {
      const { kennel, schedule } = await kennelBeforeSlot(score, 'sync', ...effects);
      kennel.at += 59;
      const fire = kennel.keeper(1).fire(schedule, 0);
      await kennel.together([fire, kennel.keeper().patch({ frequency }, kennel.at)], order);
      await kennel.alone(kennel.keeper(1).fire(kennel.schedules.at(-1) as StandingSchedule, 0));
      const { notes = [] } = kennel.world.dog ?? {};
      expect(notes).toEqual([...new Set(notes)]);
      expect(notes.map((note) => Number.parseInt(note, 10))).toContain(
        occurrenceOf(schedule).firstScheduledAt,
      );
    },
  );

  race(
    'occurrence against the end of its schedule, which may have no other',
    {
      runs,
      given: fc.record({
        order,
        frequency: fc.constantFrom(null, 1),
        end: fc.constantFrom('PATCH' as const, 'DELETE' as const),
      }),
    },
    async ({ order, frequency, end }, score) => {
      const kennel = await kennelOf(score, 'sync', 'record');
      await kennel.alone(kennel.keeper().post(1, kennel.at + 60, frequency));
      const [schedule] = kennel.schedules as [StandingSchedule];
      kennel.at += 65;
      const keeper = kennel.keeper();
      const ends = { PATCH: keeper.patch(null, kennel.at), DELETE: keeper.endSchedule() };
      const [, ended] = await kennel.together([keeper.fire(schedule, 0), ends[end]], order);
      if (frequency === null && countOf(kennel) === 1) expect(ended?.outcome).not.toBe('changed');
    },
  );

  race(
    'occurrence against a later one, and put',
    { runs, given: fc.record({ effects: anyEffects, other: anyEffects, order }) },
    async ({ effects, other, order }, score) => {
      const { kennel, schedule } = await kennelAtSlot(score, 'sync', ...effects);
      const keeper = kennel.keeper();
      await kennel.together(
        [keeper.fire(schedule, 0), keeper.fire(schedule, 1), keeper.put(settings('sync', ...other))],
        order,
      );
      expect(kennel.world.dog?.notes).toHaveLength(2);
    },
  );

  race(
    'occurrence against delete dog',
    { runs, given: fc.record({ effects: countedEffects, order, again: fc.boolean() }) },
    async ({ effects, order, again }, score) => {
      const { kennel, schedule } = await kennelAtSlot(score, 'sync', ...effects);
      const keeper = kennel.keeper();
      await kennel.together(
        [
          keeper.fire(schedule, 0),
          keeper.delete(),
          ...(again ? [keeper.put(settings('sync', 'record'))] : []),
        ],
        order,
      );
      if (!kennel.world.dog) await kennel.alone(keeper.put(settings('sync', 'record')));
      await kennel.alone(keeper.fire(schedule, 1));
      expect(countOf(kennel)).toBe(0);
    },
  );
});

describe('A credential', () => {
  const own = { name: 'own', client: 'own-client', credential: 'own-credential' };
  const client = { auth_url: 'http://127.0.0.1:1', client_id: 'walker', client_secret: 'hush' };
  const { fetch } = globalThis;
  let issued = 0;

  /** A token endpoint that sends another refresh token with each access token, or none. */
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
      const outcomes = ends.map(({ answer }) => answer.status === 'fulfilled' && answer.value);
      expect(outcomes).toContain('refreshed');
      expect(outcomes.every((outcome) => outcome === 'refreshed' || outcome === 'fresh')).toBe(true);
      const possible = Array.from({ length: issued }, (_, i) =>
        issue(i + 1, rotates ? undefined : 'refresh-0'),
      );
      expect(possible).toContainEqual(stored());
    },
  );

  race(
    'refresh against the credential of the operator',
    { runs, given: fc.record({ order, rotates: fc.boolean() }) },
    async ({ order, rotates }, score) => {
      begin(rotates);
      const store = { name: 'store', run: () => storeCredential(own, client, 'theirs', context) };
      const { ends, trace } = await interleave<unknown>([refresh, store], order);
      score.count(trace);
      expect(ends.map(({ answer }) => answer.status)).toEqual(['fulfilled', 'fulfilled']);
      const isSeen = trace.indexOf('store: PutSecretValue') < trace.lastIndexOf('refresh: GetSecretValue');
      const theirs = [1, 2].map((n) => issue(n, rotates ? undefined : 'theirs'));
      const refreshed = [1, 2].map((n) => issue(n, rotates ? undefined : 'refresh-0'));
      expect(isSeen ? theirs : [...theirs, ...refreshed]).toContainEqual(stored());
    },
  );
});
