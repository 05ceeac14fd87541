import { inspect, isDeepStrictEqual } from 'node:util';
import type { DogSettings } from '../../lambdas/domain/dogs/dog.ts';
import { newDogId, removeMailKey } from '../support/dogs.ts';
import type { TestLimits } from '../support/limits.ts';
import { dataOf, dataOfModel } from './comparison.ts';
import { emptyModel, type ReferenceModel, unknownScheduleId } from './model/reference-model.ts';
import { Actor, type Change, type Result } from './operations.ts';
import { again, now, retriesOfLambda, type Subject, until, type Verdict } from './scenario.ts';
import { barkIdOf, lacksSchedule, type State, stateOf } from './state.ts';
import { type InvocationResult, isDone, statusOf, type Trial } from './trial.ts';

export interface JudgedCall {
  readonly act: Subject['act'];
  /** Returns the change that the call makes to the model. Absent if it changes nothing. */
  readonly changeBy?: ChangeBy;
  /** The status of the response for each outcome of the model. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The statuses that report a fault after which nothing is stored. */
  readonly refusals?: readonly number[];
  /** The statuses with which a call can fail even though it has taken effect. */
  readonly doubtful?: readonly number[];
  /** The statuses of a repeat that has no effect, because the service does not know what the first call did. */
  readonly unsettled?: readonly number[];
}

type ChangeBy = (actor: Actor) => Change;

/** A change, and its time in seconds since the call of the scenario. By default, this is the time at which the dog was last modified. */
type Step = ChangeBy | readonly [after: number, changeBy: ChangeBy];

interface DogOptions {
  readonly isOld?: boolean;
  readonly isSuspended?: boolean;
  readonly limits?: TestLimits;
}

export interface Judgement {
  readonly outcome: InvocationResult;
  readonly state: State;
  /** True if the call has taken effect. */
  readonly happened: boolean;
  /** The number of emails of the scenario so far. */
  readonly mails: number;
}

/**
 * A dog of the service and its reference model, which judges the calls on the dog. After a call that succeeds, the response, the stored
 * data and the emails must be those of the model. A call that fails may or may not have taken effect.
 */
export class Oracle {
  readonly dog: string;
  private model = emptyModel();
  /** The models that a call may have left. */
  private possible: readonly ReferenceModel[] = [];

  constructor(dog = newDogId()) {
    this.dog = dog;
  }

  /**
   * Creates a dog with all addresses, an hour before the scenario. `isOld` is true for a dog as version 1.0.0 wrote it, and `isSuspended`
   * if its own address is suspended.
   */
  static async ofDog(
    barkHandling: DogSettings['barkHandling'],
    barkEffects: DogSettings['barkEffects'],
    { isOld = false, isSuspended = false, limits }: DogOptions = {},
  ): Promise<Oracle> {
    const oracle = new Oracle();
    oracle.model = { ...oracle.model, limits: { limitWindowMinutes: 60, ...limits } };
    const addresses = { email: 'dog@example.com', owner: 'mailto:owner@example.com' };
    await oracle.perform(-3_600, (actor) => actor.put({ ...addresses, barkEffects, barkHandling }));
    if (isOld) await removeMailKey(oracle.dog);
    const { incarnation = '' } = oracle.model.dog ?? {};
    const bounce = (actor: Actor) =>
      actor.feedback(incarnation, [addresses.email], 'bounced', now / 1000 - 3_600);
    if (isSuspended) await oracle.perform(-3_600, bounce);
    return oracle;
  }

  /** Makes a change without a fault. @param after the time of the change, in seconds since the call of the scenario */
  async perform(after: number, changeBy: ChangeBy): Promise<Result> {
    const change = changeBy(this.actor(after));
    const result = await change.run();
    this.model = this.apply(change, stateOf(this.dog)).model;
    return result;
  }

  /** Judges a call, whose client repeats it once, whether it succeeds or fails. The further checks follow the repeat. */
  subject(
    call: JudgedCall,
    furtherChecks?: (
      verdict: Verdict,
      made: { outcome: InvocationResult; trial: Trial; first: Judgement; repeat: Judgement },
    ) => Promise<void> | void,
  ): Subject {
    return {
      act: call.act,
      check: async (verdict, outcome, trial) => {
        const first = this.judge(verdict, call, { outcome }, trial);
        const repeat = await this.repeat(verdict, call, trial);
        await furtherChecks?.(verdict, { outcome, trial, first, repeat });
      },
    };
  }

  /**
   * Judges a job that is retried until it succeeds. Another delivery must have no effect.
   *
   * @param job `later`: the other delivery, `pauses`: the times of the retries, in seconds since the first call
   * @param furtherChecks checks after the last retry
   */
  job(
    {
      act,
      changeBy,
      later = act,
      pauses = retriesOfLambda,
    }: Pick<JudgedCall, 'act' | 'changeBy'> & { later?: Subject['act']; pauses?: readonly number[] },
    furtherChecks?: (verdict: Verdict, trial: Trial, state: State) => Promise<void> | void,
  ): Subject {
    const done = [changeBy ? [changeBy] : []];
    return {
      act,
      check: async (verdict, first, trial) => {
        this.expectOneOf(verdict, isDone(first) ? done : [[], ...done]);
        const last = await until(first, pauses, act, trial);
        verdict.expectThat(isDone(last), 'the last retry fails');
        const state = this.expectOneOf(verdict, done);
        await furtherChecks?.(verdict, trial, state);
        const mails = trial.sent.length;
        await again(later, trial, 300);
        this.expectOneOf(verdict, [[]]);
        verdict.expectThat(trial.sent.length === mails, 'another delivery has sent a mail');
      },
    };
  }

  /** Checks that the stored data is that of the model after one of the lists of changes. */
  expectOneOf(verdict: Verdict, lists: readonly (readonly Step[])[]): State {
    const state = stateOf(this.dog);
    const modified = (state.dog?.lastModified ?? 0) - now / 1000;
    const follow = (model: ReferenceModel, step: Step) => {
      const [after, changeBy] = typeof step === 'function' ? [modified, step] : step;
      return this.apply(changeBy(this.actor(after)), state, model).model;
    };
    const allowed = lists.map((steps) => steps.reduce(follow, this.model));
    this.model = this.find(verdict, state, allowed) ?? this.model;
    this.possible = [this.model];
    return state;
  }

  /** Returns the model whose data is stored. Without one, reports the difference from the last model. */
  private find(
    verdict: Verdict,
    state: State,
    allowed: readonly ReferenceModel[],
  ): ReferenceModel | undefined {
    const found = allowed.find((model) => isDeepStrictEqual(...compared(state, model)));
    if (found) return found;
    const [stored, expected] = compared(state, allowed.at(-1) ?? this.model).map((data) =>
      inspect(data, { depth: 9, breakLength: Infinity }),
    );
    verdict.expectThat(false, `the stored data is ${stored} instead of ${expected}`);
    return undefined;
  }

  /** Makes the call again without a fault, and judges it. @param after the time since the first call, in seconds */
  async repeat(verdict: Verdict, call: JudgedCall, trial: Trial, after = 1): Promise<Judgement> {
    // A function that has failed may have reversed its count since.
    const before = stateOf(this.dog);
    this.model = this.possible.find((model) => isDeepStrictEqual(...compared(before, model))) ?? this.model;
    const mails = trial.sent.length;
    const outcome = await again(call.act, trial, after);
    const { statuses, refusals = [], unsettled = [] } = call;
    const isKnown = [...Object.values(statuses), ...unsettled].includes(statusOf(outcome));
    verdict.expectThat(isKnown, `the repeat is ${statusOf(outcome)}`);
    const repeated = { ...call, refusals: [...refusals, ...unsettled] };
    return this.judge(verdict, repeated, { outcome, after: after + trial.ahead, mails }, trial);
  }

  /** @param made the outcome, the time of the call in seconds since that of the scenario, and the number of earlier emails */
  judge(
    verdict: Verdict,
    { changeBy, statuses, refusals = [], doubtful = [] }: JudgedCall,
    { outcome, after = 0, mails = 0 }: { outcome: InvocationResult; after?: number; mails?: number },
    trial: Trial,
  ): Judgement {
    const usual = Object.values(statuses);
    const status = statusOf(outcome);
    verdict.checkResponse(outcome, ...usual, ...refusals);
    const state = stateOf(this.dog);
    verdict.expectThat(!lacksSchedule(state), "EventBridge Scheduler lacks the dog's schedule");
    const applied = changeBy
      ? this.apply(changeBy(this.actor(after)), state)
      : { model: this.model, outcome: 'done', mails: 0 };
    const sent = trial.sent.length - mails;
    const isUsual = usual.includes(status) && !doubtful.includes(status);
    const isSure = isUsual || statuses[applied.outcome] === status;
    if (isSure) {
      const { outcome: expected, mails: due = sent } = applied;
      verdict.expectThat(statuses[expected] === status, `the response is ${status} instead of "${expected}"`);
      const isReported = sent < due && trial.alarmed('MailFailed');
      verdict.expectThat(sent === due || isReported, `${sent} mails were sent`);
    }
    // A call that fails can have counted toward the limits.
    const failed = [this.model, { ...this.model, used: applied.model.used }];
    const allowed = isSure
      ? [applied.model]
      : refusals.includes(status)
        ? failed
        : [...failed, applied.model];
    const found = this.find(verdict, state, allowed);
    const happened = found === undefined || !failed.includes(found);
    this.model = found ?? applied.model;
    this.possible = allowed;
    return { outcome, state, happened, mails: trial.sent.length };
  }

  /** Applies a change to a copy of the model. @param state the stored data, from which the model takes the IDs that the service chose */
  private apply(change: Change, { dog, barks }: State, first = this.model) {
    const model: ReferenceModel = structuredClone(first);
    const bark = barks.map(({ sk }) => barkIdOf(sk)).find((id) => !(id in model.barks));
    const observed = {
      outcome: 'done',
      mails: 0,
      rivals: [],
      scheduleId: dog?.schedule?.scheduleId,
      ...(dog && { incarnation: dog.incarnation }),
      ...(bark !== undefined && { bark }),
    };
    return { model, ...change.apply(model, observed, structuredClone(first)) };
  }

  private actor(after: number): Actor {
    return new Actor(this.dog, () => now + after * 1000);
  }
}

/**
 * Returns the stored data of a dog and the data of its model, in the same form. The scenarios do not know the dog's mail key. For
 * clients, a bark that is in progress is pending.
 */
function compared(state: State, model: ReferenceModel) {
  const isNamed = (id: string) => id in model.schedules && !id.startsWith(unknownScheduleId);
  const visible = (data: ReturnType<typeof dataOf>) => ({
    ...data,
    dog: data.dog && { ...data.dog, mailKey: undefined },
    barks: Object.fromEntries(
      Object.entries(data.barks).map(([id, { status, ...bark }]) => [
        id,
        { ...bark, status: status === 'inProgress' ? 'pending' : status },
      ]),
    ),
  });
  return [visible(dataOf(state, isNamed)), visible(dataOfModel(model, isNamed))] as const;
}
