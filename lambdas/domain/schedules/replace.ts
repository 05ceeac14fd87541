import type { HistoryEntry } from '../barks/bark.ts';
import type { Dog } from '../dogs/dog.ts';
import { newScheduleId, occurrenceAfter, type Plan, type Schedule } from '../dogs/schedule.ts';
import { outdated } from '../platform/commit.ts';
import { LimitReached } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { commitSchedule, type RecordedRequest } from './commit.ts';
import { createSchedule, deleteFormerSchedule, deleteScheduleBestEffort } from './eventbridge.ts';
import { occurrenceEntry, sendOccurrenceMail } from './occurrence-mail.ts';

/**
 * Replaces a dog's schedule. The new schedule has a new `scheduleId`, and no effect until a transaction stores it with the dog. If the
 * first occurrence is now, the transaction also writes the bark. If no occurrence follows, nothing is created in EventBridge Scheduler.
 *
 *     CreateSchedule ──── TransactWriteItems (applied change, bark, dog, usage) ──── DeleteSchedule (old), SendRawEmail
 *
 * | The function dies after | In effect        | A repeat of the request                         | Left behind                     |
 * | ----------------------- | ---------------- | ----------------------------------------------- | ------------------------------- |
 * | CreateSchedule          | the old schedule | is applied, with another `scheduleId`           | the new schedule, until it fires |
 * | TransactWriteItems      | the new schedule | finds the applied change, and changes nothing   | the old schedule, until it fires |
 * | DeleteSchedule          | the new schedule | the same                                        | nothing                         |
 *
 * The function `BarkOnSchedule` deletes a schedule that fires and does not belong to a dog. Nothing sends the mail of the first bark
 * again. The transaction fails if the dog has barked at an occurrence of the old schedule since it was read, so that the dog does not
 * bark at the same time for both schedules.
 *
 * @throws LimitReached if the dog would bark now, and the barks or mails of the dog or of the user have reached a limit
 * @throws ScheduleRefused if EventBridge Scheduler does not accept the schedule
 * @throws Unavailable if an AWS service is unavailable: it is then unknown whether the schedule was replaced
 */
export async function replaceSchedule(
  dog: Dog,
  { atOnce, ...plan }: Plan,
  request: RecordedRequest,
  context: RequestContext,
): Promise<'committed' | typeof outdated> {
  const schedule: Schedule = { scheduleId: newScheduleId(context.now), ...plan };
  const first = occurrenceAfter(schedule, plan.lastOccurrence ?? 0);
  const bark = atOnce ? occurrenceEntry(dog, schedule, { scheduledAt: plan.start }, context) : undefined;
  if (first !== null) await createSchedule(dog, schedule, first, context);
  const discard = async () => {
    if (first !== null) await deleteScheduleBestEffort(dog.id, schedule.scheduleId, context);
  };
  const result = await commitSchedule(dog, schedule, request, bark, context).catch(async (error) => {
    if (error instanceof LimitReached) await discard();
    throw error;
  });
  if (result === outdated) await discard();
  else await Promise.all([deleteFormerSchedule(dog, context), sendFirstMail(dog, bark, context)]);
  return result;
}

/** Sends the mail of the first bark. A repeat of the request does not send it again, so a failure is final. */
async function sendFirstMail(
  dog: Dog,
  bark: HistoryEntry | undefined,
  context: RequestContext,
): Promise<void> {
  if (bark) await sendOccurrenceMail(dog, bark, { ifNotSent: 'fail' }, context);
}
