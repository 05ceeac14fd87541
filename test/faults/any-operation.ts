import * as fc from 'fast-check';
import type { DogSettings, Effect } from '../../lambdas/domain/dogs/dog.ts';
import { firingTimeOf } from '../support/schedules.ts';
import type { Actor, CreatedSchedule, Operation } from './operations.ts';
import type { RaceHarness } from './race-harness.ts';
import { waitingForBark } from './waiting.ts'; // @extension waiting

/** Creates an operation. Returns undefined if the bark, schedule or dog that it needs does not exist yet. */
export type CreateOperation = (actor: Actor, harness: RaceHarness) => Operation | undefined;

function pick<T>(list: readonly T[], which: number): T | undefined {
  return list[which % list.length];
}

const which = fc.nat({ max: 5 });

/** The time that a request names. `own` is the first time of the latest schedule. */
const inSeconds = fc.constantFrom(0, 0, -60, 2, 70, 120, 600, 'own' as const);
const frequencies = fc.constantFrom(1, 10, null);

function timeOf(next: number | 'own', { at, schedules }: RaceHarness): number {
  const latest = schedules.at(-1);
  if (next === 'own') return latest ? firingTimeOf(latest.standing, 0) : 0;
  return next && at + next;
}

/** Returns an operation on one of the asynchronous barks, preferably on a recent one. */
function onBark(create: (actor: Actor, bark: string) => Operation): fc.Arbitrary<CreateOperation> {
  return which.map((nth) => (actor, harness) => {
    const bark = pick(Object.keys(harness.model.barks).reverse(), nth);
    return bark === undefined ? undefined : create(actor, bark);
  });
}

/** Returns settings with all addresses. */
export function settings(barkHandling: DogSettings['barkHandling'], ...barkEffects: Effect[]): DogSettings {
  return { email: 'dog@example.com', owner: 'mailto:owner@example.com', barkEffects, barkHandling };
}

export const anyEffects = fc.constantFrom<Effect[]>(
  ['record'],
  ['emailDog', 'record'],
  ['count'],
  ['emailOwner', 'count'],
  ['emailDog'],
);

const puts = fc
  .record({
    handling: fc.constantFrom('sync' as const, 'async' as const),
    effects: anyEffects,
    precondition: fc.constantFrom('none', 'none', 'If-None-Match', 'If-Match'),
    addresses: fc.constantFrom('all', 'all', 'another', 'none'),
  })
  .map(({ handling, effects, precondition, addresses }): CreateOperation => {
    const all = settings(handling, ...effects);
    const { email, owner, ...rest } = all;
    // Only mail needs addresses. A bark that was accepted earlier can lose its addresses.
    const needs = effects.some((effect) => effect.startsWith('email'));
    const some = addresses === 'none' && !needs ? rest : all;
    return (actor, { model: { dog } }) =>
      actor.put(addresses === 'another' ? { ...all, email: 'new@example.com' } : some, {
        onlyNew: precondition === 'If-None-Match',
        ...(precondition === 'If-Match' && dog && { only: dog }),
      });
  });

const patches = fc
  .record({
    barks: fc.oneof(
      fc.constant(null),
      fc.record({ next: inSeconds, frequency: frequencies }, { requiredKeys: [] }),
    ),
    ago: fc.nat({ max: 2 }),
  })
  .map(({ barks, ago }): CreateOperation => {
    return (actor, harness) => {
      const { at, model } = harness;
      const { next } = barks ?? {};
      const changed = barks && { ...barks, ...(next !== undefined && { next: timeOf(next, harness) }) };
      return actor.patch(
        changed as Parameters<Actor['patch']>[0],
        Math.max(at, model.dog?.lastModified ?? 0) - ago,
      );
    };
  });

const posts = fc
  .record({ token: fc.nat({ max: 2 }), next: inSeconds, frequency: frequencies })
  .map(({ token, next, frequency }): CreateOperation => {
    return (actor, harness) => actor.post(token, timeOf(next, harness), frequency);
  });

/** A due occurrence of a schedule: the latest one, or one of the two before it. Lambda can run twice for the same event. */
const occurrences = fc
  .record({ nth: which, late: fc.nat({ max: 2 }), isSameEvent: fc.boolean() })
  .map(({ nth, late, isSameEvent }): CreateOperation => {
    return (actor, { schedules, latest }) => {
      const due = schedules.filter(({ standing }) => firingTimeOf(standing, 0) <= latest);
      const schedule = pick(due.reverse(), nth);
      if (!schedule) return undefined;
      const n = Math.max(0, firingsOf(schedule, latest) - 1 - late);
      return actor.fire(schedule, n, isSameEvent ? `${schedule.scheduleId} ${n}` : undefined);
    };
  });

function firingsOf({ standing }: CreatedSchedule, at: number): number {
  if (standing.ScheduleExpression.startsWith('at')) return 1;
  let firings = 0;
  while (firingTimeOf(standing, firings) <= at) firings += 1;
  return firings;
}

const purges = which.map((nth): CreateOperation => {
  return (actor, { model: { deleted } }) => {
    const dog = pick(deleted, nth);
    return dog && actor.purge(dog);
  };
});

const suspensions = fc
  .record({
    kind: fc.constantFrom('bounced', 'complained', 'unsubscribed', 'undone', 'lift'),
    recipients: fc.constantFrom(
      ['dog@example.com'],
      ['owner@example.com'],
      ['dog@example.com', 'owner@example.com'],
    ),
    ago: fc.nat({ max: 2 }),
  })
  .map(({ kind, recipients, ago }): CreateOperation => {
    return (actor, { at, model: { dog } }) => {
      if (kind === 'lift') return actor.lift(recipients[0] ?? '');
      if (kind === 'unsubscribed')
        return dog && actor.changeSubscription('unsubscribe', dog.incarnation, recipients);
      if (kind === 'undone')
        return dog && actor.changeSubscription('resubscribe', dog.incarnation, recipients);
      return dog && actor.feedback(dog.incarnation, recipients, kind, at - ago);
    };
  });

const always = (create: CreateOperation) => fc.constant(create);

export const operations = {
  'PUT dog': { weight: 4, arbitrary: puts },
  'DELETE dog': { weight: 2, arbitrary: always((actor) => actor.delete()) },
  'PATCH dog': { weight: 3, arbitrary: patches },
  'POST bark-schedule': { weight: 3, arbitrary: posts },
  'DELETE bark-schedule': { weight: 1, arbitrary: always((actor) => actor.endSchedule()) },
  'POST bark': {
    weight: 5,
    arbitrary: fc.record({ isAsync: fc.boolean(), inHistory: fc.boolean() }).map(
      (how): CreateOperation =>
        (actor) =>
          actor.bark(how),
    ),
  },
  'DELETE bark': { weight: 3, arbitrary: onBark((actor, bark) => actor.cancel(bark)) },
  'perform bark': { weight: 5, arbitrary: onBark((actor, bark) => actor.performBark(bark)) },
  'fail bark': { weight: 1, arbitrary: onBark((actor, bark) => actor.failBark(bark)) },
  occurrence: { weight: 8, arbitrary: occurrences },
  purge: { weight: 1, arbitrary: purges },
  suspension: { weight: 2, arbitrary: suspensions },
  'GET dog': { weight: 2, arbitrary: always((actor) => actor.show()) },
  'GET bark': { weight: 1, arbitrary: onBark((actor, bark) => actor.showBark(bark)) },
  // @extension waiting {
  'GET bark, with a wait': {
    weight: 1,
    arbitrary: onBark((actor, bark) => waitingForBark(actor.showBark(bark))),
  },
  // @extension waiting }
  'GET last bark': { weight: 1, arbitrary: always((actor) => actor.showLastBark()) },
  'GET bark-schedule': { weight: 1, arbitrary: always((actor) => actor.showSchedule()) },
} as const;

export const anyOperation = fc.oneof(...Object.values(operations));
