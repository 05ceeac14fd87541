import { isDeepStrictEqual } from 'node:util';
import { type Bark, isCounted, isRecorded } from '../../lambdas/domain/barks/bark.ts';
import { createBark } from '../../lambdas/domain/barks/create.ts';
import { cancelBark } from '../../lambdas/domain/barks/create-async.ts';
import { failBark } from '../../lambdas/domain/barks/fail.ts';
import { performBark } from '../../lambdas/domain/barks/perform.ts';
import { type DogView, readBark, readDogView } from '../../lambdas/domain/barks/queries.ts';
import type { BarkRequest } from '../../lambdas/domain/barks/request.ts';
import type { Dog, DogSettings } from '../../lambdas/domain/dogs/dog.ts';
import { purgeDog } from '../../lambdas/domain/dogs/purge.ts';
import { type DogState, deleteDog, putDog } from '../../lambdas/domain/dogs/repository.ts';
import * as errors from '../../lambdas/domain/platform/errors.ts';
import type { RequestContext } from '../../lambdas/domain/platform/request-context.ts';
import { postSchedule } from '../../lambdas/domain/schedules/change.ts';
import { endSchedule } from '../../lambdas/domain/schedules/commit.ts';
import { scheduledAtOf } from '../../lambdas/domain/schedules/eventbridge.ts';
import {
  isLive,
  type Plan,
  patched,
  planOf,
  upcomingBarks,
} from '../../lambdas/domain/schedules/schedule.ts';
import { forget, type StandingSchedule } from '../support/faults.ts';
import { deliver, occurrenceOf, patch as sendPatch } from '../support/schedules.ts';
import type { ModelDog, World } from './reference-model.ts';
import * as world from './reference-model.ts';

/** What an operation answered, in the words of its caller. */
export interface Answer {
  readonly outcome: string;
  /** The incarnation of the dog that it made. */
  readonly incarnation?: string;
  /** The id of the asynchronous bark that it accepted. */
  readonly bark?: string;
  readonly shown?: DogView | Bark;
}

/** What is seen of an operation, besides its answer. */
export interface Seen extends Answer {
  readonly mails: number;
  /** The scheduleId of the last schedule that it had the scheduler make. */
  readonly scheduleId: string | undefined;
  /** What the others answered that were at the same asynchronous bark at the same time. */
  readonly rivals: readonly string[];
}

/** What the dog in memory answers; where it says nothing of the mails, any number is right. */
export interface Expected {
  readonly outcome: string;
  readonly mails?: number;
}

/** Something that is done to a dog of the service, and what it does to a dog in memory. */
export interface Change {
  readonly name: string;
  readonly run: () => Promise<Answer>;
  /** The asynchronous bark that it is about. */
  readonly bark?: string;
  /**
   * True if it may look at the dog at one moment and happen at a later one: a bark has the effects that the dog had when it
   * was asked for.
   */
  readonly looksFirst?: true;
  /** @param first how it was when it looked; if it does not look first, as it is */
  readonly apply: (world: World, seen: Seen, first: World) => Expected;
}

/** A look at a dog of the service; its parts may be of different moments, all while it was under way. */
export interface Look {
  readonly name: string;
  readonly run: () => Promise<Answer>;
  readonly isOf: (worlds: readonly World[], seen: Seen) => boolean;
}

export type Operation = Change | Look;

export function isChange(operation: Operation): operation is Change {
  return 'apply' in operation;
}

/** What may be asked of one dog, at a time in Unix seconds. */
export class Keeper {
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
        answerOf(async () => {
          const made = await putDog(this.id, settings, precondition, this.context);
          return made ? { outcome: 'created', incarnation: made.incarnation } : { outcome: 'replaced' };
        }),
      looksFirst: true,
      apply: (to, { incarnation = '' }, first) => {
        const isNew = !to.dog;
        if ((onlyNew && !isNew) || (only && !isIn(to.dog, only))) return { outcome: 'PreconditionFailed' };
        if (to.dog && isDeepStrictEqual(to.dog.settings, JSON.parse(JSON.stringify(settings))))
          return { outcome: 'replaced' };
        to.dog ??= world.newDog(this.id, incarnation);
        to.dog.settings = settings;
        // The time of a dog does not go back, not even if that dog is deleted while the put looks at it.
        const { lastModified = 0 } = (isNew && first.dog) || {};
        world.touchSettings(to.dog, Math.max(lastModified, this.at));
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
        answerOf(async () => ({ outcome: changed(await sendPatch(this.id, body, this.context, { since })) })),
      apply: ({ dog }, { scheduleId }) => {
        if (!dog) return { outcome: 'NotFound', mails: 0 };
        if (dog.memories[key] !== undefined) return { outcome: 'unchanged', mails: 0 };
        if (dog.settingsModified > since) return { outcome: 'PreconditionFailed', mails: 0 };
        return refusable(() => {
          const decision = patched(dog, barks, this.at * 1000);
          dog.memories[key] = '';
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
        answerOf(async () => ({
          outcome: changed(await postSchedule(this.id, { token, next, frequency }, this.context)),
        })),
      apply: ({ dog }, { scheduleId }) => {
        if (!dog) return { outcome: 'NotFound', mails: 0 };
        const known = dog.memories[key];
        if (known !== undefined)
          return { outcome: known === content ? 'unchanged' : 'InvalidSchedule', mails: 0 };
        return refusable(() => {
          const plan = planOf({ next, frequency }, this.at * 1000);
          dog.memories[key] = content;
          return this.schedule(dog, plan, scheduleId);
        });
      },
    };
  }

  private schedule(dog: ModelDog, plan: Plan | 'end', scheduleId: string | undefined): Expected {
    if (plan === 'end') {
      world.endSchedule(dog, this.at);
      return { outcome: 'changed', mails: 0 };
    }
    // The scheduler is not asked for a single bark that happens at once.
    const isNamed = !plan.atOnce || plan.frequency !== null;
    const name = isNamed && scheduleId ? scheduleId : `${world.nameless} ${dog.version}`;
    return { outcome: 'changed', mails: world.schedule(dog, plan, name, this.at) };
  }

  endSchedule(): Change {
    return {
      name: 'DELETE bark-schedule',
      run: () => this.done(() => endSchedule(this.id, this.context)),
      apply: ({ dog }) => {
        if (!dog?.schedule) return { outcome: 'NotFound' };
        if (isLive(dog)) world.endSchedule(dog, this.at);
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
      name: `POST bark${inHistory ? '' : 's'}${isAsync ? ' for later' : ''}`,
      run: () =>
        answerOf(async () => {
          const outcome = await createBark(this.id, { isAsync, inHistory, key }, this.context);
          return {
            outcome: outcome.kind,
            ...(outcome.kind === 'accepted' && { bark: outcome.bark.id }),
            ...('bark' in outcome && { shown: outcome.bark }),
          };
        }),
      looksFirst: true,
      apply: ({ dog, barks }, { bark: id = '' }, { dog: asked }) => {
        if (!asked) return { outcome: 'NotFound', mails: 0 };
        const { barkEffects: effects, barkHandling } = asked.settings;
        if (isAsync || barkHandling === 'async') {
          barks[id] = {
            incarnation: asked.incarnation,
            effects,
            inHistory,
            deadline: this.at + barkPatience,
            status: 'pending',
          };
          return { outcome: 'accepted', mails: 0 };
        }
        const mails = world.mailsOf(asked, effects);
        if (inHistory || isCounted(effects)) {
          if (dog?.incarnation !== asked.incarnation) return { outcome: 'NotFound', mails };
          world.bark(dog, effects, this.at);
          world.touch(dog, this.at);
        }
        const outcome = isRecorded(effects) ? 'recorded' : isCounted(effects) ? 'counted' : 'sent';
        return { outcome, mails };
      },
    };
  }

  /** A bark that bears a key and sends no mail: what was asked for by this key before happens no more. */
  keyedBark(value: string, isAsync: boolean): Change {
    const change = this.bark({ isAsync, key: { user: 'jane', resource: 'barks', value } });
    return {
      ...change,
      name: `${change.name} by the key ${value}`,
      apply: (to, seen, first) => {
        const { incarnation = '' } = first.dog ?? {};
        const known = to.keys.find((one) => one.incarnation === incarnation && one.value === value);
        if (known) return { outcome: known.isAsync === isAsync ? known.outcome : 'KeyReused', mails: 0 };
        const expected = change.apply(to, seen, first);
        if (expected.outcome !== 'NotFound')
          to.keys.push({ incarnation, value, isAsync, outcome: expected.outcome });
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

  /** @param id may be known later than the task begins, as that of a bark whose execution has started already */
  takeEffect(id: string | Promise<string>): Change {
    runs += 1;
    const invocation = `run ${runs}`;
    return {
      name: 'take effect',
      ...(typeof id === 'string' && { bark: id }),
      run: () => this.done(async () => performBark(this.id, await id, invocation, this.context)),
      looksFirst: true,
      apply: ({ dog, barks }, { outcome, rivals, bark: known = '' }, first) => {
        const name = typeof id === 'string' ? id : known;
        const bark = barks[name];
        if (!bark || !first.barks[name]) return { outcome: first.dog ? 'NotYet' : 'done', mails: 0 };
        // Nobody can see the barks of a dog that is gone, and the purge may be at them.
        if (bark.incarnation !== dog?.incarnation || bark.incarnation !== first.dog?.incarnation)
          return { outcome: outcome === 'NotYet' ? 'NotYet' : 'done' };
        if (outcome === 'NotYet' && rivals.includes('done')) return { outcome: 'NotYet', mails: 0 };
        if (bark.status !== 'pending' || bark.deadline - 60 <= this.at) return { outcome: 'done', mails: 0 };
        return { outcome: 'done', mails: this.complete(dog, bark, first.dog) };
      },
    };
  }

  private complete(dog: ModelDog, bark: World['barks'][string], addressed: ModelDog): number {
    const { effects, inHistory } = bark;
    if (world.lacksAddress(addressed, effects)) {
      bark.status = 'failed';
      return 0;
    }
    bark.status = 'complete';
    if (inHistory || isCounted(effects)) {
      world.bark(dog, effects, this.at);
      world.touch(dog, this.at);
    }
    return world.mailsOf(addressed, effects);
  }

  giveUp(id: string): Change {
    return {
      name: 'give up',
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

  /** Lets a schedule fire for the nth time, whether or not it still stands. */
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
      looksFirst: true,
      apply: ({ dog }, _, { dog: asked }) => {
        const isCurrent = (one: ModelDog | undefined): one is ModelDog =>
          one?.incarnation === incarnation && one.schedule?.scheduleId === scheduleId;
        if (!isCurrent(asked)) return { outcome: this.at < created + 60 ? 'NotYet' : 'done', mails: 0 };
        if (!isCurrent(dog) || dog.schedule?.ended) return { outcome: 'done', mails: 0 };
        const { barkEffects } = asked.settings;
        if (!world.barkAtSlot(dog, occurrence, scheduledAtOf(occurrence), barkEffects))
          return { outcome: 'done', mails: 0 };
        world.touch(dog, this.at);
        return { outcome: 'done', mails: world.mailsOf(asked, barkEffects) };
      },
    };
  }

  /** GET of the dog. Whether a dog barks that is made or deleted meanwhile is left open, as of its barks. */
  show(): Look {
    return {
      name: 'GET dog',
      run: () =>
        answerOf(async () => ({ outcome: 'shown', shown: await readDogView(this.id, this.context) })),
      isOf: (worlds, { outcome, shown }) => {
        if (outcome === 'NotFound') return worlds.some(({ dog }) => !dog);
        const { dog, previous, barking, ...itsComing } = shown as DogView;
        const lives = worlds.flatMap((one) => (one.dog?.incarnation === dog.incarnation ? [one.dog] : []));
        const isIt = (one: ModelDog) =>
          isDeepStrictEqual(shownOf(one), shownOf(dog)) &&
          isDeepStrictEqual(upcomingBarks(one, this.at * 1000), itsComing);
        const isBarking = worlds.some((one) => world.isBarking(one, this.at) === barking);
        return (
          lives.some(isIt) &&
          lives.some(({ notes }) => isDeepStrictEqual(timesOf(notes), previous)) &&
          (isBarking || lives.length < worlds.length)
        );
      },
    };
  }

  /** GET of a bark. What is still to happen to one whose dog is deleted meanwhile is left open. */
  showBark(id: string): Look {
    return {
      name: 'GET bark',
      run: () =>
        answerOf(async () => ({ outcome: 'shown', shown: await readBark(this.id, id, this.context) })),
      isOf: (worlds, { outcome, shown }) => {
        const barks = worlds.map(({ dog, barks: { [id]: bark } }) =>
          bark?.incarnation === dog?.incarnation ? bark : undefined,
        );
        if (outcome === 'NotFound') return barks.includes(undefined);
        const { status } = shown as Bark;
        const isIt = barks.some((bark) => bark && world.statusOf(bark, this.at) === status);
        return isIt || (barks.includes(undefined) && barks.some(Boolean));
      },
    };
  }

  private done(run: () => Promise<unknown>): Promise<Answer> {
    return answerOf(async () => {
      await run();
      return { outcome: 'done' };
    });
  }
}

/** How long an asynchronous bark has, in seconds: the cancellation window of these tests, and what the service adds. */
const barkPatience = 5 + 15 * 60;

/** Names each run of a function. */
let runs = 0;

export async function answerOf(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (isForeseen(error)) return { outcome: (error as Error).name };
    throw error;
  }
}

/** True if it is an answer, and no outage or defect: nothing fails here, whatever is let through when. */
function isForeseen(error: unknown): boolean {
  return (
    Object.values(errors).some((kind) => error instanceof kind) && !(error instanceof errors.Unavailable)
  );
}

function refusable(decide: () => Expected): Expected {
  try {
    return decide();
  } catch (error) {
    if (!isForeseen(error)) throw error;
    return { outcome: (error as Error).name, mails: 0 };
  }
}

/** A PATCH that changes nothing is answered as its repeat is. */
function changed(outcome: 'changed' | 'repeated' | 'unchanged'): string {
  return outcome === 'changed' ? 'changed' : 'unchanged';
}

/** What GET shows of the item of a dog, which it reads at one moment. */
function shownOf({ settings, barkCount, version, lastModified }: Dog) {
  return { settings, barkCount, version, lastModified };
}

function timesOf(notes: readonly string[]): number[] {
  return notes.map((note) => Number.parseInt(note, 10));
}

function isIn(dog: ModelDog | undefined, { incarnation, version }: DogState): boolean {
  return dog?.incarnation === incarnation && dog.version === version;
}
