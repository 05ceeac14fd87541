import type { HistoryEntry } from '../barks/bark.ts';
import { putHistoryEntry } from '../barks/repository.ts';
import type { Dog } from '../dogs/dog.ts';
import { newScheduleId, occurrenceAfter, type Plan, type Schedule } from '../dogs/schedule.ts';
import { usageOfBark } from '../limits/usage.ts';
import { LimitReached } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { commitSchedule, type RecordedRequest } from './commit.ts';
import { createSchedule, deleteFormerSchedule, deleteScheduleBestEffort } from './eventbridge.ts';
import { occurrenceEntry, sendOccurrenceMail } from './occurrence-mail.ts';

/**
 * Replaces a dog's schedule. Creates the new schedule in EventBridge Scheduler first, with a new `scheduleId`. The new schedule
 * has no effect until a DynamoDB transaction stores this `scheduleId` with the dog. If the process dies, either the old schedule
 * or the new one is in effect. If a schedule that does not belong to a dog fires, the function `BarkOnSchedule` deletes it. If
 * the only occurrence of the new schedule is now, creates nothing in EventBridge Scheduler.
 *
 *     CreateSchedule ──── TransactWriteItems (dog, applied change, bark) ──── DeleteSchedule (old), SendRawEmail
 *                     ↑                                                   ↑
 *     the old schedule is in effect,                    the new schedule is in effect,
 *     the new one fires without effect                  the old one fires without effect
 *
 * DeleteSchedule and SendRawEmail run concurrently. The transaction fails if the dog has barked at an occurrence of the old
 * schedule in the meantime, so that the dog does not bark at the same time for both schedules.
 *
 * @returns false if the transaction failed because another change to the dog came first, because the dog barked at an occurrence
 *   of the old schedule, or because the request was recorded before
 * @throws LimitReached if the dog would bark now, and the barks or mails of the dog or of the user have reached a limit
 * @throws ScheduleRefused if EventBridge Scheduler does not accept the schedule
 * @throws Unavailable if an AWS service is unavailable: it is then unknown whether the schedule was replaced
 */
export async function replaceSchedule(
  dog: Dog,
  { atOnce, ...plan }: Plan,
  request: RecordedRequest,
  context: RequestContext,
): Promise<boolean> {
  const schedule: Schedule = { scheduleId: newScheduleId(context.now), ...plan };
  const first = occurrenceAfter(schedule, plan.lastOccurrence ?? 0);
  const bark = atOnce ? occurrenceEntry(dog, schedule, { scheduledAt: plan.start }, context) : undefined;
  if (first !== null) await createSchedule(dog, schedule, first, context);
  const options = {
    request,
    historyEntry: bark && putHistoryEntry(bark),
    usage: bark && usageOfBark(dog, request.user),
  };
  const discard = async () => {
    if (first !== null) await deleteScheduleBestEffort(dog.id, schedule.scheduleId, context);
  };
  const isCommitted = await commitSchedule(dog, schedule, options, context).catch(async (error) => {
    if (error instanceof LimitReached) await discard();
    throw error;
  });
  if (isCommitted) await Promise.all([deleteFormerSchedule(dog, context), sendFirstMail(dog, bark, context)]);
  else await discard();
  return isCommitted;
}

/** Sends the mail of the first bark. A repeat of the request does not send it again, so a failure is final. */
async function sendFirstMail(
  dog: Dog,
  bark: HistoryEntry | undefined,
  context: RequestContext,
): Promise<void> {
  if (bark) await sendOccurrenceMail(dog, bark, { ifNotSent: 'fail' }, context);
}
