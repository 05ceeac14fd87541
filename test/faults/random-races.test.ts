import * as fc from 'fast-check';
import { occurrenceOf } from '../support/schedules.ts';
import { anyOrder } from './interleaving.ts';
import type { Keeper, Operation } from './operations.ts';
import { Kennel } from './race-harness.ts';
import { anyEffects, race, settings, useRaces } from './races.ts';

useRaces();

/** What may be asked of a dog; undefined where there is not yet what it is about. */
type Wish = (keeper: Keeper, kennel: Kennel) => Operation | undefined;

/** One of a list, whatever its length; undefined if it is empty. */
function pick<T>(list: readonly T[], which: number): T | undefined {
  return list[which % list.length];
}

const which = fc.nat({ max: 5 });
const inSeconds = fc.constantFrom(0, 0, 70, 600);
const frequencies = fc.constantFrom(1, 10, null);
const handlings = fc.constantFrom('sync' as const, 'async' as const);

/** A wish about one of the asynchronous barks, rather a late one. */
function aboutBark(wish: (keeper: Keeper, bark: string) => Operation): fc.Arbitrary<Wish> {
  return which.map((nth) => (keeper, kennel) => {
    const bark = pick(Object.keys(kennel.world.barks).reverse(), nth);
    return bark === undefined ? undefined : wish(keeper, bark);
  });
}

const puts = fc
  .record({ handling: handlings, effects: anyEffects, onlyNew: fc.boolean(), addressed: fc.boolean() })
  .map(({ handling, effects, onlyNew, addressed }): Wish => {
    const all = settings(handling, ...effects);
    const { email, owner, ...rest } = all;
    // Only what mails needs addresses, and what was accepted before may lose them.
    const some = addressed || effects.some((effect) => effect.startsWith('email')) ? all : rest;
    return (keeper) => keeper.put(some, { onlyNew });
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
  .map(({ barks, ago }): Wish => {
    return (keeper, { at }) => {
      const next = barks && 'next' in barks ? { next: barks.next && at + barks.next } : {};
      return keeper.patch(barks && { ...barks, ...next }, at - ago);
    };
  });

const posts = fc
  .record({ token: fc.nat({ max: 2 }), next: inSeconds, frequency: frequencies })
  .map(({ token, next, frequency }): Wish => {
    return (keeper, { at }) => keeper.post(token, next && at + next, frequency);
  });

const barks = fc.record({ isAsync: fc.boolean(), inHistory: fc.boolean() }).map(
  (how): Wish =>
    (keeper) =>
      keeper.bark(how),
);

/** An occurrence of a schedule whose time has come: the latest, or one so many slots before it. */
const occurrences = fc.record({ nth: which, late: fc.nat({ max: 2 }) }).map(({ nth, late }): Wish => {
  return (keeper, { schedules, at }) => {
    const due = schedules.filter((schedule) => occurrenceOf(schedule).firstInvocationAt <= at);
    const schedule = pick(due.reverse(), nth);
    if (!schedule) return undefined;
    const { firstInvocationAt, frequency } = occurrenceOf(schedule);
    const latest = frequency === null ? 0 : Math.floor((at - firstInvocationAt) / (60 * frequency));
    return keeper.fire(schedule, Math.max(0, latest - late));
  };
});

const purges = which.map((nth): Wish => {
  return (keeper, { world: { deleted } }) => {
    const dog = pick(deleted, nth);
    return dog && keeper.purge(dog);
  };
});

const wishes = fc.oneof(
  { weight: 4, arbitrary: puts },
  { weight: 2, arbitrary: fc.constant<Wish>((keeper) => keeper.delete()) },
  { weight: 3, arbitrary: patches },
  { weight: 3, arbitrary: posts },
  { weight: 1, arbitrary: fc.constant<Wish>((keeper) => keeper.endSchedule()) },
  { weight: 5, arbitrary: barks },
  { weight: 3, arbitrary: aboutBark((keeper, bark) => keeper.cancel(bark)) },
  { weight: 5, arbitrary: aboutBark((keeper, bark) => keeper.takeEffect(bark)) },
  { weight: 1, arbitrary: aboutBark((keeper, bark) => keeper.giveUp(bark)) },
  { weight: 8, arbitrary: occurrences },
  { weight: 1, arbitrary: purges },
  { weight: 2, arbitrary: fc.constant<Wish>((keeper) => keeper.show()) },
  { weight: 1, arbitrary: aboutBark((keeper, bark) => keeper.showBark(bark)) },
);

/** Time passes, and then clients, workflow, scheduler and stream do several things at once. */
class AtOnce implements fc.AsyncCommand<object, Kennel> {
  private readonly later: number;
  private readonly wishes: readonly (readonly [Wish, number])[];
  private readonly order: readonly number[];
  private told = '';

  constructor(later: number, wishes: readonly (readonly [Wish, number])[], order: readonly number[]) {
    this.later = later;
    this.wishes = wishes;
    this.order = order;
  }

  check(): boolean {
    return true;
  }

  async run(_: object, kennel: Kennel): Promise<void> {
    kennel.at += this.later;
    const operations = this.wishes.flatMap(([wish, ahead]) => wish(kennel.keeper(ahead), kennel) ?? []);
    this.told = operations.map(({ name }) => name).join(' | ');
    await kennel.together(operations, this.order);
  }

  toString(): string {
    return `${this.later} s later: ${this.told} [${this.order}]`;
  }
}

const atOnce = fc
  .record({
    later: fc.constantFrom(0, 1, 61, 130, 700),
    wishes: fc.array(fc.tuple(wishes, fc.nat({ max: 1 })), { minLength: 2, maxLength: 3, size: 'max' }),
    order: anyOrder,
  })
  .map(({ later, wishes, order }) => new AtOnce(later, wishes, order));

race(
  'all that may be done, by chance',
  { runs: { daily: 25, thorough: 800 }, given: fc.commands([atOnce], { maxCommands: 8, size: 'max' }) },
  async (commands, score) => {
    const kennel = new Kennel(score);
    await kennel.alone(kennel.keeper().put(settings('sync', 'record')));
    await fc.asyncModelRun(() => ({ model: {}, real: kennel }), commands);
  },
);
