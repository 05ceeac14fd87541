import * as fc from 'fast-check';
import { sent, standing } from '../support/faults.ts';
import { firingTimeOf } from '../support/schedules.ts';
import { interleave } from './interleaving.ts';
import { timesOf } from './model/reference-model.ts';
import { isLive } from './model/schedule-rules.ts';
import type { CreatedSchedule } from './operations.ts';
import type { RaceHarness } from './race-harness.ts';
import {
  anyEffects,
  countedEffects,
  countOf,
  historyLengthOf,
  mailsOf,
  otherThanRecord,
  race,
  settings,
  throttleMailOnce,
  useRaces,
} from './races.ts';
import { stateOf } from './state.ts';

useRaces();

describe('Settings and schedules', () => {
  race(
    'schedule against schedule',
    {
      effects: anyEffects,
      next: fc.constantFrom(0, 120),
      others: fc.subarray(['patch', 'end', 'post'] as const, { minLength: 1, maxLength: 2 }),
    },
    async ({ effects, next, others, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      await harness.run(harness.actor().post(1, harness.at + 60, 10));
      const actor = harness.actor();
      const operations = {
        patch: actor.patch({ next: next && harness.at + next }, harness.at),
        end: actor.endSchedule(),
        post: actor.post(3, 0, 10),
      };
      const at = next && harness.at + next;
      await harness.runConcurrently([
        harness.actor().post(2, at, 20),
        ...others.map((one) => operations[one]),
      ]);
      const { dog } = harness.model;
      expect(standing(harness.id)).toHaveLength(isLive(dog?.schedule) ? 1 : 0);
    },
  );

  race(
    'put against patch',
    { effects: anyEffects, other: anyEffects, ago: fc.nat({ max: 2 }) },
    async ({ effects, other, ago, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      harness.at += 5;
      const [put, patched] = await harness.runConcurrently([
        harness.actor().put(settings('sync', ...other)),
        harness.actor().patch({ next: 0, frequency: 10 }, harness.at - ago),
      ]);
      expect(put?.outcome).toBe('replaced');
      expect(harness.model.dog?.settings.barkEffects).toEqual(other);
      expect(harness.model.dog?.schedule !== undefined).toBe(patched?.outcome === 'changed');
    },
  );

  race(
    'put against the same put',
    { effects: otherThanRecord, barks: fc.boolean() },
    async ({ effects, barks, createHarness }) => {
      const harness = await createHarness('sync', 'record');
      const { dog: only } = harness.model;
      if (!only) throw new Error('There is no dog.');
      const actor = harness.actor();
      const [one, other] = await harness.runConcurrently([
        actor.put(settings('sync', ...effects), { only }),
        actor.put(settings('async', 'record'), { only }),
        ...(barks ? [actor.bark()] : []),
      ]);
      const made = [one, other].filter((put) => put?.outcome === 'replaced');
      expect(made.length).toBeLessThanOrEqual(1);
      if (!barks) expect(made).toHaveLength(1);
    },
  );

  race('create against create', { deleted: fc.boolean() }, async ({ deleted, newHarness }) => {
    const harness = newHarness();
    const actor = harness.actor();
    const puts = await harness.runConcurrently([
      actor.put(settings('sync', 'record'), { onlyNew: true }),
      actor.put(settings('sync', 'count'), { onlyNew: true }),
      ...(deleted ? [actor.delete()] : []),
    ]);
    const made = puts.filter(({ outcome }) => outcome === 'created').length;
    expect(made).toBe(1 + harness.model.deleted.length - (harness.model.dog ? 0 : 1));
  });

  race(
    'PATCH against the same PATCH',
    {
      effects: countedEffects,
      ago: fc.nat({ max: 2 }),
      next: fc.constantFrom(0, 120),
    },
    async ({ effects, ago, next, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      harness.at += 5;
      const barks = { next: next && harness.at + next, frequency: 10 };
      const patches = await harness.runConcurrently([
        harness.actor().patch(barks, harness.at - ago),
        harness.actor().patch(barks, harness.at - ago),
      ]);
      expect(patches.map(({ outcome }) => outcome).sort()).toEqual(['changed', 'unchanged']);
      expect(countOf(harness)).toBe(next === 0 ? 1 : 0);
    },
  );

  race(
    'POST against POST with the same token',
    { effects: countedEffects, frequency: fc.constantFrom(10, 20) },
    async ({ effects, frequency, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      const posts = await harness.runConcurrently([
        harness.actor().post(7, 0, 10),
        harness.actor().post(7, 0, frequency),
      ]);
      const refused = frequency === 10 ? 'unchanged' : 'TokenReused';
      expect(posts.map(({ outcome }) => outcome).sort()).toEqual([refused, 'changed'].sort());
      expect([countOf(harness), mailsOf(posts)]).toEqual([1, effects.length - 1]);
    },
  );
});

describe('An occurrence', () => {
  /** Makes the dog of a harness bark every minute, starting in 60 seconds. Returns the schedule. */
  async function setSchedule(harness: RaceHarness, frequency: number | null = 1): Promise<CreatedSchedule> {
    await harness.run(harness.actor().post(1, harness.at + 60, frequency));
    return harness.schedules[0] as CreatedSchedule;
  }

  /** Makes the dog of a harness miss its first two occurrences. Returns the schedule. */
  async function missOccurrences(harness: RaceHarness): Promise<CreatedSchedule> {
    const schedule = await setSchedule(harness);
    harness.at += 125;
    return schedule;
  }

  race(
    'occurrence against the same occurrence',
    { effects: countedEffects, more: fc.boolean() },
    async ({ effects, more, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      const schedule = await missOccurrences(harness);
      const deliveries = Array.from({ length: more ? 3 : 2 }, () => harness.actor().fire(schedule, 0));
      const fired = await harness.runConcurrently(deliveries);
      expect([countOf(harness), mailsOf(fired)]).toEqual([1, effects.length - 1]);
    },
  );

  race(
    'occurrence against the same occurrence, with SES throttled at first',
    {},
    async ({ order, score, createHarness }) => {
      const harness = await createHarness('sync', 'emailDog', 'record');
      const schedule = await missOccurrences(harness);
      const fire = harness.actor().fire(schedule, 0);
      throttleMailOnce();
      const { trace } = await interleave([fire, fire, fire], order);
      score.count(trace);
      await fire.run();
      expect([await historyLengthOf(harness.id), sent().length]).toEqual([1, 1]);
    },
  );

  race(
    'occurrence against another run for the same Lambda event',
    { more: fc.boolean() },
    async ({ more, createHarness }) => {
      const harness = await createHarness('sync', 'emailDog', 'record');
      const schedule = await missOccurrences(harness);
      const fire = () => harness.actor().fire(schedule, 0, 'one event');
      const fired = await harness.runConcurrently(Array.from({ length: more ? 3 : 2 }, fire));
      harness.at += 65;
      const again = await harness.run(fire());
      expect([again.outcome, countOf(harness), mailsOf([...fired, again])]).toEqual(['done', 1, 1]);
      const { history } = await stateOf(harness.id);
      expect(history.map(({ mail }) => mail)).toEqual(['sent']);
    },
  );

  race(
    'occurrence against PATCH',
    {
      effects: countedEffects,
      barks: fc.constantFrom(null, { next: 0 }, { frequency: 5 }, { frequency: 0 }),
    },
    async ({ effects, barks, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      const schedule = await missOccurrences(harness);
      const fire = harness.actor().fire(schedule, 0);
      await harness.runConcurrently([fire, harness.actor().patch(barks, harness.at)]);
      const before = countOf(harness);
      await harness.run(harness.actor().fire(schedule, 1));
      expect(countOf(harness)).toBe(before);
    },
  );

  race(
    'occurrence against a PATCH that keeps its time',
    { effects: countedEffects, frequency: fc.constantFrom(0, 5) },
    async ({ effects, frequency, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      const schedule = await setSchedule(harness);
      harness.at += 59;
      const fire = harness.actorAhead(1).fire(schedule, 0);
      // The clock of the PATCH shows that the bark is not late, so the PATCH keeps its time.
      await harness.runConcurrently([fire, harness.actorAhead(0).patch({ frequency }, harness.at)]);
      await harness.run(harness.actorAhead(1).fire(harness.schedules.at(-1) as CreatedSchedule, 0));
      const { history = [] } = harness.model.dog ?? {};
      expect(history).toEqual([...new Set(history)]);
      expect(timesOf(history)).toContain(firingTimeOf(schedule.standing, 0));
    },
  );

  race(
    'occurrence against a request for its own time',
    {
      effects: countedEffects,
      frequency: fc.constantFrom(null, 1, 5),
      late: fc.constantFrom(-1, 0, 30),
      patched: fc.boolean(),
    },
    async ({ effects, frequency, late, patched, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      const schedule = await setSchedule(harness);
      const next = firingTimeOf(schedule.standing, 0);
      harness.at = next + late;
      const actor = harness.actorAhead(0);
      await harness.runConcurrently([
        harness.actorAhead(Math.max(0, -late)).fire(schedule, 0),
        patched ? actor.patch({ next, frequency }, harness.at) : actor.post(2, next, frequency),
      ]);
      const latest = harness.schedules.at(-1) as CreatedSchedule;
      const live = standing(harness.id).includes(latest.standing);
      if (live) await harness.run(harness.actorAhead(1).fire(latest, 0));
      const { history = [] } = harness.model.dog ?? {};
      expect(timesOf(history).filter((time) => time === next).length).toBeLessThanOrEqual(1);
      expect(history).toEqual([...new Set(history)]);
    },
  );

  race(
    'occurrence against a new schedule that begins earlier',
    {
      next: fc.constantFrom(0, 2),
      frequency: fc.constantFrom(null, 1, 10),
      end: fc.constantFrom('PATCH' as const, 'DELETE' as const),
    },
    async ({ next, frequency, end, createHarness }) => {
      const harness = await createHarness('sync', 'record');
      const former = await setSchedule(harness);
      // The clocks of the functions are behind the clock of EventBridge Scheduler.
      harness.at += 57;
      await harness.run(harness.actorAhead(0).fire(former, 0));
      const setNew = harness.actorAhead(0).post(2, next && harness.at + next, frequency);
      await harness.runConcurrently([harness.actor().fire(former, 1), setNew]);
      await harness.run(harness.actor().showSchedule());
      const schedule = harness.schedules.at(-1) as CreatedSchedule;
      if (schedule !== former) await harness.run(harness.actor().fire(schedule, 0));
      const actor = harness.actor();
      await harness.run({ PATCH: actor.patch(null, harness.at + 10), DELETE: actor.endSchedule() }[end]);
      await harness.run(actor.show());
    },
  );

  race(
    'occurrence, which may be the only one, against the end of its schedule',
    {
      frequency: fc.constantFrom(null, 1),
      end: fc.constantFrom('PATCH' as const, 'DELETE' as const),
    },
    async ({ frequency, end, createHarness }) => {
      const harness = await createHarness('sync', 'record');
      const schedule = await setSchedule(harness, frequency);
      harness.at += 65;
      const actor = harness.actor();
      const ends = { PATCH: actor.patch(null, harness.at), DELETE: actor.endSchedule() };
      const [, ended] = await harness.runConcurrently([actor.fire(schedule, 0), ends[end]]);
      if (frequency === null && countOf(harness) === 1) expect(ended?.outcome).not.toBe('changed');
    },
  );

  race(
    'occurrence against a later one and put',
    { effects: anyEffects, other: anyEffects },
    async ({ effects, other, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      const schedule = await missOccurrences(harness);
      const actor = harness.actor();
      await harness.runConcurrently([
        actor.fire(schedule, 0),
        actor.fire(schedule, 1),
        actor.put(settings('sync', ...other)),
      ]);
      expect(harness.model.dog?.history).toHaveLength(2);
    },
  );

  race(
    'occurrence against delete dog',
    { effects: countedEffects, again: fc.boolean() },
    async ({ effects, again, createHarness }) => {
      const harness = await createHarness('sync', ...effects);
      const schedule = await missOccurrences(harness);
      const actor = harness.actor();
      await harness.runConcurrently([
        actor.fire(schedule, 0),
        actor.delete(),
        ...(again ? [actor.put(settings('sync', 'record'))] : []),
      ]);
      if (!harness.model.dog) await harness.run(actor.put(settings('sync', 'record')));
      await harness.run(actor.fire(schedule, 1));
      expect(countOf(harness)).toBe(0);
    },
  );
});
