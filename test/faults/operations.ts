import { isDeepStrictEqual } from 'node:util';
import type { Bark, BarkRequest, DogView } from '../../lambdas/domain/barks/bark.ts';
import { cancelBark } from '../../lambdas/domain/barks/cancel.ts';
import { createBark } from '../../lambdas/domain/barks/create.ts';
import { failBark, performBark } from '../../lambdas/domain/barks/perform.ts';
import { readBark, readDogView, readLastBark } from '../../lambdas/domain/barks/queries.ts';
import { deleteDog } from '../../lambdas/domain/dogs/delete.ts';
import type { Dog, DogSettings, Suspension } from '../../lambdas/domain/dogs/dog.ts';
import type { DogState } from '../../lambdas/domain/dogs/precondition.ts';
import { putDog } from '../../lambdas/domain/dogs/put.ts';
import { Unavailable } from '../../lambdas/domain/platform/errors.ts';
import type { RequestContext } from '../../lambdas/domain/platform/request-context.ts';
import { MailFailure } from '../../lambdas/domain/platform/ses.ts';
import { purgeDog } from '../../lambdas/domain/removal/purge.ts';
import { endSchedule, postSchedule } from '../../lambdas/domain/schedules/change.ts';
import { readSchedule } from '../../lambdas/domain/schedules/read.ts';
import { subscriptionTokenOf } from '../../lambdas/domain/suspensions/subscription.ts';
import {
  liftSuspension,
  resubscribe,
  suspendAddresses,
  unsubscribe,
} from '../../lambdas/domain/suspensions/suspend.ts';
import { errorClasses } from '../support/errors.ts';
import { forget, type StandingSchedule } from '../support/faults.ts';
import { deliver, occurrenceOf, patch as sendPatch } from '../support/schedules.ts';
import { isCounted, isRecorded, lacksAddress, mailsOf, sendsMail } from './model/effect-rules.ts';
import { countBark, countScheduledMail } from './model/limit-rules.ts';
import type { ModelDog, ReferenceModel } from './model/reference-model.ts';
import * as reference from './model/reference-model.ts';
import { firstDeliveryOf, isLive, type Plan, patchOf, planOf, upcomingOf } from './model/schedule-rules.ts';
import * as suspensionRules from './model/suspension-rules.ts';
import { pendingIn, stateOf, userOf } from './state.ts';

/** The mail keys of all dogs, by incarnation. */
const mailKeys = new Map<string, string>();

type View =
  | DogView
  | Bark
  | Awaited<ReturnType<typeof readLastBark>>
  | Awaited<ReturnType<typeof readSchedule>>['shown'];

/** The result of an operation, as its caller sees it. */
export interface Result {
  readonly outcome: string;
  /** The incarnation of the dog that the operation created. */
  readonly incarnation?: string;
  /** The ID of the asynchronous bark that the operation accepted. */
  readonly bark?: string;
  readonly shown?: View;
}

export interface Observation extends Result {
  readonly mails: number;
  /** The scheduleId of the last schedule that the operation created in EventBridge Scheduler. */
  readonly scheduleId: string | undefined;
  /** The outcomes of the concurrent operations on the same asynchronous bark. */
  readonly rivals: readonly string[];
}

/** The result that the reference model requires. If `mails` is missing, any number of emails is correct. */
export interface Expected {
  readonly outcome: string;
  readonly mails?: number;
}

/** An operation that changes a dog, and its effect on the reference model. */
export interface Change {
  readonly name: string;
  /** The time on the function's clock, in Unix seconds. */
  readonly at: number;
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
  /** The time on the function's clock, in Unix seconds. */
  readonly at: number;
  readonly run: () => Promise<Result>;
  readonly matches: (models: readonly ReferenceModel[], observed: Observation) => boolean;
}

export type Operation = Change | Read;

export function isChange(operation: Operation): operation is Change {
  return 'apply' in operation;
}

/** A schedule that an operation created in EventBridge Scheduler. */
export interface CreatedSchedule {
  readonly standing: StandingSchedule;
  readonly scheduleId: string;
  /** The time on the clock of the function that created it, in Unix seconds. */
  readonly created: number;
}

/**
 * Creates operations on one dog. Each operation runs in a function with its own clock. To add an operation:
 *
 * 1. Add a method here. Its `run` calls the domain; `apply` does the same to the model and returns the expected outcome. From the
 *    observation, `apply` takes only what the model cannot know: the IDs that the service chooses, and `NotYet`. Leave out `mails`
 *    if their number varies. An operation that changes nothing is a `Read`, such as `showSchedule`.
 * 2. Add its effect to `model/reference-model.ts`, and its rules to the other files of `model`.
 * 3. Add it to `operations` in `any-operation.ts`, and its name to each situation of `races.test.ts` in which it can run. A situation
 *    needs no expectations.
 */
export class Actor {
  private readonly id: string;
  private readonly user: string;
  private readonly clock: () => number;

  /** @param clock returns the time on the next function's clock, in milliseconds since 1970 */
  constructor(id: string, clock: () => number) {
    this.id = id;
    this.user = userOf(id);
    this.clock = clock;
  }

  /** Starts a function, whose clock shows a time in Unix seconds, and returns the operation that runs in it. */
  private operation<Kind extends Operation>(
    create: (started: { at: number; context: RequestContext }) => Omit<Kind, 'at'>,
  ): Kind {
    const now = this.clock();
    const at = Math.floor(now / 1000);
    const made = create({ at, context: { now, signal: new AbortController().signal } });
    return { ...made, at, run: () => resultOf(made.run) } as Kind;
  }

  put(settings: DogSettings, { onlyNew = false, only }: { onlyNew?: boolean; only?: DogState } = {}): Change {
    const precondition = {
      ...(onlyNew && { noneMatch: 'any' as const }),
      ...(only && { match: [only] }),
    };
    return this.operation(({ at, context }) => ({
      name: `PUT ${settings.barkHandling} ${settings.barkEffects.join(' ')}`,
      run: async () => {
        const made = await putDog(this.id, settings, precondition, context);
        if (made) mailKeys.set(made.incarnation, made.mailKey ?? '');
        return made ? { outcome: 'created', incarnation: made.incarnation } : { outcome: 'replaced' };
      },
      readsFirst: true,
      apply: (to, { incarnation = '' }, first) => {
        const isNew = !to.dog;
        if ((onlyNew && !isNew) || (only && !isIn(to.dog, only))) return { outcome: 'StateMismatch' };
        if (to.dog && isDeepStrictEqual(to.dog.settings, JSON.parse(JSON.stringify(settings))))
          return { outcome: 'replaced' };
        // The PUT can find a dog with a later time that is deleted before the PUT takes effect.
        const found = first.dog?.incarnation === to.dog?.incarnation ? 0 : first.dog?.lastModified;
        to.dog ??= { ...reference.newDog(this.id, incarnation), mailKey: mailKeys.get(incarnation) ?? '' };
        to.dog.settings = settings;
        reference.touchSettings(to.dog, at, found);
        return { outcome: isNew ? 'created' : 'replaced' };
      },
    }));
  }

  delete(): Change {
    return this.operation(({ context }) => ({
      name: 'DELETE dog',
      run: () => done(() => deleteDog(this.id, {}, context)),
      apply: (to) => {
        if (!to.dog) return { outcome: 'NotFound' };
        to.deleted.push(to.dog);
        to.dog = undefined;
        return { outcome: 'done' };
      },
    }));
  }

  purge(dog: Parameters<typeof purgeDog>[0]): Change {
    return this.operation(({ context }) => ({
      name: 'purge',
      run: () => done(() => purgeDog(dog, context)),
      apply: (to) => {
        to.purged.push(dog.incarnation);
        return { outcome: 'done', mails: 0 };
      },
    }));
  }

  patch(barks: { next?: number; frequency?: number | null } | null, since: number): Change {
    const body = { barks };
    const key = JSON.stringify({ since, body });
    return this.operation(({ at, context }) => ({
      name: `PATCH ${JSON.stringify(barks)}`,
      run: async () => ({
        outcome: changed(await sendPatch(this.id, body, context, { since, user: this.user })),
      }),
      readsFirst: true,
      apply: (to, { scheduleId }, { dog: dogRead }) => {
        const { dog } = to;
        if (!dog) return { outcome: 'NotFound', mails: 0 };
        if (dog.appliedChanges[key] !== undefined) return { outcome: 'unchanged', mails: 0 };
        const isInFuture = since > dog.lastModified && since > at + maxAheadSeconds;
        if (dog.settingsModified > since) return { outcome: 'ModifiedSince', mails: 0 };
        if (isInFuture) return { outcome: 'DateInFuture', mails: 0 };
        const decision = patchOf(dog.schedule, barks, at);
        if (decision === 'refused') return { outcome: 'InvalidSchedule', mails: 0 };
        if (typeof decision === 'object' && !this.mayBark(to, dog, decision, at))
          return { outcome: 'LimitReached', mails: 0 };
        dog.appliedChanges[key] = '';
        if (decision === 'unchanged') return { outcome: 'unchanged', mails: 0 };
        if (decision !== 'end') return setSchedule({ ...to, dog }, decision, scheduleId, at, dogRead);
        reference.endSchedule(dog, at);
        return { outcome: 'changed', mails: 0 };
      },
    }));
  }

  post(token: number, next: number, frequency: number | null): Change {
    const key = `token ${token}`;
    const content = JSON.stringify({ next, frequency });
    return this.operation(({ at, context }) => ({
      name: `POST bark-schedule ${token} ${content}`,
      run: async () => ({
        outcome: changed(await postSchedule(this.id, { user: this.user, token, next, frequency }, context)),
      }),
      readsFirst: true,
      apply: (to, { scheduleId }, { dog: dogRead }) => {
        const { dog } = to;
        if (!dog) return { outcome: 'NotFound', mails: 0 };
        const known = dog.appliedChanges[key];
        if (known !== undefined)
          return { outcome: known === content ? 'unchanged' : 'TokenReused', mails: 0 };
        const plan = planOf(dog.schedule, { next, frequency }, at);
        if (plan === 'refused') return { outcome: 'InvalidSchedule', mails: 0 };
        if (!this.mayBark(to, dog, plan, at)) return { outcome: 'LimitReached', mails: 0 };
        dog.appliedChanges[key] = content;
        return setSchedule({ ...to, dog }, plan, scheduleId, at, dogRead);
      },
    }));
  }

  /** Counts the first bark of a schedule if it happens now. Returns false if a limit refuses the schedule. */
  private mayBark(to: ReferenceModel, { settings }: ModelDog, { barksNow }: Plan, at: number): boolean {
    const mails = sendsMail(settings.barkEffects) ? 1 : 0;
    return !barksNow || countBark(to, { dog: this.id, user: this.user, mails }, at);
  }

  endSchedule(): Change {
    return this.operation(({ at, context }) => ({
      name: 'DELETE bark-schedule',
      run: () => done(() => endSchedule(this.id, context)),
      apply: ({ dog }) => {
        if (!dog?.schedule) return { outcome: 'NotFound' };
        if (isLive(dog.schedule)) reference.endSchedule(dog, at);
        return { outcome: 'done' };
      },
    }));
  }

  bark({
    isAsync = false,
    inHistory = false,
    key,
  }: Pick<BarkRequest, 'isAsync' | 'inHistory' | 'key'> = {}): Change {
    return this.operation(({ at, context }) => ({
      name: `POST bark${inHistory ? '' : 's'}${isAsync ? ', asynchronous' : ''}`,
      run: async () => {
        const request = { user: this.user, isAsync, inHistory, key };
        const outcome = await createBark(this.id, request, context);
        return {
          outcome: outcome.kind,
          ...(outcome.kind === 'accepted' && { bark: outcome.bark.id }),
          ...('bark' in outcome && { shown: outcome.bark }),
        };
      },
      readsFirst: true,
      apply: (to, { bark: id = '' }, { dog: dogRead }) => {
        if (!dogRead) return { outcome: 'NotFound', mails: 0 };
        const { dog, barks } = to;
        const { barkEffects: effects, barkHandling } = dogRead.settings;
        const mails = sendsMail(effects) ? 1 : 0;
        const isStored = inHistory || isCounted(effects);
        const isSync = !isAsync && barkHandling === 'sync';
        // A synchronous bark without mail is counted in the transaction that fails if the dog is gone.
        if (isSync && isStored && mails === 0 && dog?.incarnation !== dogRead.incarnation)
          return { outcome: 'NotFound', mails: 0 };
        // Such a bark sends nothing, so it does not count toward the limits.
        if (isSync && suspensionRules.reachesNobody(dogRead, effects))
          return { outcome: 'AddressSuspended', mails: 0 };
        if (!countBark(to, { dog: this.id, user: this.user, mails }, at))
          return { outcome: 'LimitReached', mails: 0 };
        if (!isSync) {
          barks[id] = {
            incarnation: dogRead.incarnation,
            effects,
            inHistory,
            deadline: at + barkTimeoutSeconds,
            status: 'pending',
          };
          return { outcome: 'accepted', mails: 0 };
        }
        if (isStored) {
          if (dog?.incarnation !== dogRead.incarnation) return { outcome: 'NotFound', mails };
          reference.bark(dog, effects, at);
          reference.touch(dog, at);
        }
        const outcome = isRecorded(effects) ? 'recorded' : isCounted(effects) ? 'counted' : 'sent';
        return { outcome, mails };
      },
    }));
  }

  /** Creates a bark with an idempotency key. A repeat with the same key has no effect. Races need a dog that sends no mail. */
  keyedBark(value: string, { isAsync = false, inHistory = false } = {}): Change {
    const change = this.bark({ isAsync, inHistory, key: { user: 'jane', resource: 'barks', value } });
    return {
      ...change,
      name: `${change.name} with the key ${value}`,
      apply: (to, observed, first) => {
        const { incarnation = '' } = first.dog ?? {};
        const known = to.idempotencyRecords.find(
          (one) => one.incarnation === incarnation && one.value === value,
        );
        const { shown = null } = observed;
        if (known?.isAsync === isAsync && !isDeepStrictEqual(known.shown, shown))
          return { outcome: `the document ${JSON.stringify(known.shown)}` };
        if (known) return { outcome: known.isAsync === isAsync ? known.outcome : 'KeyReused', mails: 0 };
        const expected = change.apply(to, observed, first);
        if (!['NotFound', 'LimitReached', 'AddressSuspended'].includes(expected.outcome))
          to.idempotencyRecords.push({ incarnation, value, isAsync, outcome: expected.outcome, shown });
        return expected;
      },
    };
  }

  cancel(id: string): Change {
    return this.operation(({ at, context }) => ({
      name: 'DELETE bark',
      bark: id,
      run: () => done(() => cancelBark(this.id, id, context)),
      apply: ({ dog, barks: { [id]: bark } }, { outcome, rivals }) => {
        if (!bark || bark.incarnation !== dog?.incarnation) return { outcome: 'NotFound', mails: 0 };
        // While a run sends the mail, the bark can no longer be cancelled, although clients see it as pending.
        const maySendMail = rivals.includes('done') && sendsMail(bark.effects);
        if (outcome === 'TooLate' && maySendMail) return { outcome: 'TooLate', mails: 0 };
        if (bark.status === 'pending' && bark.deadline > at) bark.status = 'cancelled';
        return { outcome: bark.status === 'cancelled' ? 'done' : 'TooLate', mails: 0 };
      },
    }));
  }

  /** @param id the ID, or a promise of it if the workflow can start before the test knows the ID */
  performBark(id: string | Promise<string>): Change {
    return this.operation(({ at, context }) => ({
      name: 'perform bark',
      bark: typeof id === 'string' ? id : 'the bark that another operation accepts',
      run: () => done(async () => performBark(this.id, await id, context)),
      readsFirst: true,
      apply: ({ dog, barks }, { outcome, rivals, bark: known = '' }, first) => {
        const name = typeof id === 'string' ? id : known;
        const bark = barks[name];
        if (!bark || !first.barks[name]) return { outcome: first.dog ? 'NotStored' : 'done', mails: 0 };
        // Clients cannot see the barks of a deleted dog, and the purge may be deleting these barks.
        if (bark.incarnation !== dog?.incarnation || bark.incarnation !== first.dog?.incarnation)
          return { outcome: ['NotYet', 'NotStored'].includes(outcome) ? outcome : 'done' };
        if (outcome === 'NotYet' && rivals.includes('done')) return { outcome: 'NotYet', mails: 0 };
        if (bark.status !== 'pending' || bark.deadline - 60 <= at) return { outcome: 'done', mails: 0 };
        return { outcome: 'done', mails: complete(dog, bark, first.dog, at) };
      },
    }));
  }

  endBarks(how: 'performBark' | 'cancel'): Change {
    const each = (ids: readonly string[]) => ids.map((id) => this[how](id));
    return this.operation(() => ({
      name: `${how} all barks`,
      run: () =>
        done(async () => {
          for (const change of each(pendingIn(stateOf(this.id)))) await change.run();
        }),
      apply: (to, observed) => {
        for (const change of each(Object.keys(to.barks))) change.apply(to, observed, structuredClone(to));
        return { outcome: 'done' };
      },
    }));
  }

  failBark(id: string): Change {
    return this.operation(({ at, context }) => ({
      name: 'fail bark',
      bark: id,
      run: () => done(() => failBark(this.id, id, crypto.randomUUID(), context)),
      apply: ({ dog, barks: { [id]: bark } }, { outcome, rivals }) => {
        if (outcome === 'NotYet' && rivals.includes('done')) return { outcome: 'NotYet', mails: 0 };
        if (bark && bark.incarnation === dog?.incarnation && bark.status === 'pending' && bark.deadline > at)
          bark.status = 'failed';
        return { outcome: 'done', mails: 0 };
      },
    }));
  }

  /** Delivers the nth firing, from 0, even of a former schedule. @param delivery the request ID of a Lambda event that is repeated */
  fire({ standing, scheduleId, created }: CreatedSchedule, n: number, delivery?: string): Change {
    const occurrence = occurrenceOf(standing, n);
    return this.operation(({ at, context }) => ({
      name: `occurrence ${n}`,
      run: () => {
        if (occurrence.frequency === null) forget(standing);
        return done(() => deliver(occurrence, context, delivery));
      },
      readsFirst: true,
      apply: (to, { outcome }, { dog: dogRead }) => {
        const { dog, schedules } = to;
        // Another run for the same event is sending the mail.
        if (delivery !== undefined && outcome === 'NotYet') return { outcome, mails: 0 };
        const schedule = schedules[scheduleId];
        if (dogRead?.schedule?.scheduleId !== scheduleId) {
          const hadSchedule = dog && schedule && reference.hasBarkedAt(dog, schedule, scheduleId, n);
          return { outcome: !hadSchedule && at < created + 60 ? 'NotYet' : 'done', mails: 0 };
        }
        if (!schedule || dog?.schedule?.scheduleId !== scheduleId || dog.schedule.ended)
          return { outcome: 'done', mails: 0 };
        const { settings } = dogRead;
        const scheduledAt = reference.deliveredOccurrence(schedule, n);
        if (!reference.barkAtOccurrence(dog, scheduledAt, settings.barkEffects))
          return { outcome: 'done', mails: 0 };
        reference.touch(dog, at);
        const isMailed = sendsMail(settings.barkEffects) && countScheduledMail(to, this.id, at);
        return { outcome: 'done', mails: isMailed ? mailsOf(settings.barkEffects, dogRead) : 0 };
      },
    }));
  }

  /**
   * Delivers a mail server's feedback about the dog's email.
   *
   * @param incarnation the incarnation that sent the mail
   * @param since when the mail bounced, or when its recipient complained, in Unix seconds
   */
  feedback(
    incarnation: string,
    addresses: readonly string[],
    reason: 'bounced' | 'complained',
    since: number,
  ): Change {
    return this.operation(({ at, context }) => ({
      name: `${reason} ${addresses.join(' ')} at ${since}`,
      run: () =>
        done(() => suspendAddresses({ dog: this.id, incarnation, addresses, reason, at: since }, context)),
      apply: ({ dog }) => {
        if (dog?.incarnation === incarnation)
          setSuspensions(dog, suspensionRules.suspend(dog, addresses, reason, since), at);
        return { outcome: 'done', mails: 0 };
      },
    }));
  }

  /** Sends a mail program's request that unsubscribes the recipients of an email, or undoes such a request. */
  changeSubscription(
    name: 'unsubscribe' | 'resubscribe',
    incarnation: string,
    recipients: readonly string[],
  ): Change {
    const token = subscriptionTokenOf(mailKeys.get(incarnation) ?? '', recipients);
    const change = { unsubscribe, resubscribe }[name];
    return this.operation(({ at, context }) => ({
      name: `${name} ${recipients.join(' ')}`,
      run: () => done(() => change(this.id, token, context)),
      apply: ({ dog }) => {
        const addresses = dog?.incarnation === incarnation ? suspensionRules.addressesOf(dog.settings) : [];
        if (!dog || !addresses.some((address) => recipients.includes(address)))
          return { outcome: 'NotFound', mails: 0 };
        const changed =
          name === 'unsubscribe'
            ? suspensionRules.suspend(dog, recipients, 'unsubscribed', at)
            : suspensionRules.resume(dog, recipients, at);
        setSuspensions(dog, changed, at);
        return { outcome: 'done', mails: 0 };
      },
    }));
  }

  lift(address: string): Change {
    return this.operation(({ at, context }) => ({
      name: `lift ${address}`,
      run: () => done(() => liftSuspension(this.id, address, context)),
      apply: ({ dog }) => {
        if (dog) setSuspensions(dog, suspensionRules.lift(dog, address, at), at);
        return { outcome: 'done', mails: 0 };
      },
    }));
  }

  /** Returns a GET of the dog. If the dog is created or deleted meanwhile, any value of `barking` is accepted. */
  show(): Read {
    return this.operation(({ at, context }) => ({
      name: 'GET dog',
      run: () => shown(() => readDogView(this.id, context)),
      matches: (models, { outcome, shown }) => {
        if (outcome === 'NotFound') return models.some(({ dog }) => !dog);
        const { dog, previous, barking, ...upcoming } = shown as DogView;
        const incarnations = models.flatMap((one) =>
          one.dog?.incarnation === dog.incarnation ? [one.dog] : [],
        );
        const isIt = (one: ModelDog) =>
          isDeepStrictEqual(shownOf(one), shownOf(dog)) &&
          isDeepStrictEqual(upcomingOf(one.schedule, at), upcoming);
        const isBarking = models.some((one) => reference.isBarking(one, at) === barking);
        return (
          incarnations.some(isIt) &&
          incarnations.some(({ history }) => isDeepStrictEqual(reference.timesOf(history), previous)) &&
          (isBarking || incarnations.length < models.length)
        );
      },
    }));
  }

  /** Returns a GET of a bark. If its dog is deleted meanwhile, any status is accepted. */
  showBark(id: string): Read {
    return this.operation(({ at, context }) => ({
      name: 'GET bark',
      run: () => shown(() => readBark(this.id, id, context)),
      matches: (models, { outcome, shown }) => {
        const barks = models.map(({ dog, barks: { [id]: bark } }) =>
          bark?.incarnation === dog?.incarnation ? bark : undefined,
        );
        if (outcome === 'NotFound') return barks.includes(undefined);
        const { status } = shown as Bark;
        const isIt = barks.some((bark) => bark && reference.statusOf(bark, at) === status);
        return isIt || (barks.includes(undefined) && barks.some(Boolean));
      },
    }));
  }

  /** Returns a GET of the last bark. If the dog is created or deleted meanwhile, 404 is accepted. */
  showLastBark(): Read {
    return this.operation(({ context }) => ({
      name: 'GET last bark',
      run: () => shown(() => readLastBark(this.id, context)),
      matches: (models, { outcome, shown }) => {
        const incarnations = new Set(models.map(({ dog }) => dog?.incarnation));
        const times = models.map(({ dog }) => reference.timesOf(dog?.history ?? []).at(-1));
        if (outcome === 'NotFound') return times.includes(undefined) || incarnations.size > 1;
        return times.includes((shown as { timestamp: number }).timestamp);
      },
    }));
  }

  showSchedule(): Read {
    return this.operation(({ at, context }) => ({
      name: 'GET bark-schedule',
      run: () => shown(async () => (await readSchedule(this.id, context)).shown),
      matches: (models, { outcome, shown }) =>
        models.some(({ dog }) => {
          if (!dog?.schedule) return outcome === 'NotFound';
          const { next } = upcomingOf(dog.schedule, at);
          return isDeepStrictEqual(shown, { last: dog.lastOccurrence ?? null, next });
        }),
    }));
  }
}

/** The time from acceptance to deadline: the cancellation window of these tests plus the time that the service adds. */
const barkTimeoutSeconds = 5 + 15 * 60;

/** How far the date of a PATCH may be ahead of the function's clock, in seconds. */
const maxAheadSeconds = 5 * 60;

/** Returns the result of an operation, which can be an expected error. */
async function resultOf(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (isExpected(error)) return { outcome: (error as Error).name };
    throw error;
  }
}

/**
 * Returns true for an error that is a response to the client. Races inject no faults, so any other error is a defect. A clock that is
 * ahead can end the claim of another request, whose mail is then unknown.
 */
function isExpected(error: unknown): boolean {
  if (error instanceof Unavailable) return false;
  if (error instanceof MailFailure && error.outcome === 'not sent') return false;
  return Object.values(errorClasses).some((kind) => error instanceof kind);
}

async function done(run: () => Promise<unknown>): Promise<Result> {
  await run();
  return { outcome: 'done' };
}

async function shown(run: () => Promise<View>): Promise<Result> {
  return { outcome: 'shown', shown: await run() };
}

function setSchedule(
  model: Parameters<typeof reference.setSchedule>[0],
  plan: Plan,
  scheduleId: string | undefined,
  at: number,
  dogRead: ModelDog | undefined,
): Expected {
  // A schedule with only one bark, which has happened, is not created in EventBridge Scheduler.
  const isNamed = firstDeliveryOf(plan, at) !== null;
  const name = isNamed && scheduleId ? scheduleId : `${reference.unknownScheduleId} ${model.dog.version}`;
  return { outcome: 'changed', mails: reference.setSchedule(model, plan, name, at, dogRead?.suspensions) };
}

function setSuspensions(dog: ModelDog, suspensions: readonly Suspension[], at: number): void {
  if (isDeepStrictEqual(suspensions, dog.suspensions ?? [])) return;
  dog.suspensions = suspensions;
  reference.touch(dog, at);
}

/** Completes or fails a bark of the model. @param addressed the dog when the function read it */
function complete(dog: ModelDog, bark: reference.ModelBark, addressed: ModelDog, at: number): number {
  const { effects, inHistory } = bark;
  if (lacksAddress(effects, addressed.settings) || suspensionRules.reachesNobody(addressed, effects)) {
    bark.status = 'failed';
    return 0;
  }
  bark.status = 'complete';
  if (inHistory || isCounted(effects)) {
    reference.bark(dog, effects, at);
    reference.touch(dog, at);
  }
  return mailsOf(effects, addressed);
}

/** Returns the same outcome for a repeated change and for a change without effect, because their responses are the same. */
function changed(outcome: 'changed' | 'repeated' | 'unchanged'): string {
  return outcome === 'changed' ? 'changed' : 'unchanged';
}

/** Returns the part of the state that GET reads in one step, from the item of the dog. */
function shownOf({ settings, barkCount, version, lastModified, suspensions }: Dog) {
  return { settings, barkCount, version, lastModified, suspensions };
}

function isIn(dog: ModelDog | undefined, { incarnation, version }: DogState): boolean {
  return dog?.incarnation === incarnation && dog.version === version;
}
