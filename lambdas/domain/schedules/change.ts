import { addHistoryEntry, type HistoryEntry } from '../barks/history-entry.ts';
import { changeDog, checkDog, type DogChange, type ExpectedState } from '../dogs/change.ts';
import { type Dog, isCounted } from '../dogs/dog.ts';
import { checkPrecondition, isConditional, type Precondition } from '../dogs/precondition.ts';
import { findDogAnd, readDog } from '../dogs/read.ts';
import { isLive, newScheduleId, occurrenceAfter, type Schedule } from '../dogs/schedule.ts';
import { LimitReached } from '../limits/limit-reached.ts';
import { countUsage, usageOfBark } from '../limits/usage.ts';
import { commit, outdated, type Part, raise, untilCommitted } from '../platform/commit.ts';
import { NotFound } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { type AppliedChange, addAppliedChange, findAppliedChange } from './applied-change.ts';
import {
  appliedPatch,
  appliedPost,
  type Decision,
  decidePatch,
  decidePost,
  type NewSchedule,
  type PatchRequest,
  type PostRequest,
} from './decisions.ts';
import { createSchedule, deleteFormerSchedule, deleteScheduleBestEffort } from './eventbridge.ts';
import { occurrenceEntry, sendOccurrenceMail } from './occurrence-mail.ts';

/**
 * A repeat of the same request changes nothing, however late it arrives.
 *
 * @throws NotFound if the dog does not exist
 * @throws any error of `decidePatch`, unless the request is a repeat
 * @throws LimitReached if the dog would bark now, and the dog or the user has reached a limit on barks or mail
 * @throws ScheduleRefused if EventBridge Scheduler does not accept the schedule
 */
export function patchSchedule(
  dogId: string,
  request: PatchRequest,
  context: RequestContext,
): Promise<ScheduleChangeOutcome> {
  const { user, precondition } = request;
  return applyOnce(
    dogId,
    { user, applied: appliedPatch(request), exact: isConditional(precondition) },
    (dog, applied) => decidePatch(dog, request, applied, context.now),
    context,
  );
}

/**
 * A repeat with the same token and content changes nothing, however late it arrives.
 *
 * @throws the same errors as `patchSchedule`, but those of `decidePost` instead of `decidePatch`
 */
export function postSchedule(
  dogId: string,
  request: PostRequest,
  context: RequestContext,
): Promise<ScheduleChangeOutcome> {
  const { user, precondition = {} } = request;
  return applyOnce(
    dogId,
    { user, applied: appliedPost(request), exact: isConditional(precondition) },
    (dog, applied) => decidePost(dog, request, applied, context.now),
    context,
  );
}

/**
 * Safe to call twice, even without an applied change: a schedule that has ended does not change.
 *
 * @throws NotFound if the dog does not exist, or if it has never had a schedule
 * @throws StateMismatch if the schedule does not meet the precondition
 */
export async function endSchedule(
  dogId: string,
  context: RequestContext,
  precondition: Precondition = {},
): Promise<void> {
  await untilCommitted(async () => {
    const dog = await readDog(dogId, context);
    if (!dog.schedule) throw new NotFound('schedule of the dog', dogId);
    checkPrecondition(precondition, dog);
    return isLive(dog) ? end(dog, isConditional(precondition), undefined, context) : undefined;
  });
}

interface ScheduleRequest {
  readonly user: string | undefined;
  readonly applied: Omit<AppliedChange, 'dog' | 'incarnation' | 'change'>;
  /** True if the write must fail when anything, even a bark, has changed the dog since it was read. */
  readonly exact: boolean;
}

/** `changed`: the request was applied now. The others are as in `Decision`. */
export type ScheduleChangeOutcome = 'changed' | 'repeated' | 'unchanged';

type Committed = 'committed' | typeof outdated;

/**
 * Reads, decides and commits, and starts again whenever another change to the dog comes first. A new schedule has no effect until
 * the transaction stores its `scheduleId` with the dog.
 *
 *     replace:    BatchGetItem dog, applied change ──── CreateSchedule ──── TransactWriteItems (applied change, bark, dog, usage) ──── DeleteSchedule (old), SendRawEmail
 *     end:        BatchGetItem dog, applied change ──── TransactWriteItems (applied change, dog) ──── DeleteSchedule (old)
 *     unchanged:  BatchGetItem dog, applied change ──── TransactWriteItems (applied change, check of the dog)
 *
 * | The function dies after | In effect        | A repeat of the request                         | Left behind                      |
 * | ----------------------- | ---------------- | ----------------------------------------------- | -------------------------------- |
 * | BatchGetItem            | the old schedule | is applied                                      | nothing                          |
 * | CreateSchedule          | the old schedule | is applied, with another `scheduleId`           | the new schedule, until it fires |
 * | TransactWriteItems      | the new schedule | finds the applied change, and changes nothing   | the old schedule, until it fires |
 * | DeleteSchedule          | the new schedule | the same                                        | nothing                          |
 *
 * A schedule that is left behind is deleted by `BarkOnSchedule` when it fires. If another change comes first, or a limit is
 * reached, this function deletes the new schedule itself. If it dies before it has sent the first bark's mail, nothing sends that
 * mail.
 *
 * The commit requires the incarnation and the `settingsVersion` that were read and, if it replaces or ends a schedule, that
 * schedule's `lastOccurrence`. Without the latter, a bark on the old schedule in the meantime and the first bark on the new one
 * could both be counted.
 */
function applyOnce(
  dogId: string,
  request: ScheduleRequest,
  decide: (dog: Dog, applied: AppliedChange | undefined) => Decision,
  context: RequestContext,
): Promise<ScheduleChangeOutcome> {
  return untilCommitted(async () => {
    const key = { dog: dogId, sk: request.applied.sk };
    const { dog, item } = await findDogAnd<AppliedChange>(key, context);
    if (!dog) throw new NotFound('dog', dogId);
    const isOwn = (found: AppliedChange | undefined) => found?.incarnation === dog.incarnation;
    let decision: Decision;
    try {
      decision = decide(dog, isOwn(item) ? item : undefined);
    } catch (error) {
      // BatchGetItem can read the two items at different moments. If this request was applied in between, that change caused the
      // error.
      const later = isOwn(item) ? undefined : await findAppliedChange(key, context);
      if (!isOwn(later)) throw error;
      decision = decide(dog, later);
    }
    if (decision === 'repeated') return decision;
    const result = await carryOut(decision, dog, request, context);
    if (result === outdated) return result;
    return decision === 'unchanged' ? decision : 'changed';
  });
}

function carryOut(
  decision: Exclude<Decision, 'repeated'>,
  dog: Dog,
  request: ScheduleRequest,
  context: RequestContext,
): Promise<Committed> {
  if (decision === 'unchanged') return commitUnchanged(dog, request, context);
  // An ended schedule keeps its ID, so the ID cannot identify this change.
  if (decision === 'end')
    return end(dog, request.exact, appliedChange(dog, request, newScheduleId(context.now)), context);
  return replace(dog, decision, request, context);
}

async function replace(
  dog: Dog,
  { atOnce, ...times }: NewSchedule,
  request: ScheduleRequest,
  context: RequestContext,
): Promise<Committed> {
  const schedule: Schedule = { scheduleId: newScheduleId(context.now), ...times };
  const first = occurrenceAfter(schedule, times.lastOccurrence ?? 0);
  const bark = atOnce ? occurrenceEntry(dog, schedule, { scheduledAt: times.start }, context) : undefined;
  if (first !== null) await createSchedule(dog, schedule, first, context);
  const discard = async () => {
    if (first !== null) await deleteScheduleBestEffort(dog.id, schedule.scheduleId, context);
  };
  const parts = {
    appliedChange: appliedChange(dog, request, schedule.scheduleId),
    historyEntry: bark && addHistoryEntry(bark),
    usage: bark && countUsage(usageOfBark(dog, request.user), context),
  };
  const change = scheduleChange(dog, schedule, request.exact, bark);
  const result = await commitSchedule(dog, change, parts, context).catch(async (error) => {
    // After any other error, it is unknown whether the schedule is in effect.
    if (error instanceof LimitReached) await discard();
    throw error;
  });
  if (result === outdated) await discard();
  else
    await Promise.all([
      deleteFormerSchedule(dog, context),
      // A repeat of the request does not send the mail again, so a failure is final.
      bark && sendOccurrenceMail(dog, bark, { ifNotSent: 'fail' }, context),
    ]);
  return result;
}

async function end(
  dog: Dog,
  exact: boolean,
  appliedChange: Part<'repeated'> | undefined,
  context: RequestContext,
): Promise<Committed> {
  const ended = { ...(dog.schedule as Schedule), ended: true } as const;
  const change = scheduleChange(dog, ended, exact, undefined);
  const result = await commitSchedule(dog, change, { appliedChange }, context);
  if (result !== outdated) await deleteFormerSchedule(dog, context);
  return result;
}

/** The callers build the parts, so that the bundles of functions that only end schedules omit the code for the other parts. */
function commitSchedule(
  dog: Dog,
  change: DogChange,
  parts: {
    readonly appliedChange?: Part<'repeated'> | undefined;
    readonly historyEntry?: Part | undefined;
    readonly usage?: Part<LimitReached> | undefined;
  },
  context: RequestContext,
): Promise<Committed> {
  const { appliedChange, historyEntry, usage } = parts;
  // Called only for a single write, which ends a schedule.
  const isOwn = ({ incarnation, schedule }: Dog) =>
    incarnation === dog.incarnation &&
    schedule?.scheduleId === change.schedule?.scheduleId &&
    schedule?.ended === change.schedule?.ended;
  const isOutdated = (): Committed => outdated;
  return commit(
    {
      appliedChange,
      historyEntry,
      dog: changeDog(dog.id, change, { isOwn, judge: () => ({ refusal: 'changed' }) }, context),
      usage,
    },
    {
      written: (): Committed => 'committed',
      refused: { appliedChange: isOutdated, dog: isOutdated, usage: raise },
    },
    context,
  );
}

function commitUnchanged(dog: Dog, request: ScheduleRequest, context: RequestContext): Promise<Committed> {
  const isOutdated = (): Committed => outdated;
  return commit(
    {
      appliedChange: appliedChange(dog, request, newScheduleId(context.now)),
      dog: checkDog(dog.id, expectedState(dog, request.exact)),
    },
    { written: (): Committed => 'committed', refused: { appliedChange: isOutdated, dog: isOutdated } },
    context,
  );
}

function appliedChange({ id, incarnation }: Dog, { applied }: ScheduleRequest, change: string) {
  return addAppliedChange({ ...applied, dog: id, incarnation, change });
}

function scheduleChange(
  dog: Dog,
  schedule: Schedule,
  exact: boolean,
  bark: HistoryEntry | undefined,
): DogChange {
  const scheduledAt = schedule.start;
  const isLatest = bark !== undefined && scheduledAt > (dog.lastOccurrence ?? 0);
  return {
    isClientChange: true,
    expected: expectedState(dog, exact),
    isCounted: bark !== undefined && isCounted(dog.settings.barkEffects),
    schedule,
    lastOccurrenceOfSchedule: dog.schedule?.lastOccurrence ?? 'none',
    ...(isLatest && { occurrence: { scheduledAt, attributesToAdvance: ['lastOccurrence'] } }),
  };
}

function expectedState({ incarnation, settingsVersion, version }: Dog, exact: boolean): ExpectedState {
  return { incarnation, settingsVersion, ...(exact && { version }) };
}
