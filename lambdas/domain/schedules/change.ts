import { createHash } from 'node:crypto';
import { sortKey } from '../barks/keys.ts';
import {
  type AppliedChange,
  findAppliedChange,
  putAppliedChange,
  putHistoryEntry,
} from '../barks/repository.ts';
import type { Dog } from '../dogs/dog.ts';
import { checkPrecondition, type Precondition } from '../dogs/precondition.ts';
import { readDog } from '../dogs/repository.ts';
import { conflictsOf, transact } from '../platform/dynamodb.ts';
import { DateInFuture, InvalidSchedule, ModifiedSince } from '../platform/errors.ts';
import { clockSkewSeconds, type RequestContext, seconds } from '../platform/request-context.ts';
import { type CommitOptions, checkState, commit, deleteFormerSchedule } from './commit.ts';
import { createSchedule, deleteScheduleBestEffort } from './eventbridge.ts';
import { occurrenceEntry, sendOccurrenceMail } from './occurrence-mail.ts';
import {
  type BarkScheduleDocument,
  newScheduleId,
  occurrenceAfter,
  type Plan,
  patched,
  planOf,
  type Schedule,
  type SchedulePatch,
} from './schedule.ts';

interface Change {
  /** What it leaves behind, by which its repeat is known. */
  readonly applied: Omit<AppliedChange, 'dog' | 'incarnation' | 'change'>;
  /** True if it must find the dog in the very state that `decide` saw. */
  readonly exact?: boolean;
  /** What is to be done with the dog as it was found. */
  readonly decide: (dog: Dog, known: AppliedChange | undefined) => Plan | 'end' | 'repeated' | 'unchanged';
}

/** Whether a change was made, had been made before, or changes nothing. */
export type ScheduleChangeOutcome = 'changed' | 'repeated' | 'unchanged';

export interface PatchRequest {
  /** If-Unmodified-Since, in Unix seconds. The date, the body and If-Match identify the request. */
  readonly since: number;
  readonly body: Uint8Array;
  readonly precondition: Precondition;
  /** The content of the body. An error does not matter if the request is a repeat or if there is no dog. */
  readonly content: ParsedPatch;
}

/** The result of parsing the body of a PATCH: the patch, or the error of an invalid body. */
export type ParsedPatch = { readonly patch: SchedulePatch } | { readonly error: Error };

/**
 * Applies a merge patch to a dog's schedule, once, however often and however late it is sent again. A patch that changes
 * nothing is recorded as well: its repeat must not take effect after the change of another client.
 *
 * @throws NotFound
 * @throws ModifiedSince if a client has changed the dog after the date
 * @throws DateInFuture if the date is in the future and the service has not shown it
 * @throws PreconditionFailed if the dog is not in a state that the precondition demands
 * @throws InvalidSchedule, ScheduleRefused, Unavailable
 * @throws the error of the content, if the request is not a repeat
 */
export function patchSchedule(
  dogId: string,
  { since, body, precondition, content }: PatchRequest,
  context: RequestContext,
): Promise<ScheduleChangeOutcome> {
  // With If-Match any date is accepted, so that the state that the client demands identifies the request as well.
  const identity = JSON.stringify([since, precondition.match]);
  const digest = createHash('sha256').update(`${identity}\n`).update(body).digest('base64url');
  const applied = { sk: sortKey('appliedPatch', digest) };
  const decide: Change['decide'] = (dog, known) => {
    if (known) return 'repeated';
    if ('error' in content) throw content.error;
    // RFC 9110 section 13.1.4: If-Match takes the place of the date.
    if (precondition.match === undefined) checkDate(dog, since, context);
    checkPrecondition(precondition, dog);
    return patched(dog, content.patch, context.now);
  };
  return applyOnce(dogId, { applied, exact: Object.keys(precondition).length > 0, decide }, context);
}

/**
 * Sets a dog's schedule, once for each token, however often it is sent.
 *
 * @throws NotFound
 * @throws InvalidSchedule if the token was sent before with other content, or the time is out of range
 * @throws ScheduleRefused, Unavailable
 */
export function postSchedule(
  dogId: string,
  { token, next, frequency: asked }: BarkScheduleDocument,
  context: RequestContext,
): Promise<ScheduleChangeOutcome> {
  const frequency = asked || null;
  // The text of a number is the same for all its spellings, and for 0 and -0.
  const applied = { sk: sortKey('appliedPost', token), next, frequency };
  const decide: Change['decide'] = (_, known) => {
    if (!known) return planOf({ next, frequency }, context.now);
    if (known.next === next && known.frequency === frequency) return 'repeated';
    throw new InvalidSchedule(
      'token',
      'was sent before, with another next or frequency; a new schedule needs a new token',
    );
  };
  return applyOnce(dogId, { applied, decide }, context);
}

/** Makes a change, unless it was made before. Where another change is faster, it looks at the dog again. */
async function applyOnce(
  dogId: string,
  wanted: Change,
  context: RequestContext,
): Promise<ScheduleChangeOutcome> {
  for (;;) {
    const { dog, decision } = await decide(dogId, wanted, context);
    if (decision === 'repeated') return decision;
    if (decision === 'unchanged') {
      if (await recordUnchanged(dog, wanted, context)) return decision;
    } else {
      const made = await (decision === 'end'
        ? setEnd(dog, wanted, context)
        : setSchedule(dog, decision, wanted, context));
      if (made) return 'changed';
    }
  }
}

/** Decides by the dog and by what is remembered of it, which are read side by side. */
async function decide(dogId: string, wanted: Change, context: RequestContext) {
  const key = { dog: dogId, sk: wanted.applied.sk };
  const [dog, item] = await Promise.all([readDog(dogId, context), findAppliedChange(key, context)]);
  const by = (known: AppliedChange | undefined) => ({
    dog,
    decision: wanted.decide(dog, known?.incarnation === dog.incarnation ? known : undefined),
  });
  try {
    return by(item);
  } catch (error) {
    // The dog may show the very change that is asked for, made by its first sending after the memory was read.
    const later = item ? undefined : await findAppliedChange(key, context);
    if (!later) throw error;
    return by(later);
  }
}

/**
 * Sets a schedule. The scheduler is asked first, under a new name that means nothing until the dog bears it: a crash
 * leaves the old schedule working or the new one, and at the scheduler perhaps one that deletes itself when it fires.
 *
 *     CreateSchedule ──── TransactWriteItems (dog, memory, first bark) ──── DeleteSchedule (old) ──── SendEmail
 *                     ↑                                                 ↑
 *     the old one works, the new one fires to no effect     the new one works, the old one fires to no effect
 *
 * @returns false if another change of the dog was faster
 */
async function setSchedule(dog: Dog, plan: Plan, wanted: Change, context: RequestContext): Promise<boolean> {
  const { start, frequency, atOnce, keepsNext } = plan;
  const schedule: Schedule = { scheduleId: newScheduleId(context.now), start, frequency };
  const first = atOnce ? occurrenceAfter(schedule, start) : start;
  if (first !== null) await createSchedule(dog, schedule, first, context);
  const bark = atOnce ? occurrenceEntry(dog, schedule, start) : undefined;
  const made = { ...wanted, bark, keepsNext, change: schedule.scheduleId };
  if (!(await commitChange(dog, schedule, made, context))) {
    if (first !== null) await deleteScheduleBestEffort(dog.id, schedule.scheduleId, context);
    return false;
  }
  await Promise.all([
    deleteFormerSchedule(dog, context),
    bark && sendOccurrenceMail(dog, bark, { patient: false }, context),
  ]);
  return true;
}

/** Ends the schedule that the dog has. @returns false if another change of the dog was faster */
async function setEnd(dog: Dog, wanted: Change, context: RequestContext): Promise<boolean> {
  const ended = { ...(dog.schedule as Schedule), ended: true } as const;
  // The slot that was to come may have been the last: then there is nothing left to end.
  const made = await commitChange(
    dog,
    ended,
    { ...wanted, keepsNext: true, change: newScheduleId(context.now) },
    context,
  );
  if (made) await deleteFormerSchedule(dog, context);
  return made;
}

/** Gives the dog a schedule, and remembers the change by a name that is this call's own. */
async function commitChange(
  dog: Dog,
  schedule: Schedule,
  { applied, change, exact, keepsNext, bark }: Change & { change: string } & Omit<CommitOptions, 'others'>,
  context: RequestContext,
): Promise<boolean> {
  const appliedChange = putAppliedChange({ ...applied, dog: dog.id, incarnation: dog.incarnation, change });
  const others = { appliedChange, historyEntry: bark && putHistoryEntry(bark) };
  const conflicts = await commit(dog, schedule, { bark, exact, keepsNext, others }, context);
  // If the name is there, a try took place whose answer was lost.
  return !conflicts || conflicts.appliedChange?.item?.change === change;
}

/**
 * Records a request that changes nothing.
 *
 * @returns false if a change of the dog was faster, or if the request was recorded before
 */
async function recordUnchanged(
  dog: Dog,
  { applied, exact }: Change,
  context: RequestContext,
): Promise<boolean> {
  const change = newScheduleId(context.now);
  const appliedChange = putAppliedChange({ ...applied, dog: dog.id, incarnation: dog.incarnation, change });
  try {
    await transact({ dog: checkState(dog, exact), appliedChange }, context);
    return true;
  } catch (error) {
    const conflicts = conflictsOf<'dog' | 'appliedChange'>(error);
    if (!conflicts) throw error;
    return conflicts.appliedChange?.item?.change === change;
  }
}

/**
 * Checks the date of a PATCH. The service accepts each `lastModified` that it has shown since the last change by a
 * client, even if the clock that set it was far ahead.
 *
 * @param since Unix seconds
 * @throws ModifiedSince if a client has changed the dog after the date
 * @throws DateInFuture if the date is in the future and the service has not shown it
 */
function checkDate({ settingsModified, lastModified }: Dog, since: number, context: RequestContext): void {
  const now = seconds(context.now);
  if (settingsModified > since) throw new ModifiedSince({ settingsModified, since });
  if (since > Math.max(lastModified, now + clockSkewSeconds)) throw new DateInFuture({ since, now });
}
