import * as fc from 'fast-check';
import { firingTimeOf } from '../support/schedules.ts';
import { anyOrder } from './interleaving.ts';
import type { Actor, CreatedSchedule, Operation } from './operations.ts';
import type { RaceHarness } from './race-harness.ts';
import { anyEffects, race, settings, useRaces } from './races.ts';

useRaces();

/** Creates an operation. Returns undefined if the bark, schedule or dog that it needs does not exist yet. */
type CreateOperation = (actor: Actor, harness: RaceHarness) => Operation | undefined;

/** Returns one item of a list, or undefined if the list is empty. */
function pick<T>(list: readonly T[], which: number): T | undefined {
  return list[which % list.length];
}

const which = fc.nat({ max: 5 });
const inSeconds = fc.constantFrom(0, 0, -60, 3, 70, 600);
const frequencies = fc.constantFrom(1, 10, null);
const handlings = fc.constantFrom('sync' as const, 'async' as const);

/** Returns an operation on one of the asynchronous barks, preferably on a recent one. */
function onBark(create: (actor: Actor, bark: string) => Operation): fc.Arbitrary<CreateOperation> {
  return which.map((nth) => (actor, harness) => {
    const bark = pick(Object.keys(harness.model.barks).reverse(), nth);
    return bark === undefined ? undefined : create(actor, bark);
  });
}

const puts = fc
  .record({ handling: handlings, effects: anyEffects, onlyNew: fc.boolean(), addressed: fc.boolean() })
  .map(({ handling, effects, onlyNew, addressed }): CreateOperation => {
    const all = settings(handling, ...effects);
    const { email, owner, ...rest } = all;
    // Only mail needs addresses. A bark that was accepted earlier can lose its addresses.
    const some = addressed || effects.some((effect) => effect.startsWith('email')) ? all : rest;
    return (actor) => actor.put(some, { onlyNew });
  });

const patches = fc
  .record({
    barks: fc.oneof(
      fc.constant(null),
      frequencies.map((frequency) => ({ frequency })),
      fc.record({ next: inSeconds, frequency: frequencies }),
    ),
    ago: fc.nat({ max: 2 }),
  })
  .map(({ barks, ago }): CreateOperation => {
    return (actor, { at }) => {
      const next = barks && 'next' in barks ? { next: barks.next && at + barks.next } : {};
      return actor.patch(barks && { ...barks, ...next }, at - ago);
    };
  });

const posts = fc
  .record({ token: fc.nat({ max: 2 }), next: inSeconds, frequency: frequencies })
  .map(({ token, next, frequency }): CreateOperation => {
    return (actor, { at }) => actor.post(token, next && at + next, frequency);
  });

const barks = fc.record({ isAsync: fc.boolean(), inHistory: fc.boolean() }).map(
  (how): CreateOperation =>
    (actor) =>
      actor.bark(how),
);

/** A due occurrence of a schedule: the latest one, or one of the two before it. */
const occurrences = fc
  .record({ nth: which, late: fc.nat({ max: 2 }) })
  .map(({ nth, late }): CreateOperation => {
    return (actor, { schedules, at }) => {
      const due = schedules.filter(({ standing }) => firingTimeOf(standing, 0) <= at);
      const schedule = pick(due.reverse(), nth);
      return schedule && actor.fire(schedule, Math.max(0, firingsOf(schedule, at) - 1 - late));
    };
  });

/** Returns how often a schedule has fired. */
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

/** A bounce, a complaint, the end of a subscription, its undoing, or the lifting of a suspension. */
const suspensions = fc
  .record({
    kind: fc.constantFrom(
      'bounced' as const,
      'complained' as const,
      'unsubscribed' as const,
      'undone' as const,
      'lift' as const,
    ),
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
      if (kind === 'unsubscribed') return dog && actor.unsubscribe(dog.incarnation, recipients);
      if (kind === 'undone') return dog && actor.resubscribe(dog.incarnation, recipients);
      return dog && actor.feedback(dog.incarnation, recipients, kind, at - ago);
    };
  });

const anyOperation = fc.oneof(
  { weight: 4, arbitrary: puts },
  { weight: 2, arbitrary: fc.constant<CreateOperation>((actor) => actor.delete()) },
  { weight: 3, arbitrary: patches },
  { weight: 3, arbitrary: posts },
  { weight: 1, arbitrary: fc.constant<CreateOperation>((actor) => actor.endSchedule()) },
  { weight: 5, arbitrary: barks },
  { weight: 3, arbitrary: onBark((actor, bark) => actor.cancel(bark)) },
  { weight: 5, arbitrary: onBark((actor, bark) => actor.performBark(bark)) },
  { weight: 1, arbitrary: onBark((actor, bark) => actor.failBark(bark)) },
  { weight: 8, arbitrary: occurrences },
  { weight: 1, arbitrary: purges },
  { weight: 2, arbitrary: suspensions },
  { weight: 2, arbitrary: fc.constant<CreateOperation>((actor) => actor.show()) },
  { weight: 1, arbitrary: onBark((actor, bark) => actor.showBark(bark)) },
  { weight: 1, arbitrary: onBark((actor, bark) => actor.showBark(bark, { waits: true })) },
  { weight: 1, arbitrary: fc.constant<CreateOperation>((actor) => actor.showLastBark()) },
  { weight: 1, arbitrary: fc.constant<CreateOperation>((actor) => actor.showSchedule()) },
);

/** Advances the time, then concurrently runs operations of clients, the workflow, EventBridge Scheduler and the stream. */
class ConcurrentOperations implements fc.AsyncCommand<object, RaceHarness> {
  private readonly secondsLater: number;
  private readonly creates: readonly CreateOperation[];
  private readonly order: readonly number[];
  private description = '';

  constructor(secondsLater: number, creates: readonly CreateOperation[], order: readonly number[]) {
    this.secondsLater = secondsLater;
    this.creates = creates;
    this.order = order;
  }

  check(): boolean {
    return true;
  }

  async run(_: object, harness: RaceHarness): Promise<void> {
    harness.at += this.secondsLater;
    const operations = this.creates.flatMap((create) => create(harness.actor(), harness) ?? []);
    this.description = operations.map(({ name }) => name).join(' | ');
    await harness.runConcurrently(operations, this.order);
  }

  toString(): string {
    return `${this.secondsLater} s later: ${this.description} [${this.order}]`;
  }
}

const concurrentOperations = fc
  .record({
    // In some runs, all clocks are set back by an hour.
    secondsLater: fc.constantFrom(0, 1, 61, 130, 700, -3_600),
    creates: fc.array(anyOperation, { minLength: 2, maxLength: 3, size: 'max' }),
    order: anyOrder,
  })
  .map(({ secondsLater, creates, order }) => new ConcurrentOperations(secondsLater, creates, order));

race(
  'random operations in random interleavings',
  { commands: fc.commands([concurrentOperations], { maxCommands: 8, size: 'max' }) },
  async ({ commands, createHarness }) => {
    const harness = await createHarness('sync', 'record');
    await fc.asyncModelRun(() => ({ model: {}, real: harness }), commands);
  },
  { daily: 12, thorough: 800 },
);
