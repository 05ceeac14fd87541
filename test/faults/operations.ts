import { isDeepStrictEqual } from 'node:util';
import { cancelBark } from '../../lambdas/domain/barks/async/cancel.ts';
import { failBark } from '../../lambdas/domain/barks/async/fail.ts';
import { performBark } from '../../lambdas/domain/barks/async/perform.ts';
import { type Bark, isCounted, isRecorded } from '../../lambdas/domain/barks/bark.ts';
import { createBark } from '../../lambdas/domain/barks/create.ts';
import { type DogView, readBark, readDogView } from '../../lambdas/domain/barks/queries.ts';
import type { BarkRequest } from '../../lambdas/domain/barks/request.ts';
import type { Dog, DogSettings } from '../../lambdas/domain/dogs/dog.ts';
import type { DogState } from '../../lambdas/domain/dogs/precondition.ts';
import { purgeDog } from '../../lambdas/domain/dogs/purge.ts';
import { deleteDog, putDog } from '../../lambdas/domain/dogs/repository.ts';
import * as errors from '../../lambdas/domain/platform/errors.ts';
import type { RequestContext } from '../../lambdas/domain/platform/request-context.ts';
import { endSchedule } from '../../lambdas/domain/schedules/end.ts';
import { scheduledAtOf } from '../../lambdas/domain/schedules/eventbridge.ts';
import { postSchedule } from '../../lambdas/domain/schedules/post.ts';
import {
  applyPatch,
  isLive,
  type Plan,
  planOf,
  upcomingBarks,
} from '../../lambdas/domain/schedules/schedule.ts';
import { forget, type StandingSchedule } from '../support/faults.ts';
import { deliver, occurrenceOf, patch as sendPatch } from '../support/schedules.ts';
import type { ModelDog, ReferenceModel } from './reference-model.ts';
import * as reference from './reference-model.ts';

/** The result of an operation, as its caller sees it. */
export interface Result {
  readonly outcome: string;
  /** The incarnation of the dog that the operation created. */
  readonly incarnation?: string;
  /** The ID of the asynchronous bark that the operation accepted. */
  readonly bark?: string;
  readonly shown?: DogView | Bark;
}

/** The result of an operation and its visible effects. */
export interface Observation extends Result {
  readonly mails: number;
  /** The scheduleId of the last schedule that the operation created in EventBridge Scheduler. */
  readonly scheduleId: string | undefined;
  /** The outcomes of the concurrent operations on the same asynchronous bark. */
  readonly rivals: readonly string[];
}

/** The result that the reference model requires. If `mails` is missing, any number of mails is correct. */
export interface Expected {
  readonly outcome: string;
  readonly mails?: number;
}

/** An operation that changes a dog, and its effect on the reference model. */
export interface Change {
  readonly name: string;
  readonly run: () => Promise<Result>;
  /** The ID of the asynchronous bark that the operation changes. */
  readonly bark?: string;
  /**
   * True if the operation can read the dog at one moment and take effect at a later one. A bark, for example, has the effects
   * that the dog had when the operation read it.
   */
  readonly readsFirst?: true;
  /** @param first the model at the moment when the operation read the dog, or the current model if it does not read first */
  readonly apply: (model: ReferenceModel, observed: Observation, first: ReferenceModel) => Expected;
}

/** A read of a dog. Different parts of the result can be from different moments during the read. */
export interface Read {
  readonly name: string;
  readonly run: () => Promise<Result>;
  readonly matches: (models: readonly ReferenceModel[], observed: Observation) => boolean;
}

export type Operation = Change | Read;

export function isChange(operation: Operation): operation is Change {
  return 'apply' in operation;
}

/** Creates operations on one dog. They all have the same time, in Unix seconds. */
export class Actor {
  private readonly id: string;
  private readonly at: number;
  private readonly context: RequestContext;

  constructor(id: string, at: number) {
    this.id = id;
    this.at = at;
    this.context = { now: at * 1000, signal: new AbortController().signal };
  }

  put(settings: DogSettings, { onlyNew = false, only }: { onlyNew?: boolean; only?: DogState } = {}): Change {
    const precondition = {
      ...(onlyNew && { noneMatch: 'any' as const }),
      ...(only && { match: [only] }),
    };
    return {
      name: `PUT ${settings.barkHandling} ${settings.barkEffects.join(' ')}`,
      run: () =>
        resultOf(async () => {
          const made = await putDog(this.id, settings, precondition, this.context);
          return made ? { outcome: 'created', incarnation: made.incarnation } : { outcome: 'replaced' };
        }),
      readsFirst: true,
      apply: (to, { incarnation = '' }, first) => {
        const isNew = !to.dog;
        if ((onlyNew && !isNew) || (only && !isIn(to.dog, only))) return { outcome: 'PreconditionFailed' };
        if (to.dog && isDeepStrictEqual(to.dog.settings, JSON.parse(JSON.stringify(settings))))
          return { outcome: 'replaced' };
        to.dog ??= reference.newDog(this.id, incarnation);
        to.dog.settings = settings;
        // The time of a dog never goes back, even if the dog is deleted after the PUT reads it.
        const { lastModified = 0 } = (isNew && first.dog) || {};
        reference.touchSettings(to.dog, Math.max(lastModified, this.at));
        return { outcome: isNew ? 'created' : 'replaced' };
      },
    };
  }

  delete(): Change {
    return {
      name: 'DELETE dog',
      run: () => this.done(() => deleteDog(this.id, {}, this.context)),
      apply: (to) => {
        if (!to.dog) return { outcome: 'NotFound' };
        to.deleted.push(to.dog);
        to.dog = undefined;
        return { outcome: 'done' };
      },
    };
  }

  purge(dog: Parameters<typeof purgeDog>[0]): Change {
    return {
      name: 'purge',
      run: () => this.done(() => purgeDog(dog, this.context)),
      apply: (to) => {
        to.purged.push(dog.incarnation);
        return { outcome: 'done', mails: 0 };
      },
    };
  }

  patch(barks: object | null, since: number): Change {
    const body = { barks };
    const key = JSON.stringify({ since, body });
    return {
      name: `PATCH ${JSON.stringify(barks)}`,
      run: () =>
        resultOf(async () => ({ outcome: changed(await sendPatch(this.id, body, this.context, { since })) })),
      apply: ({ dog }, { scheduleId }) => {
        if (!dog) return { outcome: 'NotFound', mails: 0 };
        if (dog.appliedChanges[key] !== undefined) return { outcome: 'unchanged', mails: 0 };
        if (dog.settingsModified > since) return { outcome: 'PreconditionFailed', mails: 0 };
        return refusable(() => {
          const decision = applyPatch(dog, barks, this.at * 1000);
          dog.appliedChanges[key] = '';
          if (decision === 'unchanged') return { outcome: 'unchanged', mails: 0 };
          return this.schedule(dog, decision, scheduleId);
        });
      },
    };
  }

  post(token: number, next: number, frequency: number | null): Change {
    const key = `token ${token}`;
    const content = JSON.stringify({ next, frequency });
    return {
      name: `POST bark-schedule ${token} ${content}`,
      run: () =>
        resultOf(async () => ({
          outcome: changed(await postSchedule(this.id, { token, next, frequency }, this.context)),
        })),
      apply: ({ dog }, { scheduleId }) => {
        if (!dog) return { outcome: 'NotFound', mails: 0 };
        const known = dog.appliedChanges[key];
        if (known !== undefined)
          return { outcome: known === content ? 'unchanged' : 'TokenReused', mails: 0 };
        return refusable(() => {
          const plan = planOf({ next, frequency }, this.at * 1000);
          dog.appliedChanges[key] = content;
          return this.schedule(dog, plan, scheduleId);
        });
      },
    };
  }

  private schedule(dog: ModelDog, plan: Plan | 'end', scheduleId: string | undefined): Expected {
    if (plan === 'end') {
      reference.endSchedule(dog, this.at);
      return { outcome: 'changed', mails: 0 };
    }
    // A schedule with only one bark, which happens immediately, is not created in EventBridge Scheduler.
    const isNamed = !plan.atOnce || plan.frequency !== null;
    const name = isNamed && scheduleId ? scheduleId : `${reference.unknownScheduleId} ${dog.version}`;
    return { outcome: 'changed', mails: reference.schedule(dog, plan, name, this.at) };
  }

  endSchedule(): Change {
    return {
      name: 'DELETE bark-schedule',
      run: () => this.done(() => endSchedule(this.id, this.context)),
      apply: ({ dog }) => {
        if (!dog?.schedule) return { outcome: 'NotFound' };
        if (isLive(dog)) reference.endSchedule(dog, this.at);
        return { outcome: 'done' };
      },
    };
  }

  bark({
    isAsync = false,
    inHistory = false,
    key,
  }: Pick<BarkRequest, 'isAsync' | 'inHistory' | 'key'> = {}): Change {
    return {
      name: `POST bark${inHistory ? '' : 's'}${isAsync ? ', asynchronous' : ''}`,
      run: () =>
        resultOf(async () => {
          const outcome = await createBark(this.id, { isAsync, inHistory, key }, this.context);
          return {
            outcome: outcome.kind,
            ...(outcome.kind === 'accepted' && { bark: outcome.bark.id }),
            ...('bark' in outcome && { shown: outcome.bark }),
          };
        }),
      readsFirst: true,
      apply: ({ dog, barks }, { bark: id = '' }, { dog: dogRead }) => {
        if (!dogRead) return { outcome: 'NotFound', mails: 0 };
        const { barkEffects: effects, barkHandling } = dogRead.settings;
        if (isAsync || barkHandling === 'async') {
          barks[id] = {
            incarnation: dogRead.incarnation,
            effects,
            inHistory,
            deadline: this.at + barkTimeoutSeconds,
            status: 'pending',
          };
          return { outcome: 'accepted', mails: 0 };
        }
        const mails = reference.mailsOf(dogRead, effects);
        if (inHistory || isCounted(effects)) {
          if (dog?.incarnation !== dogRead.incarnation) return { outcome: 'NotFound', mails };
          reference.bark(dog, effects, this.at);
          reference.touch(dog, this.at);
        }
        const outcome = isRecorded(effects) ? 'recorded' : isCounted(effects) ? 'counted' : 'sent';
        return { outcome, mails };
      },
    };
  }

  /** Creates a bark with an idempotency key and without mail. A repeat with the same key has no effect. */
  keyedBark(value: string, isAsync: boolean): Change {
    const change = this.bark({ isAsync, key: { user: 'jane', resource: 'barks', value } });
    return {
      ...change,
      name: `${change.name} with the key ${value}`,
      apply: (to, observed, first) => {
        const { incarnation = '' } = first.dog ?? {};
        const known = to.idempotencyRecords.find(
          (one) => one.incarnation === incarnation && one.value === value,
        );
        if (known) return { outcome: known.isAsync === isAsync ? known.outcome : 'KeyReused', mails: 0 };
        const expected = change.apply(to, observed, first);
        if (expected.outcome !== 'NotFound')
          to.idempotencyRecords.push({ incarnation, value, isAsync, outcome: expected.outcome });
        return expected;
      },
    };
  }

  cancel(id: string): Change {
    return {
      name: 'DELETE bark',
      bark: id,
      run: () => this.done(() => cancelBark(this.id, id, this.context)),
      apply: ({ dog, barks: { [id]: bark } }) => {
        if (!bark || bark.incarnation !== dog?.incarnation) return { outcome: 'NotFound', mails: 0 };
        if (bark.status === 'pending' && bark.deadline > this.at) bark.status = 'cancelled';
        return { outcome: bark.status === 'cancelled' ? 'done' : 'TooLate', mails: 0 };
      },
    };
  }

  /** @param id the ID, or a promise of it if the workflow can start before the test knows the ID */
  performBark(id: string | Promise<string>): Change {
    runs += 1;
    const invocation = `run ${runs}`;
    return {
      name: 'perform bark',
      ...(typeof id === 'string' && { bark: id }),
      run: () => this.done(async () => performBark(this.id, await id, invocation, this.context)),
      readsFirst: true,
      apply: ({ dog, barks }, { outcome, rivals, bark: known = '' }, first) => {
        const name = typeof id === 'string' ? id : known;
        const bark = barks[name];
        if (!bark || !first.barks[name]) return { outcome: first.dog ? 'NotYet' : 'done', mails: 0 };
        // Clients cannot see the barks of a deleted dog, and the purge may be deleting these barks.
        if (bark.incarnation !== dog?.incarnation || bark.incarnation !== first.dog?.incarnation)
          return { outcome: outcome === 'NotYet' ? 'NotYet' : 'done' };
        if (outcome === 'NotYet' && rivals.includes('done')) return { outcome: 'NotYet', mails: 0 };
        if (bark.status !== 'pending' || bark.deadline - 60 <= this.at) return { outcome: 'done', mails: 0 };
        return { outcome: 'done', mails: this.complete(dog, bark, first.dog) };
      },
    };
  }

  private complete(dog: ModelDog, bark: ReferenceModel['barks'][string], addressed: ModelDog): number {
    const { effects, inHistory } = bark;
    if (reference.lacksAddress(addressed, effects)) {
      bark.status = 'failed';
      return 0;
    }
    bark.status = 'complete';
    if (inHistory || isCounted(effects)) {
      reference.bark(dog, effects, this.at);
      reference.touch(dog, this.at);
    }
    return reference.mailsOf(addressed, effects);
  }

  failBark(id: string): Change {
    return {
      name: 'fail bark',
      bark: id,
      run: () => this.done(() => failBark(this.id, id, this.context)),
      apply: ({ dog, barks: { [id]: bark } }, { outcome, rivals }) => {
        if (outcome === 'NotYet' && rivals.includes('done')) return { outcome: 'NotYet', mails: 0 };
        if (
          bark &&
          bark.incarnation === dog?.incarnation &&
          bark.status === 'pending' &&
          bark.deadline > this.at
        )
          bark.status = 'failed';
        return { outcome: 'done', mails: 0 };
      },
    };
  }

  /** Delivers the nth occurrence of a schedule, counted from 0, even if the schedule no longer exists. */
  fire(schedule: StandingSchedule, n: number): Change {
    const occurrence = occurrenceOf(schedule, n);
    const { incarnation, scheduleId, created, frequency } = occurrence;
    const run = () => {
      if (frequency === null) forget(schedule);
      return deliver(occurrence, this.context);
    };
    return {
      name: `occurrence ${n}`,
      run: () => this.done(run),
      readsFirst: true,
      apply: ({ dog }, _, { dog: dogRead }) => {
        const isCurrent = (one: ModelDog | undefined): one is ModelDog =>
          one?.incarnation === incarnation && one.schedule?.scheduleId === scheduleId;
        if (!isCurrent(dogRead)) return { outcome: this.at < created + 60 ? 'NotYet' : 'done', mails: 0 };
        if (!isCurrent(dog) || dog.schedule?.ended) return { outcome: 'done', mails: 0 };
        const { barkEffects } = dogRead.settings;
        if (!reference.barkAtOccurrence(dog, occurrence, scheduledAtOf(occurrence), barkEffects))
          return { outcome: 'done', mails: 0 };
        reference.touch(dog, this.at);
        return { outcome: 'done', mails: reference.mailsOf(dogRead, barkEffects) };
      },
    };
  }

  /** Returns a GET of the dog. If the dog is created or deleted meanwhile, any value of `barking` is accepted. */
  show(): Read {
    return {
      name: 'GET dog',
      run: () =>
        resultOf(async () => ({ outcome: 'shown', shown: await readDogView(this.id, this.context) })),
      matches: (models, { outcome, shown }) => {
        if (outcome === 'NotFound') return models.some(({ dog }) => !dog);
        const { dog, previous, barking, ...upcoming } = shown as DogView;
        const incarnations = models.flatMap((one) =>
          one.dog?.incarnation === dog.incarnation ? [one.dog] : [],
        );
        const isIt = (one: ModelDog) =>
          isDeepStrictEqual(shownOf(one), shownOf(dog)) &&
          isDeepStrictEqual(upcomingBarks(one, this.at * 1000), upcoming);
        const isBarking = models.some((one) => reference.isBarking(one, this.at) === barking);
        return (
          incarnations.some(isIt) &&
          incarnations.some(({ history }) => isDeepStrictEqual(timesOf(history), previous)) &&
          (isBarking || incarnations.length < models.length)
        );
      },
    };
  }

  /** Returns a GET of a bark. If its dog is deleted meanwhile, any status is accepted. */
  showBark(id: string): Read {
    return {
      name: 'GET bark',
      run: () =>
        resultOf(async () => ({ outcome: 'shown', shown: await readBark(this.id, id, this.context) })),
      matches: (models, { outcome, shown }) => {
        const barks = models.map(({ dog, barks: { [id]: bark } }) =>
          bark?.incarnation === dog?.incarnation ? bark : undefined,
        );
        if (outcome === 'NotFound') return barks.includes(undefined);
        const { status } = shown as Bark;
        const isIt = barks.some((bark) => bark && reference.statusOf(bark, this.at) === status);
        return isIt || (barks.includes(undefined) && barks.some(Boolean));
      },
    };
  }

  private done(run: () => Promise<unknown>): Promise<Result> {
    return resultOf(async () => {
      await run();
      return { outcome: 'done' };
    });
  }
}

/** The time from acceptance to deadline: the cancellation window of these tests plus the time that the service adds. */
const barkTimeoutSeconds = 5 + 15 * 60;

/** Makes the ID of each invocation unique. */
let runs = 0;

/** Returns the result of an operation, which can be an expected error. */
async function resultOf(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (isExpected(error)) return { outcome: (error as Error).name };
    throw error;
  }
}

/** Returns true for an error that is a response to the client. Races inject no faults, so any other error is a defect. */
function isExpected(error: unknown): boolean {
  return (
    Object.values(errors).some((kind) => error instanceof kind) && !(error instanceof errors.Unavailable)
  );
}

function refusable(decide: () => Expected): Expected {
  try {
    return decide();
  } catch (error) {
    if (!isExpected(error)) throw error;
    return { outcome: (error as Error).name, mails: 0 };
  }
}

/** Returns the same outcome for a repeated change and for a change without effect, because their responses are the same. */
function changed(outcome: 'changed' | 'repeated' | 'unchanged'): string {
  return outcome === 'changed' ? 'changed' : 'unchanged';
}

/** Returns the part of the state that GET reads in one step, from the item of the dog. */
function shownOf({ settings, barkCount, version, lastModified }: Dog) {
  return { settings, barkCount, version, lastModified };
}

function timesOf(history: readonly string[]): number[] {
  return history.map((entry) => Number.parseInt(entry, 10));
}

function isIn(dog: ModelDog | undefined, { incarnation, version }: DogState): boolean {
  return dog?.incarnation === incarnation && dog.version === version;
}
