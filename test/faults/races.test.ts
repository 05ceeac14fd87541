import * as fc from 'fast-check';
import { readBark } from '../../lambdas/domain/barks/queries.ts';
import type { Credential } from '../../lambdas/domain/credentials/credential.ts';
import { refreshCredential } from '../../lambdas/domain/credentials/refresh.ts';
import { storeCredential } from '../../lambdas/domain/credentials/store.ts';
import type { Effect } from '../../lambdas/domain/dogs/dog.ts';
import type { WorkflowInput } from '../../lambdas/domain/platform/step-functions.ts';
import { clearSecrets, plan, reset, secrets, sent, standing } from '../support/faults.ts';
import { setLimits, type TestLimits } from '../support/limits.ts';
import { firingTimeOf } from '../support/schedules.ts';
import { anyOrder, hold, interleave } from './interleaving.ts';
import type { ModelDog } from './model/reference-model.ts';
import type { CreatedSchedule, Operation } from './operations.ts';
import { RaceHarness, Score } from './race-harness.ts';
import {
  anyEffects,
  context,
  countedEffects,
  historyLengthOf,
  now,
  race,
  raceAll,
  settings,
  throttleMailOnce,
  useRaces,
} from './races.ts';
import { itemsOf, stateOf } from './state.ts';

useRaces();

const hour = 3_600;
const unlessMailed = fc.constantFrom<Effect[]>(['record'], ['count']);
const mailing = anyEffects.filter((effects) => effects.some((effect) => effect.startsWith('email')));

/** The limits of the barks or mails of a dog or of its user. */
const limitNames = fc.constantFrom<keyof TestLimits>(
  'barksPerDog',
  'barksPerUser',
  'mailsPerDog',
  'mailsPerUser',
);

/** Sets the limits of the service and of the reference model. */
function limit(harness: RaceHarness, limits: TestLimits): void {
  setLimits(limits);
  harness.model = { ...harness.model, limits: { limitWindowMinutes: 60, ...limits } };
}

/** Performs all asynchronous barks, and purges all deleted dogs. Then the clients read everything. */
async function settle(harness: RaceHarness): Promise<void> {
  const actor = harness.actor();
  if (!harness.model.dog) await harness.run(actor.put(settings('sync', 'count')));
  for (const bark of Object.keys(harness.model.barks))
    for (const next of [actor.performBark(bark), actor.cancel(bark), actor.showBark(bark)])
      await harness.run(next);
  for (const dog of harness.model.deleted)
    if (!harness.model.purged.includes(dog.incarnation)) await harness.run(actor.purge(dog));
  for (const read of [actor.show(), actor.showLastBark(), actor.showSchedule()]) await harness.run(read);
}

/** Makes a dog whose asynchronous bark another operation accepts. Returns its ID as soon as its workflow starts. */
function idOfAcceptedBark(): Promise<string> {
  const started = Promise.withResolvers<string>();
  plan('StartExecution', async ({ body }) => {
    const { input } = JSON.parse(new TextDecoder().decode(body as Uint8Array));
    started.resolve((JSON.parse(input) as WorkflowInput).bark);
  });
  return started.promise;
}

test('the same order produces the same interleaving', async () => {
  const [order = []] = fc.sample(anyOrder, { seed: 1, numRuns: 1 });
  const traces: string[][] = [];
  for (let time = 0; time < 3; time++) {
    const harness = new RaceHarness(new Score(), { order, clocks: [0, 1_500, 4_999] });
    const actor = harness.actor();
    await harness.run(actor.put(settings('async', 'emailDog', 'record')));
    const { bark = '' } = await harness.run(actor.bark());
    const operations = [actor.cancel(bark), actor.performBark(bark), actor.post(1, 0, 10)];
    const { trace } = await interleave(operations, order);
    traces.push(trace);
  }
  expect(traces[0]?.length).toBeGreaterThan(8);
  expect(traces).toEqual([traces[0], traces[0], traces[0]]);
});

raceAll('A pending bark', {
  // The deadline is at 0.
  given: { effects: anyEffects, late: fc.constantFrom(-900, -900, -900, -61, -60, -59, -1, 0, 1) },
  async begin({ effects, late, createHarness }) {
    const harness = await createHarness('async', ...effects);
    const { bark = '' } = await harness.run(harness.actor().bark());
    if (late === -900) return { harness, bark };
    harness.at = (harness.model.barks[bark]?.deadline ?? 0) + late;
    return { harness, bark, actor: harness.actorAhead(0) };
  },
  operations: {
    perform: (actor, { bark }) => actor.performBark(bark),
    fail: (actor, { bark }) => actor.failBark(bark),
    cancel: (actor, { bark }) => actor.cancel(bark),
    'delete dog': (actor) => actor.delete(),
    'put dog': (actor) => actor.put(settings('sync', 'count')),
    'GET bark': (actor, { bark }) => actor.showBark(bark),
    'GET bark with a wait': (actor, { bark }) => actor.showBark(bark, { waits: true }),
    'GET dog': (actor) => actor.show(),
  },
  end: ({ harness }) => settle(harness),
});

raceAll('A bark that is being accepted', {
  given: { effects: anyEffects },
  async begin({ effects, createHarness }) {
    return { harness: await createHarness('async', ...effects), bark: idOfAcceptedBark() };
  },
  alone: {
    accept: (actor) => actor.bark(),
    'accept with a wait': (actor) => actor.bark({ waits: true }),
  },
  operations: {
    perform: (actor, { bark }) => actor.performBark(bark),
    'perform again': (actor, { bark }) => actor.performBark(bark),
    'put dog': (actor) => actor.put(settings('async', 'record')),
    'GET dog': (actor) => actor.show(),
  },
  async end({ harness, bark }, [accepted]) {
    // The bark has the effects of the dog at the time of its acceptance.
    const { status, effects = [] } = harness.model.barks[await bark] ?? {};
    const kind = effects.includes('record') ? 'recorded' : effects.includes('count') ? 'counted' : 'sent';
    expect(['accepted', kind]).toContain(accepted?.awaited?.kind ?? 'accepted');
    if (accepted?.awaited?.kind === kind) expect(status).toBe('complete');
    await settle(harness);
  },
});

raceAll('A bark with an idempotency key', {
  given: { effects: unlessMailed, limits: fc.constantFrom({}, { barksPerDog: 1 }, { barksPerDog: 2 }) },
  async begin({ effects, limits, createHarness }) {
    const harness = await createHarness('sync', ...effects);
    limit(harness, limits);
    return { harness };
  },
  operations: {
    POST: (actor) => actor.keyedBark('a', false),
    'asynchronous POST': (actor) => actor.keyedBark('a', true),
    'POST with another key': (actor) => actor.keyedBark('b', false),
    'delete dog': (actor) => actor.delete(),
    'put dog': (actor) => actor.put(settings('async', 'record')),
  },
  end: ({ harness }) => settle(harness),
});

raceAll('The settings and the schedule of a dog', {
  given: {
    effects: anyEffects,
    isScheduled: fc.boolean(),
    // The clock may be set back.
    later: fc.constantFrom(5, 5, -hour),
    ago: fc.nat({ max: 2 }),
  },
  async begin({ effects, isScheduled, later, ago, createHarness }) {
    const harness = await createHarness('sync', ...effects);
    if (isScheduled) await harness.run(harness.actor().post(1, harness.at + 60, 10));
    harness.at += later;
    const only = harness.model.dog as ModelDog;
    return { harness, at: harness.at, since: Math.max(only.lastModified, harness.at) - ago, only };
  },
  operations: {
    put: (actor) => actor.put(settings('sync', 'count')),
    'put with If-Match': (actor, { only }) => actor.put(settings('sync', 'emailDog', 'count'), { only }),
    'other put with If-Match': (actor, { only }) => actor.put(settings('async', 'record'), { only }),
    create: (actor) => actor.put(settings('sync', 'record'), { onlyNew: true }),
    delete: (actor) => actor.delete(),
    bark: (actor) => actor.bark(),
    'asynchronous bark': (actor) => actor.bark({ isAsync: true }),
    PATCH: (actor, { since }) => actor.patch({ next: 0, frequency: 10 }, since),
    'PATCH that sets a later schedule': (actor, { at, since }) => actor.patch({ next: at + 120 }, since),
    'PATCH that ends the schedule': (actor, { since }) => actor.patch(null, since),
    POST: (actor) => actor.post(7, 0, 10),
    'POST of a later schedule': (actor, { at }) => actor.post(8, at + 120, 20),
    'end of the schedule': (actor) => actor.endSchedule(),
    'GET dog': (actor) => actor.show(),
    'GET bark-schedule': (actor) => actor.showSchedule(),
  },
  end: ({ harness }) => settle(harness),
});

raceAll('A repeated change of a schedule', {
  given: { effects: countedEffects, next: fc.constantFrom(0, 120), ago: fc.nat({ max: 2 }) },
  async begin({ effects, next, ago, createHarness }) {
    const harness = await createHarness('sync', ...effects);
    harness.at += 5;
    return { harness, next: next && harness.at + next, since: harness.at - ago };
  },
  operations: {
    PATCH: (actor, { next, since }) => actor.patch({ next, frequency: 10 }, since),
    POST: (actor, { next }) => actor.post(7, next, 10),
    'POST with the same token': (actor, { next }) => actor.post(7, next, 20),
  },
  end: ({ harness }) => settle(harness),
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
    const next = firingTimeOf(schedule.standing, 0);
    harness.at = next + late;
    const actor = late < 65 ? harness.actorAhead(0) : undefined;
    // The clocks of the other functions can be a few seconds behind, or all clocks were set back.
    const scheduler = harness.actorAhead(late < 0 && late > -hour ? -late : 0);
    const nth = frequency === null || late < 65 ? 0 : 1;
    const since = Math.max(harness.model.dog?.lastModified ?? 0, harness.at);
    const scene = { harness, scheduler, schedule, next, frequency, nth, at: harness.at, since };
    return { ...scene, ...(actor && { actor }) };
  },
  operations: {
    occurrence: (_, { scheduler, schedule }) => scheduler.fire(schedule, 0),
    'next occurrence': (_, { scheduler, schedule, nth }) => scheduler.fire(schedule, nth),
    'another run for the same Lambda event': (_, { scheduler, schedule }) =>
      scheduler.fire(schedule, 0, 'one event'),
    'PATCH that begins now': (actor, { since }) => actor.patch({ next: 0 }, since),
    'PATCH that keeps its time': (actor, { since }) => actor.patch({ frequency: 5 }, since),
    'PATCH for its own time': (actor, { next, frequency, since }) => actor.patch({ next, frequency }, since),
    'PATCH that ends the schedule': (actor, { since }) => actor.patch(null, since),
    'POST for its own time': (actor, { next, frequency }) => actor.post(2, next, frequency),
    'POST for an earlier time': (actor, { at, frequency }) => actor.post(3, at + 2, frequency),
    'POST that begins now': (actor) => actor.post(4, 0, 10),
    'end of the schedule': (actor) => actor.endSchedule(),
    'put dog': (actor) => actor.put(settings('sync', 'record')),
    'delete dog': (actor) => actor.delete(),
    bark: (actor) => actor.bark(),
    'GET bark-schedule': (actor) => actor.showSchedule(),
  },
  async end({ harness }) {
    const latest = harness.schedules.at(-1) as CreatedSchedule;
    if (standing(harness.id).includes(latest.standing))
      await harness.run(harness.actorAhead(1).fire(latest, 0));
    await settle(harness);
    await harness.run(harness.actor().patch(null, harness.at + 10));
    await harness.run(harness.actor().show());
  },
});

raceAll('A deleted dog', {
  given: { effects: countedEffects, isNew: fc.boolean() },
  async begin({ effects, isNew, createHarness }) {
    const harness = await createHarness('sync', ...effects);
    const actor = harness.actor();
    for (const one of [actor.post(1, 0, 10), actor.bark(), actor.bark({ isAsync: true }), actor.delete()])
      await harness.run(one);
    if (isNew) await harness.run(actor.put(settings('sync', ...effects)));
    return { harness, dog: harness.model.deleted[0] as ModelDog };
  },
  alone: { purge: (actor, { dog }) => actor.purge(dog) },
  operations: {
    create: (actor) => actor.put(settings('sync', 'count'), { onlyNew: true }),
    put: (actor) => actor.put(settings('sync', 'record')),
    bark: (actor) => actor.bark(),
    'asynchronous bark': (actor) => actor.bark({ isAsync: true }),
    'POST of a schedule': (actor) => actor.post(1, 0, 20),
    'GET dog': (actor) => actor.show(),
  },
  end: ({ harness }) => settle(harness),
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
    return { harness, at: harness.at, schedule: harness.schedules[0] as CreatedSchedule };
  },
  operations: {
    bark: (actor) => actor.bark(),
    'bark in the history': (actor) => actor.bark({ inHistory: true }),
    'asynchronous bark': (actor) => actor.bark({ isAsync: true }),
    'POST that begins now': (actor) => actor.post(2, 0, 10),
    'PATCH that begins now': (actor, { at }) => actor.patch({ next: 0 }, at),
    occurrence: (actor, { schedule }) => actor.fire(schedule, 0),
    'next occurrence': (actor, { schedule }) => actor.fire(schedule, 1),
  },
  async end({ harness }) {
    await harness.run(harness.actor().bark());
    harness.at += 2 * hour;
    await harness.run(harness.actor().bark());
    await settle(harness);
  },
});

raceAll('A suspended address', {
  given: { isAsync: fc.boolean() },
  async begin({ isAsync, createHarness }) {
    const harness = await createHarness(isAsync ? 'async' : 'sync', 'emailDog', 'record');
    const { bark = '' } = await harness.run(harness.actor().bark({ isAsync: true }));
    const { incarnation } = harness.model.dog as ModelDog;
    return { harness, bark, incarnation, at: harness.at, addresses: ['dog@example.com'] };
  },
  operations: {
    bounce: (actor, { incarnation, addresses, at }) =>
      actor.feedback(incarnation, addresses, 'bounced', at - 5),
    'late complaint': (actor, { incarnation, addresses, at }) =>
      actor.feedback(incarnation, addresses, 'complained', at - 4),
    unsubscribe: (actor, { incarnation, addresses }) => actor.unsubscribe(incarnation, addresses),
    resubscribe: (actor, { incarnation, addresses }) => actor.resubscribe(incarnation, addresses),
    lift: (actor) => actor.lift('dog@example.com'),
    'new address': (actor) =>
      actor.put({ ...settings('sync', 'emailDog', 'record'), email: 'new@example.com' }),
    bark: (actor) => actor.bark(),
    perform: (actor, { bark }) => actor.performBark(bark),
    'POST of a schedule that begins now': (actor) => actor.post(1, 0, 10),
    'GET dog': (actor) => actor.show(),
  },
  async end({ harness, incarnation, addresses, at }) {
    await harness.run(harness.actor().feedback(incarnation, addresses, 'bounced', at - 4));
    await harness.run(harness.actor().bark());
    await settle(harness);
  },
});

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
    async ({ late, third, order, score, createHarness }) => {
      const harness = await createHarness('async', 'emailDog', 'record');
      const { bark = '' } = await harness.run(harness.actor().bark());
      const [actor, lateActor] = [harness.actorAhead(0), harness.actorAhead(late)];
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
        ({ calls, result }) => calls.includes('SendRawEmail') && result.status === 'fulfilled',
      );
      if (sender > 0 || (sender === 0 && late === 0)) expect(isComplete).toBe(true);
    },
  );

  race(
    'occurrence against the same occurrence, with SES throttled at first',
    {},
    async ({ order, score, createHarness }) => {
      const harness = await createHarness('sync', 'emailDog', 'record');
      await harness.run(harness.actor().post(1, harness.at + 60, 1));
      const schedule = harness.schedules[0] as CreatedSchedule;
      harness.at += 125;
      const fire = harness.actor().fire(schedule, 0);
      throttleMailOnce();
      const { trace } = await interleave([fire, fire, fire], order);
      score.count(trace);
      await fire.run();
      expect([await historyLengthOf(harness.id), sent().length]).toEqual([1, 1]);
    },
  );

  race(
    'POST against POST with the same key, with mail',
    { late: fc.constantFrom(0, 5, 3_600) },
    async ({ late, order, score, createHarness }) => {
      const harness = await createHarness('sync', 'emailDog', 'record');
      reset();
      const posts = [0, late].map((ahead) => harness.actorAhead(ahead).keyedBark('a', false));
      const { trace } = await interleave(posts, order);
      score.count(trace);
      const last = await harness
        .actorAhead(late + 61)
        .keyedBark('a', false)
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
    async ({ effects, order, score, createHarness }) => {
      const harness = await createHarness('async', ...effects);
      reset();
      const { id, model } = harness;
      const dog = model.dog as ModelDog;
      const [deletes, accepts] = [harness.actor().delete(), harness.actor().keyedBark('a', true)];
      const purges = harness.actor().purge(dog);
      const deletesAndPurges = async () => {
        await deletes.run();
        return purges.run();
      };
      const { ends, trace } = await interleave(
        [{ name: 'delete and purge', run: deletesAndPurges }, accepts],
        order,
      );
      score.count(trace);
      const [, accepted] = ends.map(({ result }) =>
        result.status === 'fulfilled' ? result.value : undefined,
      );
      expect(['accepted', 'NotFound']).toContain(accepted?.outcome);
      if (accepted?.bark !== undefined) {
        expect((await harness.actor().showBark(accepted.bark).run()).outcome).toBe('NotFound');
        await harness.actor().performBark(accepted.bark).run();
        expect(sent()).toEqual([]);
      }
      // The purge can come before the items of the bark, but no item remains for ever.
      const state = await stateOf(id);
      expect(state.dog).toBeUndefined();
      for (const item of itemsOf(state)) expect(item).toHaveProperty('expires');
      await harness.actor().purge(dog).run();
      expect(itemsOf(await stateOf(id))).toEqual([]);
      model.purged.push(dog.incarnation);
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
      const { usage } = await stateOf(harness.id);
      for (const { barks = 0, mails = 0 } of usage) expect(Math.max(barks, mails)).toBeLessThanOrEqual(1);
    },
  );

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
      names: fc.shuffledSubarray(['put', 'bark', 'barkAsync', 'post', 'delete', 'create'] as const, {
        minLength: 2,
        maxLength: 2,
      }),
    },
    async ({ names, createHarness }) => {
      const harness = await createHarness('sync', 'record');
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
      await harness.runConcurrently([...inTurn(own, actor.show()), other]);
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
    async ({ rotates, more, order, clocks, score }) => {
      begin(rotates);
      const { ends, trace } = await interleave(clocks.slice(0, more ? 3 : 2).map(refresh), order);
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
    { rotates: fc.boolean() },
    async ({ rotates, order, clocks, score }) => {
      begin(rotates);
      const store = { name: 'store', run: () => storeCredential(own, client, 'theirs', context) };
      const { ends, trace } = await interleave<unknown>([refresh(clocks[0]), store], order);
      score.count(trace);
      expect(ends.map(({ result }) => result.status)).toEqual(['fulfilled', 'fulfilled']);
      const isSeen = trace.indexOf('store: PutSecretValue') < trace.lastIndexOf('refresh: GetSecretValue');
      const theirs = [1, 2].map((n) => issue(n, rotates ? undefined : 'theirs'));
      const refreshed = [1, 2].map((n) => issue(n, rotates ? undefined : 'refresh-0'));
      expect(isSeen ? theirs : [...theirs, ...refreshed]).toContainEqual(stored());
    },
  );
});
