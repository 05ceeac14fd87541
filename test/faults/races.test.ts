import * as fc from 'fast-check';
import { readBark } from '../../lambdas/domain/barks/queries.ts';
import type { Credential } from '../../lambdas/domain/credentials/credential.ts';
import { refreshCredential } from '../../lambdas/domain/credentials/refresh.ts';
import { storeCredential } from '../../lambdas/domain/credentials/store.ts';
import type { Effect } from '../../lambdas/domain/dogs/dog.ts';
import { credentialOf, own } from '../support/credentials.ts';
import { clearSecrets, plan, reset, secrets, sent } from '../support/faults.ts';
import { setLimits, type TestLimits } from '../support/limits.ts';
import { firingTimeOf } from '../support/schedules.ts';
import { anyEffects, anyOperation, settings } from './any-operation.ts';
import { anyOrder, hold } from './interleaving.ts';
import type { ModelDog } from './model/reference-model.ts';
import type { Actor, CreatedSchedule } from './operations.ts';
import { RaceHarness, Score } from './race-harness.ts';
import {
  context,
  historyLengthOf,
  hour,
  now,
  race,
  raceAgainstExecution,
  raceAll,
  useRaces,
} from './races.ts';
import { itemsOf, stateOf } from './state.ts';

useRaces();

const unlessMailed = fc.constantFrom<Effect[]>(['record'], ['count']);
const mailing = anyEffects.filter((effects) => effects.some((effect) => effect.startsWith('email')));

/** The limits on the barks or emails of a dog or its user. */
const limitNames = fc.constantFrom<keyof TestLimits>(
  'barksPerDog',
  'barksPerUser',
  'mailsPerDog',
  'mailsPerUser',
);

/** Makes SES throttle the next email, and forgets the emails that were sent so far. */
function throttleMailOnce(): void {
  reset();
  plan('SendRawEmail', 'throttled');
}

/** Sets the limits of the service and of the reference model. */
function limit(harness: RaceHarness, limits: TestLimits): void {
  setLimits(limits);
  harness.model = { ...harness.model, limits: { limitWindowMinutes: 60, ...limits } };
}

raceAll('A pending bark', {
  // The deadline is at 0.
  given: { effects: anyEffects, late: fc.constantFrom(-900, -900, -900, -61, -60, -59, -1, 0, 1) },
  async begin({ effects, late, createHarness }) {
    const harness = await createHarness('async', ...effects);
    const { bark = '' } = await harness.run(harness.actor().bark());
    if (late === -900) return harness;
    harness.at = (harness.model.barks[bark]?.deadline ?? 0) + late;
    harness.clocks = [0];
    return harness;
  },
  operations: [
    'perform bark',
    'fail bark',
    'DELETE bark',
    'DELETE dog',
    'PUT dog',
    'GET bark',
    'GET bark, with a wait', // @extension waiting
    'GET dog',
  ],
});

const keyed = (value: string, isAsync: boolean) => (actor: Actor) => actor.keyedBark(value, { isAsync });

raceAll('A bark with an idempotency key', {
  given: { effects: unlessMailed, limits: fc.constantFrom({}, { barksPerDog: 1 }, { barksPerDog: 2 }) },
  async begin({ effects, limits, createHarness }) {
    const harness = await createHarness('sync', ...effects);
    limit(harness, limits);
    return harness;
  },
  operations: {
    POST: keyed('a', false),
    'asynchronous POST': keyed('a', true),
    'POST with another key': keyed('b', false),
    'DELETE dog': (actor) => actor.delete(),
    'PUT dog': (actor) => actor.put(settings('async', 'record')),
  },
});

raceAll('The settings and the schedule of a dog', {
  // The clock may be set back.
  given: { effects: anyEffects, isScheduled: fc.boolean(), later: fc.constantFrom(5, 5, -hour) },
  async begin({ effects, isScheduled, later, createHarness }) {
    const harness = await createHarness('sync', ...effects);
    if (isScheduled) await harness.run(harness.actor().post(0, harness.at + 60, 10));
    harness.at += later;
    return harness;
  },
  operations: [
    'PUT dog',
    'DELETE dog',
    'POST bark',
    'PATCH dog',
    'POST bark-schedule',
    'DELETE bark-schedule',
    'GET dog',
    'GET bark-schedule',
  ],
});

raceAll('A change of a schedule', {
  given: { effects: anyEffects },
  async begin({ effects, createHarness }) {
    const harness = await createHarness('sync', ...effects);
    harness.at += 5;
    return harness;
  },
  operations: ['PATCH dog', 'POST bark-schedule'],
});

raceAll('An occurrence', {
  given: {
    effects: anyEffects,
    frequency: fc.constantFrom(null, 1, 1),
    late: fc.constantFrom(-hour, -3, -1, 0, 30, 65, 65, 65),
  },
  async begin({ effects, frequency, late, createHarness }) {
    const harness = await createHarness('sync', ...effects);
    await harness.run(harness.actor().post(1, harness.at + 60, frequency));
    const schedule = harness.schedules[0] as CreatedSchedule;
    // The clocks of the functions can be a few seconds behind that of EventBridge Scheduler, or all of them were set back.
    harness.at = firingTimeOf(schedule.standing, 0) + Math.max(0, late);
    harness.at += Math.min(0, late);
    if (late < 65) harness.clocks = [0];
    return harness;
  },
  operations: [
    'occurrence',
    'PATCH dog',
    'POST bark-schedule',
    'DELETE bark-schedule',
    'PUT dog',
    'DELETE dog',
    'POST bark',
    'GET bark-schedule',
  ],
});

test('An occurrence that is written after a later one does not set back the time of the last one', async () => {
  // Both runs read the dog. Then the second occurrence is written, and then the first one.
  const harness = new RaceHarness(new Score(), { order: [0, 1, 1, 0], clocks: [0] });
  const actor = harness.actor();
  await harness.run(actor.put(settings('sync', 'record')));
  await harness.run(actor.post(1, harness.at + 60, 1));
  harness.at += 125;
  const schedule = harness.schedules[0] as CreatedSchedule;
  await harness.runConcurrently([actor.fire(schedule, 0), actor.fire(schedule, 1)]);
});

raceAll('A deleted dog', {
  given: { effects: anyEffects, isNew: fc.boolean() },
  async begin({ effects, isNew, createHarness }) {
    const harness = await createHarness('sync', ...effects);
    const actor = harness.actor();
    for (const one of [actor.post(1, 0, 10), actor.bark(), actor.bark({ isAsync: true }), actor.delete()])
      await harness.run(one);
    if (isNew) await harness.run(actor.put(settings('sync', ...effects)));
    return harness;
  },
  operations: ['purge', 'PUT dog', 'POST bark', 'POST bark-schedule', 'GET dog'],
});

raceAll('A limit', {
  given: {
    name: limitNames,
    max: fc.integer({ min: 1, max: 2 }),
    effects: mailing,
    isEndOfWindow: fc.boolean(),
  },
  async begin({ name, max, effects, isEndOfWindow, createHarness }) {
    const harness = await createHarness('sync', ...effects);
    await harness.run(harness.actor().post(1, harness.at + 60, 1));
    // The clocks of the functions are up to five seconds ahead, so some of them are in the next window.
    harness.at += isEndOfWindow ? hour - 3 : 125;
    limit(harness, { [name]: max });
    return harness;
  },
  operations: ['POST bark', 'PATCH dog', 'POST bark-schedule', 'occurrence'],
});

raceAll('A suspended address', {
  given: { isAsync: fc.boolean() },
  async begin({ isAsync, createHarness }) {
    const harness = await createHarness(isAsync ? 'async' : 'sync', 'emailDog', 'record');
    await harness.run(harness.actor().bark({ isAsync: true }));
    return harness;
  },
  operations: ['suspension', 'PUT dog', 'POST bark', 'perform bark', 'POST bark-schedule', 'GET dog'],
});

race(
  'random operations in random interleavings',
  {
    steps: fc.array(
      fc.record({
        // In some runs, all clocks are set back by an hour.
        secondsLater: fc.constantFrom(0, 1, 61, 130, 700, -hour),
        creates: fc.array(anyOperation, { minLength: 2, maxLength: 3, size: 'max' }),
        order: anyOrder,
      }),
      { minLength: 1, maxLength: 8, size: 'max' },
    ),
  },
  async ({ steps, createHarness }) => {
    const harness = await createHarness('sync', 'record');
    for (const { secondsLater, creates, order } of steps) {
      harness.at += secondsLater;
      const operations = creates.flatMap((create) => create(harness.actor(), harness) ?? []);
      await harness.runConcurrently(operations, order);
    }
  },
  { daily: 12, thorough: 800 },
);

raceAgainstExecution('A bark that is being accepted, against its execution', (actor) => ({
  operation: actor.bark(),
}));

// The model cannot explain these races: they depend on a lease, or two calls of one operation have an effect.
describe('The results are right for', () => {
  race(
    'complete against complete, with SES throttled at first',
    {
      // The clock of the function that fails the bark can be so far ahead that the other's lease seems to be over.
      late: fc.constantFrom(0, 70, 3_600),
      third: fc.constantFrom(
        'failBark' as const,
        'failBark' as const,
        'cancel' as const,
        'performBark' as const,
      ),
    },
    async ({ late, third, run, createHarness }) => {
      const harness = await createHarness('async', 'emailDog', 'record');
      const { bark = '' } = await harness.run(harness.actor().bark());
      const [actor, lateActor] = [harness.actorAhead(0), harness.actorAhead(late)];
      throttleMailOnce();
      const { ends } = await run([
        actor.performBark(bark),
        lateActor.performBark(bark),
        lateActor[third](bark),
      ]);
      const isComplete = (await readBark(harness.id, bark, context)).status === 'complete';
      expect(await historyLengthOf(harness.id)).toBe(isComplete ? 1 : 0);
      if (isComplete) expect(sent()).toHaveLength(1);
      else expect(sent().length).toBeLessThanOrEqual(1);
      // The function that has sent the mail completes the bark, unless its lease is over.
      const sender = ends.findIndex(
        ({ calls, result }) => calls.includes('SendRawEmail') && result.status === 'fulfilled',
      );
      if (sender > 0 || (sender === 0 && late === 0)) expect(isComplete).toBe(true);
    },
  );

  race(
    'occurrence against the same occurrence, with SES throttled at first',
    {},
    async ({ run, createHarness }) => {
      const harness = await createHarness('sync', 'emailDog', 'record');
      await harness.run(harness.actor().post(1, harness.at + 60, 1));
      const schedule = harness.schedules[0] as CreatedSchedule;
      harness.at += 125;
      const fire = harness.actor().fire(schedule, 0);
      throttleMailOnce();
      await run([fire, fire, fire]);
      await fire.run();
      expect([await historyLengthOf(harness.id), sent().length]).toEqual([1, 1]);
    },
  );

  race(
    'POST against POST with the same key, with mail',
    { late: fc.constantFrom(0, 5, 3_600) },
    async ({ late, run, createHarness }) => {
      const harness = await createHarness('sync', 'emailDog', 'record');
      reset();
      const posts = [0, late].map((ahead) => harness.actorAhead(ahead).keyedBark('a'));
      await run(posts);
      const last = await harness
        .actorAhead(late + 61)
        .keyedBark('a')
        .run();
      expect(sent()).toHaveLength(1);
      // If a clock is an hour ahead, the lease of the other function seems to be over. The outcome of that function is then unknown,
      // unless it stores its bark first.
      const isUnknown = late > 5 && last.outcome === 'MailUnknown';
      if (!isUnknown) expect(last.outcome).toBe('recorded');
      expect(await historyLengthOf(harness.id)).toBe(isUnknown ? 0 : 1);
    },
  );

  race(
    'delete and purge dog against accept',
    { effects: anyEffects },
    async ({ effects, run, createHarness }) => {
      const harness = await createHarness('async', ...effects);
      reset();
      const { id, model } = harness;
      const dog = model.dog as ModelDog;
      const [deletes, accepts] = [
        harness.actor().delete(),
        harness.actor().keyedBark('a', { isAsync: true }),
      ];
      const purges = harness.actor().purge(dog);
      const deletesAndPurges = async () => {
        await deletes.run();
        return purges.run();
      };
      const { ends } = await run([{ name: 'delete and purge', run: deletesAndPurges }, accepts]);
      const [, accepted] = ends.map(({ result }) =>
        result.status === 'fulfilled' ? result.value : undefined,
      );
      expect(['accepted', 'NotFound']).toContain(accepted?.outcome);
      if (accepted?.bark !== undefined) {
        expect((await harness.actor().showBark(accepted.bark).run()).outcome).toBe('NotFound');
        await harness.actor().performBark(accepted.bark).run();
        expect(sent()).toEqual([]);
      }
      // The purge can come before the items of the bark, but no item remains forever.
      const state = stateOf(id);
      expect(state.dog).toBeUndefined();
      for (const item of itemsOf(state)) expect(item).toHaveProperty('expires');
      await harness.actor().purge(dog).run();
      expect(itemsOf(stateOf(id))).toEqual([]);
      model.purged.push(dog.incarnation);
    },
  );

  // A synchronous bark with mail is counted before it is stored. The dog can be deleted in between, so the reference model, in which
  // a bark has one effect, cannot explain the results.
  race(
    'bark with mail against delete dog',
    { name: limitNames, effects: mailing },
    async ({ name, effects, run, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      limit(harness, { [name]: 1 });
      const actor = harness.actor();
      const operations = [actor.bark(), actor.bark({ isAsync: true }), actor.bark(), actor.delete()];
      const before = sent().length;
      const { ends } = await run(operations);
      const results = ends.map(({ result }) => result.status === 'fulfilled' && result.value.outcome);
      const accepted = results.filter((outcome) => outcome === 'accepted').length;
      expect(results).not.toContain(false);
      expect(sent().length - before + accepted).toBeLessThanOrEqual(1);
      const { usage } = stateOf(harness.id);
      for (const { barks = 0, mails = 0 } of usage) expect(Math.max(barks, mails)).toBeLessThanOrEqual(1);
    },
  );
});

describe('A credential', () => {
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
    ...credentialOf(`token-${n}`, now / 1000),
    refresh_token,
  });

  /** Returns the stored credential, as if the clock of its function were not ahead. */
  const stored = (): Credential => ({
    ...JSON.parse(secrets.get(own.credential) ?? ''),
    created: now / 1000,
  });

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

  const refresh = (ahead = 0) => ({
    name: 'refresh',
    run: () => refreshCredential(own, { ...context, now: now + ahead }),
  });

  race(
    'refresh against refresh',
    { rotates: fc.boolean(), more: fc.boolean() },
    async ({ rotates, more, clocks, run }) => {
      begin(rotates);
      const { ends } = await run(clocks.slice(0, more ? 3 : 2).map(refresh));
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
    { rotates: fc.boolean() },
    async ({ rotates, clocks, run }) => {
      begin(rotates);
      const store = { name: 'store', run: () => storeCredential(own, client, 'theirs', context) };
      const { ends, trace } = await run<unknown>([refresh(clocks[0]), store]);
      expect(ends.map(({ result }) => result.status)).toEqual(['fulfilled', 'fulfilled']);
      const isSeen = trace.indexOf('store: PutSecretValue') < trace.lastIndexOf('refresh: GetSecretValue');
      const theirs = [1, 2].map((n) => issue(n, rotates ? undefined : 'theirs'));
      const refreshed = [1, 2].map((n) => issue(n, rotates ? undefined : 'refresh-0'));
      expect(isSeen ? theirs : [...theirs, ...refreshed]).toContainEqual(stored());
    },
  );
});
