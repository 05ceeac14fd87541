import * as fc from 'fast-check';
import type { Bark } from '../../lambdas/domain/barks/bark.ts';
import { readBark } from '../../lambdas/domain/barks/queries.ts';
import type { Credential } from '../../lambdas/domain/credentials/credential.ts';
import { refreshCredential } from '../../lambdas/domain/credentials/refresh.ts';
import { storeCredential } from '../../lambdas/domain/credentials/store.ts';
import type { WorkflowInput } from '../../lambdas/domain/platform/step-functions.ts';
import { clearSecrets, plan, reset, secrets, sent, standing } from '../support/faults.ts';
import { anyOrder, hold, interleave } from './interleaving.ts';
import type { ModelDog } from './model/reference-model.ts';
import type { Operation } from './operations.ts';
import { RaceHarness, Score } from './race-harness.ts';
import {
  anyEffects,
  context,
  countedEffects,
  countOf,
  historyLengthOf,
  mailsOf,
  now,
  race,
  settings,
  throttleMailOnce,
  useRaces,
} from './races.ts';
import { stateOf } from './state.ts';

useRaces();

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

describe('An asynchronous bark', () => {
  race('cancel against complete', { effects: anyEffects }, async ({ effects, createHarness }) => {
    const harness = await createHarness('async', ...effects);
    const { bark = '' } = await harness.run(harness.actor().bark());
    const [cancelled, taken] = await harness.runConcurrently([
      harness.actor().cancel(bark),
      harness.actor().performBark(bark),
    ]);
    const again = await harness.run(harness.actor().performBark(bark));
    const happened = harness.model.barks[bark]?.status === 'complete';
    expect(cancelled?.outcome).toBe(happened ? 'TooLate' : 'done');
    if (!happened) expect([taken?.mails, again.mails, countOf(harness)]).toEqual([0, 0, 0]);
  });

  race(
    'complete against complete',
    { effects: countedEffects, more: fc.boolean() },
    async ({ effects, more, createHarness }) => {
      const harness = await createHarness('async', ...effects);
      const { bark = '' } = await harness.run(harness.actor().bark());
      const deliveries = Array.from({ length: more ? 3 : 2 }, () => harness.actor().performBark(bark));
      const taken = await harness.runConcurrently(deliveries);
      expect([countOf(harness), mailsOf(taken)]).toEqual([1, effects.length - 1]);
    },
  );

  race(
    'complete against fail',
    { effects: anyEffects, cancelled: fc.boolean() },
    async ({ effects, cancelled, createHarness }) => {
      const harness = await createHarness('async', ...effects);
      const { bark = '' } = await harness.run(harness.actor().bark());
      const actor = harness.actor();
      const ends = await harness.runConcurrently([
        actor.performBark(bark),
        actor.failBark(bark),
        ...(cancelled ? [actor.cancel(bark)] : []),
      ]);
      const { status } = harness.model.barks[bark] ?? {};
      if (status !== 'complete') expect([mailsOf(ends), countOf(harness)]).toEqual([0, 0]);
      expect(['complete', 'failed', 'cancelled']).toContain(status);
    },
  );

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

  race('accept against its own workflow', { effects: countedEffects }, async ({ effects, createHarness }) => {
    const harness = await createHarness('async', ...effects);
    const started = Promise.withResolvers<string>();
    plan('StartExecution', async ({ body }) => {
      const { input } = JSON.parse(new TextDecoder().decode(body as Uint8Array));
      started.resolve((JSON.parse(input) as WorkflowInput).bark);
    });
    const [accepted, taken] = await harness.runConcurrently([
      harness.actor().bark(),
      harness.actor().performBark(started.promise),
    ]);
    expect(accepted?.outcome).toBe('accepted');
    if (taken?.outcome === 'NotStored') await harness.run(harness.actor().performBark(await started.promise));
    expect(countOf(harness)).toBe(1);
  });

  race(
    'POST with a wait against its own workflow',
    { effects: anyEffects, twice: fc.boolean() },
    async ({ effects, twice, createHarness }) => {
      const harness = await createHarness('async', ...effects);
      const started = Promise.withResolvers<string>();
      plan('StartExecution', async ({ body }) => {
        const { input } = JSON.parse(new TextDecoder().decode(body as Uint8Array));
        started.resolve((JSON.parse(input) as WorkflowInput).bark);
      });
      const [posted, ...taken] = await harness.runConcurrently([
        harness.actor().bark({ waits: true }),
        ...Array.from({ length: twice ? 2 : 1 }, () => harness.actor().performBark(started.promise)),
      ]);
      const { status } = harness.model.barks[await started.promise] ?? {};
      const kind = effects.includes('record') ? 'recorded' : effects.includes('count') ? 'counted' : 'sent';
      expect(['accepted', kind]).toContain(posted?.awaited?.kind);
      if (posted?.awaited?.kind === kind) expect(status).toBe('complete');
      const last = await harness.run(harness.actor().performBark(await started.promise));
      expect(mailsOf([...taken, last])).toBe(effects.some((effect) => effect.startsWith('email')) ? 1 : 0);
    },
  );

  race(
    'GET with a wait against complete, cancel and fail',
    { effects: anyEffects, other: fc.constantFrom('cancel' as const, 'failBark' as const) },
    async ({ effects, other, createHarness }) => {
      const harness = await createHarness('async', ...effects);
      const { bark = '' } = await harness.run(harness.actor().bark());
      const [, , read] = await harness.runConcurrently([
        harness.actor().performBark(bark),
        harness.actor()[other](bark),
        harness.actor().showBark(bark, { waits: true }),
      ]);
      const { status } = harness.model.barks[bark] ?? {};
      expect([{ status: 'pending' }, { status }]).toContainEqual({
        status: (read?.shown as Bark | undefined)?.status,
      });
      // The wait does not shorten the time in which a client can cancel the bark.
      const { bark: second = '' } = await harness.run(harness.actor().bark({ waits: true }));
      expect((await harness.run(harness.actor().cancel(second))).outcome).toBe('done');
    },
  );

  race(
    'accept against two runs of its Express execution',
    { effects: countedEffects },
    async ({ effects, createHarness }) => {
      const harness = await createHarness('async', ...effects);
      const started = Promise.withResolvers<string>();
      plan('StartExecution', async ({ body }) => {
        const { input } = JSON.parse(new TextDecoder().decode(body as Uint8Array));
        started.resolve((JSON.parse(input) as WorkflowInput).bark);
      });
      const observations = await harness.runConcurrently([
        harness.actor().bark(),
        harness.actor().performBark(started.promise),
        harness.actor().performBark(started.promise),
      ]);
      const again = await harness.run(harness.actor().performBark(await started.promise));
      expect([again.outcome, countOf(harness), mailsOf([...observations, again])]).toEqual([
        'done',
        1,
        effects.length - 1,
      ]);
    },
  );

  race(
    'two runs of an Express execution against cancel or fail',
    { effects: anyEffects, other: fc.constantFrom('cancel' as const, 'failBark' as const) },
    async ({ effects, other, createHarness }) => {
      const harness = await createHarness('async', ...effects);
      const { bark = '' } = await harness.run(harness.actor().bark());
      const ends = await harness.runConcurrently([
        harness.actor().performBark(bark),
        harness.actor().performBark(bark),
        harness.actor()[other](bark),
      ]);
      const { status } = harness.model.barks[bark] ?? {};
      const again = await harness.run(harness.actor().performBark(bark));
      expect(again).toMatchObject({ outcome: 'done', mails: 0 });
      if (status !== 'complete') expect([mailsOf(ends), countOf(harness)]).toEqual([0, 0]);
      expect(['complete', 'failed', 'cancelled']).toContain(status);
    },
  );

  race(
    'complete, cancel or fail at the deadline',
    {
      effects: anyEffects,
      late: fc.constantFrom(-61, -60, -59, -1, 0, 1),
      other: fc.constantFrom('cancel' as const, 'failBark' as const),
    },
    async ({ effects, late, other, createHarness }) => {
      const harness = await createHarness('async', ...effects);
      const { bark = '' } = await harness.run(harness.actor().bark());
      harness.at = (harness.model.barks[bark]?.deadline ?? 0) + late;
      const actor = harness.actorAhead(0);
      await harness.runConcurrently([actor.performBark(bark), actor[other](bark), actor.showBark(bark)]);
      await harness.run(harness.actor().show());
    },
  );

  race(
    'accept against delete dog',
    { effects: anyEffects, again: fc.boolean() },
    async ({ effects, again, createHarness }) => {
      const harness = await createHarness('async', ...effects);
      const actor = harness.actor();
      const [accepted] = await harness.runConcurrently([
        actor.bark(),
        actor.delete(),
        ...(again ? [actor.put(settings('sync', 'record'))] : []),
      ]);
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
  const given = { effects: anyEffects, again: fc.boolean() };

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
      const { dog: gone, schedules: _, ...kinds } = await stateOf(id);
      expect(gone).toBeUndefined();
      for (const item of Object.values(kinds).flat()) expect(item).toHaveProperty('expires');
      await harness.actor().purge(dog).run();
      const { dog: __, schedules: ___, ...left } = await stateOf(id);
      expect(Object.values(left).flat()).toEqual([]);
      model.purged.push(dog.incarnation);
    },
  );

  race(
    'delete dog against bark',
    { ...given, effects: countedEffects },
    async ({ effects, again, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      const actor = harness.actor();
      const [, barked] = await harness.runConcurrently([
        actor.delete(),
        actor.bark(),
        ...(again ? [actor.put(settings('sync', 'count'))] : []),
      ]);
      if (!harness.model.dog) await harness.run(actor.put(settings('sync', 'count')));
      const isOfNewIncarnation = barked?.outcome === 'counted' && countOf(harness) === 1;
      if (!isOfNewIncarnation) expect(countOf(harness)).toBe(0);
    },
  );

  race('delete dog against complete', given, async ({ effects, again, createHarness }) => {
    const harness = await createHarness('async', ...effects);
    const { bark = '' } = await harness.run(harness.actor().bark());
    const actor = harness.actor();
    await harness.runConcurrently([
      actor.delete(),
      actor.performBark(bark),
      ...(again ? [actor.put(settings('sync', 'count'))] : []),
    ]);
    if (!harness.model.dog) await harness.run(actor.put(settings('sync', 'count')));
    await harness.run(actor.performBark(bark));
    expect([countOf(harness), harness.model.dog?.history]).toEqual([0, []]);
  });

  race(
    'delete dog against schedule',
    { next: fc.constantFrom(0, 120), again: fc.boolean() },
    async ({ next, again, createHarness }) => {
      const harness = await createHarness('sync', 'record');
      const actor = harness.actor();
      await harness.runConcurrently([
        actor.delete(),
        actor.post(1, next && harness.at + next, 10),
        ...(again ? [actor.put(settings('sync', 'count'))] : []),
      ]);
      for (const dog of harness.model.deleted) await harness.run(actor.purge(dog));
      const living = harness.model.dog?.schedule ? 1 : 0;
      expect(standing(harness.id)).toHaveLength(living);
    },
  );

  race(
    'purge against a new dog with the same ID',
    { effects: countedEffects, late: fc.boolean() },
    async ({ effects, late, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      const actor = harness.actor();
      await harness.run(actor.post(1, 0, 10));
      await harness.run(actor.bark());
      await harness.run(actor.delete());
      const [dog] = harness.model.deleted;
      if (!dog) throw new Error('No dog was deleted.');
      if (!late) await harness.run(actor.put(settings('sync', ...effects)));
      await harness.runConcurrently([
        actor.purge(dog),
        ...(late ? [actor.put(settings('sync', ...effects))] : [actor.bark()]),
        actor.post(1, 0, 20),
      ]);
    },
  );
});

describe('A bark with an idempotency key', () => {
  race(
    'POST against POST with the same key',
    {
      effect: fc.constantFrom('record' as const, 'count' as const),
      isAsync: fc.boolean(),
      otherIsAsync: fc.boolean(),
    },
    async ({ effect, isAsync, otherIsAsync, createHarness }) => {
      const harness = await createHarness('sync', effect);
      const [one, other] = await harness.runConcurrently([
        harness.actor().keyedBark('a', isAsync),
        harness.actor().keyedBark('a', otherIsAsync),
      ]);
      const { barks, dog } = harness.model;
      expect(Object.keys(barks).length + (dog?.barkCount ?? 0)).toBe(1);
      if (isAsync === otherIsAsync) expect(other?.shown).toEqual(one?.shown);
      else expect([one?.outcome, other?.outcome]).toContain('KeyReused');
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

  race(
    'GET of a bark against its end and delete dog',
    {
      effects: anyEffects,
      end: fc.constantFrom('cancel' as const, 'performBark' as const, 'failBark' as const),
    },
    async ({ effects, end, createHarness }) => {
      const harness = await createHarness('async', ...effects);
      const { bark = '' } = await harness.run(harness.actor().bark());
      const actor = harness.actor();
      await harness.runConcurrently([actor.showBark(bark), actor[end](bark), actor.delete()]);
      await harness.run(actor.showBark(bark));
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

describe('A suspended address', () => {
  const address = 'dog@example.com';
  const former = settings('sync', 'emailDog', 'record');
  const moved = { ...former, email: 'new@example.com' };
  const incarnationOf = ({ model }: RaceHarness) => model.dog?.incarnation ?? '';
  const reasons = fc.constantFrom('bounced' as const, 'complained' as const);

  race('new address against late feedback about the former one', { reason: reasons }, async (given) => {
    const { reason, createHarness } = given;
    const harness = await createHarness('sync', 'emailDog', 'record');
    const actor = harness.actor();
    await harness.runConcurrently([
      actor.put(moved),
      actor.feedback(incarnationOf(harness), [address], reason, harness.at - 5),
    ]);
    await harness.run(actor.feedback(incarnationOf(harness), [address], reason, harness.at - 4));
    const { mails, outcome } = await harness.run(actor.bark());
    expect([outcome, mails]).toEqual(['recorded', 1]);
  });

  race('feedback, unsubscribe and bark', { reason: reasons }, async ({ reason, createHarness }) => {
    const harness = await createHarness('sync', 'emailDog', 'record');
    const actor = harness.actor();
    const [, , bark] = await harness.runConcurrently([
      actor.feedback(incarnationOf(harness), [address], reason, harness.at - 5),
      actor.unsubscribe(incarnationOf(harness), [address]),
      actor.bark(),
    ]);
    expect(bark?.mails).toBe(bark?.outcome === 'recorded' ? 1 : 0);
    expect(harness.model.dog?.suspensions).toHaveLength(1);
    const { mails, outcome } = await harness.run(actor.bark());
    expect([outcome, mails]).toEqual(['AddressSuspended', 0]);
  });

  race('lift against feedback that is delivered twice', { reason: reasons }, async (given) => {
    const { reason, createHarness } = given;
    const harness = await createHarness('sync', 'emailDog', 'record');
    const actor = harness.actor();
    const feedback = () => actor.feedback(incarnationOf(harness), [address], reason, harness.at - 5);
    await harness.run(feedback());
    await harness.runConcurrently([actor.lift(address), feedback(), feedback()]);
    const { mails, outcome } = await harness.run(actor.bark());
    expect([outcome, mails]).toEqual(['recorded', 1]);
  });

  race(
    'suspension against an asynchronous bark and a schedule that begins now',
    { reason: reasons },
    async ({ reason, createHarness }) => {
      const harness = await createHarness('async', 'emailDog', 'record');
      const actor = harness.actor();
      const { bark = '' } = await harness.run(actor.bark());
      await harness.runConcurrently([
        actor.feedback(incarnationOf(harness), [address], reason, harness.at - 5),
        actor.performBark(bark),
        actor.post(1, 0, 10),
      ]);
      await harness.run(actor.show());
    },
  );
});
