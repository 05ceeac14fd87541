import { type HistoryEntry, isCounted } from '../barks/bark.ts';
import { type AppliedChange, addAppliedChange, addHistoryEntry } from '../barks/barks-table.ts';
import { changeDog, checkDog, type DogChange, type ExpectedState } from '../dogs/change.ts';
import type { Dog } from '../dogs/dog.ts';
import { newScheduleId, type Schedule } from '../dogs/schedule.ts';
import { countUsage, usageOfBark } from '../limits/usage.ts';
import { commit, outdated, raise } from '../platform/commit.ts';
import type { RequestContext } from '../platform/request-context.ts';

/** A request that the service records in the transaction that applies it, so that the service can detect repeats. */
export interface RecordedRequest {
  /** The user that sent the request. */
  readonly user?: string | undefined;
  /** The members of the applied change that depend only on the request. */
  readonly applied: Omit<AppliedChange, 'dog' | 'incarnation' | 'change'>;
  /** True if any other write to the dog since it was read must make this write fail, even a bark. */
  readonly exact?: boolean | undefined;
}

/** Nothing was written: another change to the dog came first, or the request was recorded before. */
type Outdated = typeof outdated;

/**
 * Stores a schedule with its dog. The same transaction records the request, and the first bark if there is one.
 *
 * @param bark the bark of the first occurrence, if that is now
 * @returns `outdated` if another change came first, or if the dog has barked at an occurrence of its schedule since it was read
 * @throws LimitReached if the barks or mails of the dog or of the user have reached a limit: nothing was written
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the transaction took place
 */
export function commitSchedule(
  dog: Dog,
  schedule: Schedule,
  request: RecordedRequest,
  bark: HistoryEntry | undefined,
  context: RequestContext,
): Promise<'committed' | Outdated> {
  // An ended schedule keeps its ID, so the ID cannot be the unique name of this change.
  const change = schedule.ended ? newScheduleId(context.now) : schedule.scheduleId;
  const isOutdated = (): Outdated => outdated;
  return commit(
    {
      appliedChange: appliedChange(dog, request, change),
      historyEntry: bark && addHistoryEntry(bark),
      dog: changeDog(
        dog.id,
        scheduleChange(dog, schedule, request, bark),
        { judge: () => ({ refusal: 'changed' }) },
        context,
      ),
      usage: bark && countUsage(usageOfBark(dog, request.user), context),
    },
    {
      written: () => 'committed',
      refused: { appliedChange: isOutdated, dog: isOutdated, usage: raise },
    },
    context,
  );
}

/**
 * Stores that a dog's schedule has ended, with a single write. The write costs half as much as a transaction. It needs no record of
 * the request, because a repeat has the same result.
 *
 * @param ended the schedule, marked as ended
 * @returns `committed` even if another request ended the schedule; `outdated` even if only a bark at an occurrence came first
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the schedule has ended
 */
export function commitEnd(
  dog: Dog,
  ended: Schedule,
  { exact }: Pick<RecordedRequest, 'exact'>,
  context: RequestContext,
): Promise<'committed' | Outdated> {
  const isOwn = ({ incarnation, schedule }: Dog) =>
    incarnation === dog.incarnation && schedule?.scheduleId === ended.scheduleId && schedule.ended === true;
  const part = changeDog(
    dog.id,
    scheduleChange(dog, ended, { exact }, undefined),
    { isOwn, judge: () => ({ refusal: 'changed' }) },
    context,
  );
  return commit(
    { dog: part },
    { written: () => 'committed', refused: { dog: (): Outdated => outdated } },
    context,
  );
}

/**
 * Records a request that changes nothing.
 *
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the request was recorded
 */
export function commitUnchanged(
  dog: Dog,
  request: RecordedRequest,
  context: RequestContext,
): Promise<'committed' | Outdated> {
  const isOutdated = (): Outdated => outdated;
  return commit(
    {
      appliedChange: appliedChange(dog, request, newScheduleId(context.now)),
      dog: checkDog(dog.id, expectedState(dog, request)),
    },
    { written: () => 'committed', refused: { appliedChange: isOutdated, dog: isOutdated } },
    context,
  );
}

/** @param change the unique name of the change that the request makes */
function appliedChange({ id, incarnation }: Dog, { applied }: RecordedRequest, change: string) {
  return addAppliedChange({ ...applied, dog: id, incarnation, change });
}

function scheduleChange(
  dog: Dog,
  schedule: Schedule,
  { exact }: Pick<RecordedRequest, 'exact'>,
  bark: HistoryEntry | undefined,
): DogChange {
  const scheduledAt = schedule.start;
  const isLatest = bark !== undefined && scheduledAt > (dog.lastOccurrence ?? 0);
  return {
    isClientChange: true,
    expected: expectedState(dog, { exact }),
    isCounted: bark !== undefined && isCounted(dog.settings.barkEffects),
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
