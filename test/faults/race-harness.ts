import { isDeepStrictEqual } from 'node:util';
import type { Dog } from '../../lambdas/domain/dogs/dog.ts';
import { type StandingSchedule, standing } from '../support/faults.ts';
import { firingTimeOf } from '../support/schedules.ts';
import { dataOf, dataOfModel } from './comparison.ts';
import { checkEvents } from './event-check.ts'; // @extension events
import { type Ended, interleave, type Run } from './interleaving.ts';
import { emptyModel, type ReferenceModel } from './model/reference-model.ts';
import { firstDeliveryOf, isLive } from './model/schedule-rules.ts';
import {
  Actor,
  type CreatedSchedule,
  isChange,
  type Observation,
  type Operation,
  type Read,
  type Result,
} from './operations.ts';
import { describeStep, follow, type Linearization, modelsAround, ordersOf, remainingOf } from './orders.ts';
import { itemsOf, stateOf } from './state.ts';

export class Score {
  private interleavings = 0;
  // @extension events {
  /** The events of the operations, each of which matches the stored data. */
  events = 0;
  // @extension events }
  private readonly traces = new Set<string>();
  /** Interleavings that no sequential order of the operations explains, or whose errors are not responses to the client. */
  unexplained = 0;

  count(trace: readonly string[]): void {
    this.interleavings += 1;
    this.traces.add(trace.join('\n'));
  }

  get figures(): Record<string, number> {
    return {
      interleavings: this.interleavings,
      different: this.traces.size,
      unexplained: this.unexplained,
      events: this.events, // @extension events
    };
  }
}

let harnesses = 0;

/** Compares concurrent operations on a dog of the service with the same operations on the sequential reference model. */
export class RaceHarness {
  readonly id: string;
  /** The time of EventBridge Scheduler, whose clock is never set back, in Unix seconds. */
  latest = 0;
  private time = 0;
  model: ReferenceModel = emptyModel();
  /** All schedules that were ever created in EventBridge Scheduler, including deleted ones. */
  readonly schedules: CreatedSchedule[] = [];
  private readonly score: Score;
  private readonly order: readonly number[];
  /** How far the clocks of the functions are ahead, in milliseconds: of the first function, the second, … */
  clocks: readonly number[];
  private functions = 0;

  /** @param order the interleaving of concurrent operations */
  constructor(score: Score, { order, clocks }: { order: readonly number[]; clocks: readonly number[] }) {
    harnesses += 1;
    this.id = `dog-${harnesses}`;
    this.score = score;
    this.order = order;
    this.clocks = clocks;
    this.at = Date.UTC(2026, 10, 21, 12) / 1000;
  }

  /** The current time of the functions, in Unix seconds. */
  get at(): number {
    return this.time;
  }

  set at(time: number) {
    this.time = time;
    this.latest = Math.max(this.latest, time);
  }

  /** Creates an actor. Each of its operations runs in a function with the next clock of the harness. */
  actor(): Actor {
    return new Actor(this.id, () => {
      const ahead = this.clocks[this.functions++ % this.clocks.length] ?? 0;
      return this.at * 1000 + ahead;
    });
  }

  actorAhead(seconds: number): Actor {
    return new Actor(this.id, () => (this.at + seconds) * 1000);
  }

  async run(operation: Operation): Promise<Observation> {
    const [observation] = (await this.runConcurrently([operation])) as [Observation];
    return observation;
  }

  /** Runs operations concurrently. Throws an error if no sequential order on the model has the same results and final state. */
  async runConcurrently(operations: readonly Operation[], order = this.order): Promise<Observation[]> {
    const { ends, trace } = await interleave(operations, order);
    if (operations.length > 1) this.score.count(trace);
    this.schedules.push(
      ...ends.flatMap(({ schedules }, i) =>
        schedules.map((standing) => ({
          standing,
          scheduleId: scheduleIdOf(standing),
          created: (operations[i] as Operation).at,
        })),
      ),
    );
    const observations = this.observationsOf(operations, ends, trace);
    const stored = this.stored();
    const runOf = (operation: Operation) => ends[operations.indexOf(operation)] as Run;
    const explains = (linearization: Linearization) =>
      linearization.matches &&
      isDeepStrictEqual(stored, this.expected(linearization.model)) &&
      readsOf(operations).every((read) =>
        read.matches(modelsAround(runOf(read), linearization, runOf), observations.get(read) as Observation),
      );
    const linearizations = () => this.linearizations(operations, ends, observations);
    const found = firstOf(linearizations(), explains);
    const list = operations.map((operation) => observations.get(operation) as Observation);
    if (!found) throw this.unexplained(stored, [...linearizations()], trace, operations, list);
    this.model = found.model;
    this.checkScheduler(trace);
    this.checkPurged(trace);
    return list;
  }

  // @extension events {
  /** Checks the events of all operations so far against the stored data. */
  async checkEvents(): Promise<void> {
    this.score.events += await checkEvents(
      this.id,
      Object.keys(this.model.barks),
      this.model.purged.length > 0,
    );
  }
  // @extension events }

  private *linearizations(
    operations: readonly Operation[],
    ends: readonly Run[],
    observations: ReadonlyMap<Operation, Observation>,
  ): Generator<Linearization> {
    const remaining = operations.map((operation, i) => remainingOf(operation, ends[i] as Run));
    for (const steps of ordersOf(remaining)) yield follow(this.model, steps, observations);
  }

  private observationsOf(
    operations: readonly Operation[],
    ends: readonly Ended<Result>[],
    trace: readonly string[],
  ): Map<Operation, Observation> {
    const results = ends.map(({ result, name }) => {
      if (result.status === 'fulfilled') return result.value;
      this.score.unexplained += 1;
      throw new Error(`${name} failed in this interleaving:\n${trace.join('\n')}`, { cause: result.reason });
    });
    // A workflow can perform a bark before the request that accepts it is complete.
    const bark = results.find((result) => result.bark)?.bark;
    return new Map(
      operations.map((operation, i) => {
        const { calls, schedules } = ends[i] as Ended<Result>;
        const [made] = schedules.slice(-1);
        const rivals = operations.flatMap((other, j) =>
          j !== i && barkOf(other) !== undefined && barkOf(other) === barkOf(operation)
            ? [results[j]?.outcome ?? '']
            : [],
        );
        return [
          operation,
          {
            ...(bark !== undefined && { bark }),
            ...(results[i] as Result),
            mails: calls.filter((call) => call === 'SendRawEmail').length,
            scheduleId: made && scheduleIdOf(made),
            rivals,
          },
        ];
      }),
    );
  }

  private readonly isKnown = (id: string) => this.schedules.some(({ scheduleId }) => scheduleId === id);

  private stored() {
    return dataOf(stateOf(this.id), this.isKnown);
  }

  private expected(model: ReferenceModel): ReturnType<typeof dataOf> {
    return dataOfModel(model, this.isKnown);
  }

  /**
   * Checks that EventBridge Scheduler has the schedule of the dog, with the right times, and that a purge will delete all its
   * other schedules.
   */
  private checkScheduler(trace: readonly string[]): void {
    const { dog, deleted, purged } = this.model;
    const needed = dog ? this.needOf(dog) : [];
    const toPurge = deleted
      .filter(({ incarnation }) => !purged.includes(incarnation))
      .flatMap(({ schedule }) => (isLive(schedule) ? [schedule.scheduleId] : []));
    const actual = standing(this.id)
      .filter((one) => !toPurge.includes(scheduleIdOf(one)))
      .map((one) => ({
        scheduleId: scheduleIdOf(one),
        first: firingTimeOf(one, 0),
        second: one.ScheduleExpression.startsWith('at') ? null : firingTimeOf(one, 1),
      }));
    if (!isDeepStrictEqual(actual, needed))
      throw new Error(
        `EventBridge Scheduler has ${JSON.stringify(actual)} instead of ${JSON.stringify(needed)} after this interleaving:\n${trace.join('\n')}`,
      );
  }

  /** Returns the schedule that EventBridge Scheduler must have for a dog, and its first two firing times. Empty if it must have none. */
  private needOf({ schedule }: Dog): { scheduleId: string; first: number | null; second: number | null }[] {
    if (!isLive(schedule)) return [];
    const { scheduleId, frequency } = schedule;
    const plan = this.model.schedules[scheduleId];
    const first = plan ? firstDeliveryOf(plan, plan.created) : null;
    const second = first === null || frequency === null ? null : first + frequency * 60;
    return [{ scheduleId, first, second }];
  }

  private checkPurged(trace: readonly string[]): void {
    const { purged } = this.model;
    if (purged.length === 0) return;
    const left = itemsOf(stateOf(this.id)).filter(({ incarnation }) => purged.includes(incarnation));
    if (left.length > 0)
      throw new Error(
        `The purge did not delete ${JSON.stringify(left)} in this interleaving:\n${trace.join('\n')}`,
      );
  }

  private unexplained(
    stored: ReturnType<RaceHarness['stored']>,
    linearizations: readonly Linearization[],
    trace: readonly string[],
    operations: readonly Operation[],
    observations: readonly Observation[],
  ): Error {
    this.score.unexplained += 1;
    const lines = [
      'No sequential order of these operations leads to the results and the final state of this interleaving:',
      ...trace.map((line) => `  ${line}`),
      ...operations.map(
        ({ name }, i) => `${name} returned ${JSON.stringify({ ...observations[i], shown: undefined })}`,
      ),
      `The final state is ${JSON.stringify(stored)}`,
      ...linearizations
        .slice(0, 24)
        .map(
          ({ steps, results, model }) =>
            `${steps.map(describeStep).join(', then ')}: ${JSON.stringify(results)} and ${JSON.stringify(this.expected(model))}`,
        ),
    ];
    return new Error(lines.join('\n'));
  }
}

function firstOf<T>(all: Iterable<T>, is: (one: T) => boolean): T | undefined {
  for (const one of all) if (is(one)) return one;
  return undefined;
}

function scheduleIdOf({ Name }: StandingSchedule): string {
  return Name.slice(Name.indexOf('.') + 1);
}

function readsOf(operations: readonly Operation[]): Read[] {
  return operations.filter((operation): operation is Read => !isChange(operation));
}

function barkOf(operation: Operation): string | undefined {
  return isChange(operation) ? operation.bark : undefined;
}
