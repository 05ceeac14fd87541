import { isCounted } from '../barks/bark.ts';
import type { Dog } from '../dogs/dog.ts';
import { type DogTime, writeWithLastModified } from '../dogs/last-modified.ts';
import { checkDog, type ExpectedState, updateDog } from '../dogs/repository.ts';
import { type Action, type Actions, conditionFailuresOf, transact } from '../platform/dynamodb.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { newScheduleId, type Schedule } from './schedule.ts';

/** A request that the service records together with its change, so that it can detect repeats of the request. */
export interface RecordedRequest {
  /** Returns the action that records the request. `change` is the unique name of the change that the request makes. */
  readonly record: (dog: Dog, change: string) => Action;
  /** True if the write must fail after any other write to the dog since it was read, even after a bark. */
  readonly exact?: boolean;
}

/** The items that are written together with a schedule, and the conditions of the write. */
export interface CommitOptions {
  /** Absent if a repeat of the change has the same result. */
  readonly request?: RecordedRequest | undefined;
  /** The action that writes the bark of the first occurrence, if the first occurrence is now. */
  readonly historyEntry?: Action | undefined;
  /** True if a bark at an occurrence of the dog's schedule, since the dog was read, must make the write fail. */
  readonly keepsNext?: boolean | undefined;
}

/**
 * Writes the schedule of a dog in one transaction with the applied change and the first bark, if there are any.
 *
 * @returns false if another change to the dog came first, or if the request was recorded before
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the transaction took place
 */
export async function commitSchedule(
  dog: Dog,
  schedule: Schedule,
  options: CommitOptions,
  context: RequestContext,
): Promise<boolean> {
  const { request, historyEntry } = options;
  // An ended schedule keeps its ID, which therefore cannot name this change.
  const change = schedule.ended ? newScheduleId(context.now) : schedule.scheduleId;
  const others: Actions = { appliedChange: request?.record(dog, change), historyEntry };
  const write = (time: DogTime) =>
    transact({ dog: updateSchedule(dog, schedule, options, time), ...others }, context);
  try {
    await writeWithLastModified(write, context, { isClientChange: true });
    return true;
  } catch (error) {
    return tookPlace(error, change);
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

function updateSchedule(
  dog: Dog,
  schedule: Schedule,
  { request, historyEntry, keepsNext }: CommitOptions,
  time: DogTime,
): Action {
  const scheduledAt = schedule.start;
  const barksNow = historyEntry !== undefined;
  const isLatest = barksNow && scheduledAt > (dog.lastOccurrence ?? 0);
  return updateDog(dog.id, {
    time,
    isClientChange: true,
    expected: expectedState(dog, request),
    isCounted: barksNow && isCounted(dog.settings.barkEffects),
    schedule: { ...schedule, ...(barksNow && { lastOccurrence: scheduledAt }) },
    ...(keepsNext && { lastOccurrenceOfSchedule: dog.schedule?.lastOccurrence ?? 'none' }),
    ...(isLatest && { occurrence: { scheduledAt, attributesToAdvance: ['lastOccurrence'] } }),
  });
}

function expectedState(
  { incarnation, settingsVersion, version }: Dog,
  request: RecordedRequest | undefined,
): ExpectedState {
  return { incarnation, settingsVersion, ...(request?.exact && { version }) };
}

/**
 * Returns true if the transaction took place although one of its conditions failed. In that case, an earlier attempt stored the
 * unique name of the change, but its response was lost.
 *
 * @throws the error if it does not report a failed condition
 */
function tookPlace(error: unknown, change: string): boolean {
  const failures = conditionFailuresOf<'dog' | 'appliedChange'>(error);
  if (!failures) throw error;
  return failures.appliedChange?.item?.change === change;
}
