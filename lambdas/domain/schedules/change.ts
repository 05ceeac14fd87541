import { addHistoryEntry, type HistoryEntry, occurrenceEntry } from '../barks/history-entry.ts';
import { sendBarkMail } from '../barks/mail.ts';
import { checkDog, setSchedule } from '../dogs/change.ts';
import type { Dog } from '../dogs/dog.ts';
import { checkPrecondition, isConditional, type Precondition } from '../dogs/precondition.ts';
import { findDogAnd, readDog } from '../dogs/read.ts';
import { isLive, newScheduleId, occurrenceAfter, type Schedule } from '../dogs/schedule.ts';
import { countUsage, usageOfBark } from '../limits/usage.ts';
import { commit, outdated, type Part, repeatedIfRefused, untilCommitted } from '../platform/commit.ts';
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
import { failMail, mailOf } from './occurrence.ts';

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
 * | The function dies after | In effect        | The client sees                    | A repeat of the request                         | Left behind                      |
 * | ----------------------- | ---------------- | ---------------------------------- | ----------------------------------------------- | -------------------------------- |
 * | BatchGetItem            | the old schedule | 502                                | is applied                                      | nothing                          |
 * | CreateSchedule          | the old schedule | 502                                | is applied, with another `scheduleId`           | the new schedule, until it fires |
 * | TransactWriteItems      | the new schedule | 502, the first bark, and the rest  | finds the applied change, and changes nothing   | the old schedule, until it fires |
 * | DeleteSchedule          | the new schedule | the same                           | the same                                        | nothing                          |
 *
 * A schedule that is left behind is deleted by `BarkOnSchedule` when it fires. If another change comes first, or a limit is
 * reached, this function deletes the new schedule itself. If it dies before it has sent the first bark's mail, nothing sends that
 * mail.
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
    const ofDog = (found: AppliedChange | undefined) =>
      found?.incarnation === dog.incarnation ? found : undefined;
    const applied = ofDog(item);
    const decision = await repeatedIfRefused(
      async () => decide(dog, applied),
      async () => {
        // BatchGetItem can read the two items at different moments, and this request may have been applied in between.
        const later = applied ? undefined : ofDog(await findAppliedChange(key, context));
        return later && decide(dog, later);
      },
    );
    if (decision === 'repeated') return decision;
    const change = newScheduleId(context.now);
    let result: Committed;
    if (decision === 'unchanged') result = await commitUnchanged(dog, request, change, context);
    // An ended schedule keeps its ID, so the ID cannot identify this change.
    else if (decision === 'end')
      result = await end(dog, request.exact, appliedChange(dog, request, change), context);
    else result = await replace(dog, { scheduleId: change, ...decision }, request, context);
    if (result === outdated) return result;
    return decision === 'unchanged' ? decision : 'changed';
  });
}

async function replace(
  dog: Dog,
  { atOnce, ...schedule }: NewSchedule & Schedule,
  request: ScheduleRequest,
  context: RequestContext,
): Promise<Committed> {
  const first = occurrenceAfter(schedule, schedule.lastOccurrence ?? 0);
  const bark = atOnce ? occurrenceEntry(dog, schedule, { scheduledAt: schedule.start }, context) : undefined;
  if (first !== null) await createSchedule(dog, schedule, first, context);
  const { exact, user } = request;
  // If the commit throws, it is unknown whether the schedule is in effect.
  const refused = await commit(
    {
      appliedChange: appliedChange(dog, request, schedule.scheduleId),
      historyEntry: bark && addHistoryEntry(bark),
      dog: setSchedule(dog, schedule, { exact, barksAt: bark?.timestamp }, context),
      usage: bark && countUsage(usageOfBark(dog, user), context),
    },
    context,
  );
  if (refused && first !== null) await deleteScheduleBestEffort(dog.id, schedule.scheduleId, context);
  switch (refused?.by) {
    case undefined:
      await Promise.all([deleteFormerSchedule(dog, context), bark && mailFirstBark(dog, bark, context)]);
      return 'committed';
    case 'appliedChange':
    case 'dog':
      return outdated;
    case 'usage':
      throw refused.refusal;
  }
}

/** A repeat of the request does not send the mail again, so a failure is final. */
async function mailFirstBark(dog: Dog, bark: HistoryEntry, context: RequestContext): Promise<void> {
  if (bark.mail !== 'inProgress') return;
  const failure = await sendBarkMail(mailOf(dog, bark), context);
  if (failure) await failMail(bark, failure, context);
}

async function end(
  dog: Dog,
  exact: boolean,
  appliedChange: Part<'repeated'> | undefined,
  context: RequestContext,
): Promise<Committed> {
  const ended = { ...(dog.schedule as Schedule), ended: true } as const;
  const refused = await commit({ appliedChange, dog: setSchedule(dog, ended, { exact }, context) }, context);
  switch (refused?.by) {
    case undefined:
      await deleteFormerSchedule(dog, context);
      return 'committed';
    case 'appliedChange':
    case 'dog':
      return outdated;
  }
}

async function commitUnchanged(
  dog: Dog,
  request: ScheduleRequest,
  change: string,
  context: RequestContext,
): Promise<Committed> {
  const refused = await commit(
    {
      appliedChange: appliedChange(dog, request, change),
      dog: checkDog(dog, request.exact),
    },
    context,
  );
  switch (refused?.by) {
    case undefined:
      return 'committed';
    case 'appliedChange':
    case 'dog':
      return outdated;
  }
}

function appliedChange({ id, incarnation }: Dog, { applied }: ScheduleRequest, change: string) {
  return addAppliedChange({ ...applied, dog: id, incarnation, change });
}
