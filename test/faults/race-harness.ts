import { isDeepStrictEqual } from 'node:util';
import type { Dog } from '../../lambdas/domain/dogs/dog.ts';
import { isLive } from '../../lambdas/domain/schedules/schedule.ts';
import { type StandingSchedule, standing } from '../support/faults.ts';
import { occurrenceOf } from '../support/schedules.ts';
import { type Ended, interleave, type Run } from './interleaving.ts';
import { type Answer, isChange, Keeper, type Look, type Operation, type Seen } from './operations.ts';
import { follow, ordersOf, restOf, type Way, wordsOf, worldsAround } from './orders.ts';
import { nameless, nobody, noteOf, type World } from './reference-model.ts';
import { stateOf } from './state.ts';

/** What was found of the interleavings of a race. */
export class Score {
  interleavings = 0;
  private readonly traces = new Set<string>();
  /** Those that no order of the operations explains. */
  unexplained = 0;
  /** Barks that were to be counted and were not. */
  lost = 0;
  /** Barks that were counted and were not to be, or once too often. */
  doubled = 0;
  /** Errors that are no answers. */
  unhandled = 0;

  count(trace: readonly string[]): void {
    this.interleavings += 1;
    this.traces.add(trace.join('\n'));
  }

  /** How many of the interleavings differ. */
  get different(): number {
    return this.traces.size;
  }
}

let kennels = 0;

/** A dog of the service and one in memory, to which the same happens: to the one at once, to the other one by one. */
export class Kennel {
  readonly id: string;
  /** Unix seconds. */
  at = Date.UTC(2026, 10, 21, 12) / 1000;
  world: World = nobody();
  /** All schedules that the scheduler was ever asked for, whether or not they still stand. */
  readonly schedules: StandingSchedule[] = [];
  private readonly score: Score;

  constructor(score: Score) {
    kennels += 1;
    this.id = `dog-${kennels}`;
    this.score = score;
  }

  /** What may be asked of the dog now, by a function whose clock is ahead by so much. */
  keeper(ahead = 0): Keeper {
    return new Keeper(this.id, this.at + ahead);
  }

  /** Does one thing alone. */
  async alone(operation: Operation): Promise<Seen> {
    const [seen] = (await this.together([operation], [])) as [Seen];
    return seen;
  }

  /**
   * Does several things at once, in an interleaving, and looks for an order in which the dog in memory, doing one after
   * the other, answers the same and ends the same.
   *
   * @throws Error if there is none
   */
  async together(operations: readonly Operation[], order: readonly number[]): Promise<Seen[]> {
    const { ends, trace } = await interleave(operations, order);
    if (operations.length > 1) this.score.count(trace);
    this.schedules.push(...ends.flatMap(({ schedules }) => schedules));
    const seen = this.seenOf(operations, ends, trace);
    const stored = await this.stored();
    const runOf = (operation: Operation) => ends[operations.indexOf(operation)] as Run;
    const explains = (way: Way) =>
      way.isRight &&
      isDeepStrictEqual(stored, this.expected(way.world)) &&
      looksOf(operations).every((look) =>
        look.isOf(worldsAround(runOf(look), way, runOf), seen.get(look) as Seen),
      );
    const ways = () => this.ways(operations, ends, seen);
    const found = firstOf(ways(), explains);
    const list = operations.map((operation) => seen.get(operation) as Seen);
    if (!found) throw this.unexplained(stored, [...ways()], trace, operations, list);
    this.world = found.world;
    this.checkScheduler(trace);
    await this.checkPurged(trace);
    return list;
  }

  /** What would come of each order of the changes. */
  private *ways(
    operations: readonly Operation[],
    ends: readonly Run[],
    seen: ReadonlyMap<Operation, Seen>,
  ): Generator<Way> {
    const rests = operations.map((operation, i) => restOf(operation, ends[i] as Run));
    for (const steps of ordersOf(rests)) yield follow(this.world, steps, seen);
  }

  private seenOf(
    operations: readonly Operation[],
    ends: readonly Ended<Answer>[],
    trace: readonly string[],
  ): Map<Operation, Seen> {
    const answers = ends.map(({ answer, name }) => {
      if (answer.status === 'fulfilled') return answer.value;
      this.score.unhandled += 1;
      throw new Error(`${name} failed in this interleaving:\n${trace.join('\n')}`, { cause: answer.reason });
    });
    // A task may be told of a bark while that is still being accepted.
    const bark = answers.find((answer) => answer.bark)?.bark;
    return new Map(
      operations.map((operation, i) => {
        const { calls, schedules } = ends[i] as Ended<Answer>;
        const [made] = schedules.slice(-1);
        const rivals = operations.flatMap((other, j) =>
          j !== i && barkOf(other) !== undefined && barkOf(other) === barkOf(operation)
            ? [answers[j]?.outcome ?? '']
            : [],
        );
        return [
          operation,
          {
            ...(bark !== undefined && { bark }),
            ...(answers[i] as Answer),
            mails: calls.filter((call) => call === 'SendEmail').length,
            scheduleId: made && occurrenceOf(made).scheduleId,
            rivals,
          },
        ];
      }),
    );
  }

  /** What the tables hold of the dog, in the terms of the dog in memory. */
  private async stored() {
    const { dog, notes, barks, markers, memories, keys } = await stateOf(this.id);
    const own = <Item extends { incarnation: string }>(items: readonly Item[]) =>
      items.filter(({ incarnation }) => incarnation === dog?.incarnation);
    return {
      dog: dog && this.nameless(dog),
      notes: own(notes).map(noteOf).sort(),
      barks: Object.fromEntries(
        own(barks).map(({ sk, incarnation, effects, deadline, status, inHistory = false }) => [
          `a${sk.slice(2)}`,
          { incarnation, effects, inHistory, deadline, status },
        ]),
      ),
      markers: own(markers)
        .map(({ sk }) => `a${sk.split('#')[2]}`)
        .sort(),
      memories: own(memories).length,
      keys: own(keys).length,
    };
  }

  private expected({ dog, barks, keys }: World): Awaited<ReturnType<Kennel['stored']>> {
    const own = Object.entries(barks).filter(([, { incarnation }]) => incarnation === dog?.incarnation);
    const { notes = [], slots, memories = {}, ...kept } = dog ?? {};
    return {
      dog: dog && this.nameless(kept as Dog),
      notes,
      barks: Object.fromEntries(own),
      markers: own.flatMap(([id, { status }]) => (status === 'pending' ? [id] : [])).sort(),
      memories: Object.keys(memories).length,
      keys: keys.filter(({ incarnation }) => incarnation === dog?.incarnation).length,
    };
  }

  /** A dog without the name of its last PUT, and without its schedule's if the scheduler was never asked for it. */
  private nameless({ settingsChange: _, ...dog }: Dog): Dog {
    const { schedule } = dog;
    if (!schedule || this.schedules.some((one) => occurrenceOf(one).scheduleId === schedule.scheduleId))
      return dog;
    return { ...dog, schedule: { ...schedule, scheduleId: nameless } };
  }

  /** At the scheduler stands what the dog's schedule needs, and else what deleted dogs left to their purge, at most. */
  private checkScheduler(trace: readonly string[]): void {
    const { dog, deleted, purged } = this.world;
    const scheduleIds = standing(this.id).map((one) => occurrenceOf(one).scheduleId);
    const needed = dog ? needOf(dog) : [];
    const left = deleted.filter(({ incarnation }) => !purged.includes(incarnation)).flatMap(needOf);
    const foreseen = scheduleIds.filter((one) => !left.includes(one));
    if (!isDeepStrictEqual(foreseen, needed))
      throw new Error(
        `At the scheduler stand ${JSON.stringify(foreseen)} instead of ${JSON.stringify(needed)}, by this interleaving:\n${trace.join('\n')}`,
      );
  }

  /** Of a dog that was purged nothing is left in the table. */
  private async checkPurged(trace: readonly string[]): Promise<void> {
    const { purged } = this.world;
    if (purged.length === 0) return;
    const { dog: _, schedules: __, ...kinds } = await stateOf(this.id);
    const left = Object.values(kinds)
      .flat()
      .filter(({ incarnation }) => purged.includes(incarnation));
    if (left.length > 0)
      throw new Error(`A purge has left ${JSON.stringify(left)}, by this interleaving:\n${trace.join('\n')}`);
  }

  private unexplained(
    stored: Awaited<ReturnType<Kennel['stored']>>,
    ways: readonly Way[],
    trace: readonly string[],
    operations: readonly Operation[],
    seen: readonly Seen[],
  ): Error {
    const counts = ways.map(({ world }) => (stored.dog?.barkCount ?? 0) - (world.dog?.barkCount ?? 0));
    this.score.unexplained += 1;
    const [off = 0] = counts.sort((a, b) => Math.abs(a) - Math.abs(b));
    if (off < 0) this.score.lost -= off;
    if (off > 0) this.score.doubled += off;
    const lines = [
      'No order of these operations answers and ends like this interleaving:',
      ...trace.map((line) => `  ${line}`),
      ...operations.map(
        ({ name }, i) => `${name} answered ${JSON.stringify({ ...seen[i], shown: undefined })}`,
      ),
      `It ended as ${JSON.stringify(stored)}`,
      ...ways
        .slice(0, 24)
        .map(
          ({ steps, answers, world }) =>
            `${steps.map(wordsOf).join(', then ')}: ${JSON.stringify(answers)}, and ${JSON.stringify(this.expected(world))}`,
        ),
    ];
    return new Error(lines.join('\n'));
  }
}

function firstOf<T>(all: Iterable<T>, is: (one: T) => boolean): T | undefined {
  for (const one of all) if (is(one)) return one;
  return undefined;
}

/** The schedule that a dog needs at the scheduler, if it needs one. */
function needOf(dog: Dog): string[] {
  return dog.schedule && isLive(dog) ? [dog.schedule.scheduleId] : [];
}

function looksOf(operations: readonly Operation[]): Look[] {
  return operations.filter((operation): operation is Look => !isChange(operation));
}

function barkOf(operation: Operation): string | undefined {
  return isChange(operation) ? operation.bark : undefined;
}
