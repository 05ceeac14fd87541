import { isCounted } from '../barks/bark.ts';
import type { Dog } from '../dogs/dog.ts';
import { type DogTime, writeWithLastModified } from '../dogs/last-modified.ts';
import { checkDog, type DogUpdate, type ExpectedState, updateDog, writeDog } from '../dogs/repository.ts';
import { newScheduleId, type Schedule } from '../dogs/schedule.ts';
import { countUsage, limitReached, type Usage } from '../limits/usage.ts';
import {
  type Action,
  type Actions,
  conditionFailuresOf,
  failedCondition,
  transact,
} from '../platform/dynamodb.ts';
import type { RequestContext } from '../platform/request-context.ts';

/** A request that the service records in the transaction that applies it, so that the service can detect repeats. */
export interface RecordedRequest {
  /** The user that sent the request. */
  readonly user?: string | undefined;
  /** Returns the action that records the request. `change` is the unique name of the change that the request makes. */
  readonly record: (dog: Dog, change: string) => Action;
  /** True if any other write to the dog since it was read must make this write fail, even a bark. */
  readonly exact?: boolean | undefined;
}

/** The request that sets a schedule, the items that are written together with the schedule, and the conditions of the write. */
export interface CommitOptions {
  readonly request: RecordedRequest;
  /** The action that writes the bark of the first occurrence, if the first occurrence is now. */
  readonly historyEntry?: Action | undefined;
  /** The usage that the first bark counts, if the first occurrence is now. */
  readonly usage?: Usage | undefined;
}

/**
 * Stores a schedule with its dog. The same transaction writes the record of the request, and the first bark if there is one.
 *
 * @returns false if another change to the dog came first, if the dog has barked at an occurrence of its schedule since it was
 *   read, or if the request was recorded before
 * @throws LimitReached if the barks or mails of the dog or of the user have reached a limit: nothing was written
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the transaction took place
 */
export async function commitSchedule(
  dog: Dog,
  schedule: Schedule,
  options: CommitOptions,
  context: RequestContext,
): Promise<boolean> {
  const { request, historyEntry, usage } = options;
  // An ended schedule keeps its ID, so the ID cannot be the unique name of this change.
  const change = schedule.ended ? newScheduleId(context.now) : schedule.scheduleId;
  const others: Actions = {
    appliedChange: request.record(dog, change),
    historyEntry,
    ...(usage && countUsage(usage, context)),
  };
  const write = (time: DogTime) =>
    transact(
      {
        dog: updateDog(dog.id, scheduleUpdate(dog, schedule, { ...options, exact: request.exact }, time)),
        ...others,
      },
      context,
    );
  try {
    await writeWithLastModified(write, context, { isClientChange: true });
    return true;
  } catch (error) {
    const failures = conditionFailuresOf<'dog' | 'appliedChange'>(error);
    const refusal =
      usage && !failures?.dog && !failures?.appliedChange && limitReached(usage, error, context);
    if (refusal) throw refusal;
    return tookPlace(error, change);
  }
}

/**
 * Stores that a dog's schedule has ended, with a single write. The write costs half as much as a transaction. It needs no record of
 * the request, because a repeat has the same result.
 *
 * @param ended the schedule, marked as ended
 * @returns true if the schedule has ended, even if an earlier attempt or another request ended it; false if another change to the
 *   dog came first, or if the dog has barked at an occurrence since it was read
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the schedule has ended
 */
export async function commitEnd(
  dog: Dog,
  ended: Schedule,
  { exact }: Pick<RecordedRequest, 'exact'>,
  context: RequestContext,
): Promise<boolean> {
  const write = (time: DogTime) => writeDog(dog.id, scheduleUpdate(dog, ended, { exact }, time), context);
  try {
    await writeWithLastModified(write, context, { isClientChange: true });
    return true;
  } catch (error) {
    const failure = failedCondition(error);
    if (!failure) throw error;
    const { incarnation, schedule } = (failure.item ?? {}) as Partial<Dog>;
    const isSame = incarnation === dog.incarnation && schedule?.scheduleId === ended.scheduleId;
    return isSame && schedule?.ended === true;
  }
}

/**
 * Records a request that changes nothing.
 *
 * @returns false if another change to the dog came first, or if the request was recorded before
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the request was recorded
 */
export async function commitUnchanged(
  dog: Dog,
  request: RecordedRequest,
  context: RequestContext,
): Promise<boolean> {
  const change = newScheduleId(context.now);
  const appliedChange = request.record(dog, change);
  try {
    await transact({ dog: checkDog(dog.id, expectedState(dog, request)), appliedChange }, context);
    return true;
  } catch (error) {
    return tookPlace(error, change);
  }
}

function scheduleUpdate(
  dog: Dog,
  schedule: Schedule,
  { exact, historyEntry }: Pick<RecordedRequest, 'exact'> & Partial<Pick<CommitOptions, 'historyEntry'>>,
  time: DogTime,
): DogUpdate {
  const scheduledAt = schedule.start;
  const barksNow = historyEntry !== undefined;
  const isLatest = barksNow && scheduledAt > (dog.lastOccurrence ?? 0);
  return {
    time,
    isClientChange: true,
    expected: expectedState(dog, { exact }),
    isCounted: barksNow && isCounted(dog.settings.barkEffects),
    schedule,
    lastOccurrenceOfSchedule: dog.schedule?.lastOccurrence ?? 'none',
    ...(isLatest && { occurrence: { scheduledAt, attributesToAdvance: ['lastOccurrence'] } }),
  };
}

function expectedState(
  { incarnation, settingsVersion, version }: Dog,
  { exact }: Pick<RecordedRequest, 'exact'>,
): ExpectedState {
  return { incarnation, settingsVersion, ...(exact && { version }) };
}

/**
 * Returns true if an earlier attempt at the same transaction succeeded, but its response was lost. The conditions of the next
 * attempt then fail, and the stored record contains the unique name of this change.
 *
 * @throws the error if it does not report a failed condition
 */
function tookPlace(error: unknown, change: string): boolean {
  const failures = conditionFailuresOf<'dog' | 'appliedChange'>(error);
  if (!failures) throw error;
  return failures.appliedChange?.item?.change === change;
}
