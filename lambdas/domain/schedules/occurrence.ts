import { type HistoryEntry, isCounted } from '../barks/bark.ts';
import { sortKey } from '../barks/keys.ts';
import { findHistoryEntry, putHistoryEntry } from '../barks/repository.ts';
import type { Dog } from '../dogs/dog.ts';
import { type DogTime, writeWithLastModified } from '../dogs/last-modified.ts';
import { findDog, updateDog } from '../dogs/repository.ts';
import { type Action, conditionFailuresOf, transact } from '../platform/dynamodb.ts';
import { NotYet } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { deleteSchedule, type Occurrence, scheduledAtOf } from './eventbridge.ts';
import { claimMailForRetry, occurrenceEntry, sendOccurrenceMail } from './occurrence-mail.ts';
import { occurrenceUlid } from './schedule.ts';

/**
 * The maximum time from the creation of a schedule in EventBridge Scheduler to the end of the transaction that stores it, in
 * seconds.
 */
const scheduleTransactionTimeoutSeconds = 60;

/**
 * Makes a dog bark at an occurrence of its schedule. EventBridge Scheduler may deliver an occurrence twice, late or out of order.
 * The schedule may have been replaced or ended, or the transaction that stores it may never have taken place. The process may die
 * at any point.
 *
 * The key of the history entry depends only on `scheduleId` and `scheduledAt`, so a second delivery finds the entry. The
 * transaction also claims the mail, so the mail is sent at most once. If the process dies while it sends the mail, the next
 * attempt to deliver the occurrence logs a failure.
 *
 *     GetItem dog ──── TransactWriteItems (entry, count, claim) ──── SendEmail
 *                  ↑                                            ↑
 *   if the process dies here:                    the bark is counted; if its mail was not sent,
 *   Scheduler delivers the occurrence again      the next attempt logs a failure
 *
 * @param deliveryId the ID of the delivery, which is the same for all its attempts
 * @throws NotYet if the transaction that stores the schedule may still be in progress
 * @throws MailNotSent if SES throttled the mail or could not be reached, so that a later attempt can send the mail
 * @throws Unavailable if DynamoDB or EventBridge Scheduler is unavailable
 */
export async function barkAtOccurrence(
  occurrence: Occurrence,
  deliveryId: string,
  context: RequestContext,
): Promise<void> {
  const dog = await findDog(occurrence.dog, context);
  if (!isCurrent(dog, occurrence)) {
    const hadSchedule =
      dog?.incarnation === occurrence.incarnation && (await retryMail(dog, occurrence, deliveryId, context));
    return dismiss(dog, occurrence, hadSchedule, context);
  }
  const entry = occurrenceEntry(dog, dog.schedule, scheduledAtOf(occurrence), deliveryId);
  const found = await recordOccurrence(dog, entry, occurrence, context);
  if (found === 'notCurrent') return;
  const isMine = found === 'recorded' || found.claim === entry.claim;
  const claimed = isMine ? entry : await claimMailForRetry(found, deliveryId, context);
  if (claimed) await sendOccurrenceMail(dog, claimed, { ifNotSent: 'retry' }, context);
}

type ScheduledDog = Dog & Required<Pick<Dog, 'schedule'>>;

function isCurrent(dog: Dog | undefined, { incarnation, scheduleId }: Occurrence): dog is ScheduledDog {
  return dog?.incarnation === incarnation && dog.schedule?.scheduleId === scheduleId && !dog.schedule.ended;
}

/**
 * Retries the mail of the bark at this occurrence if an earlier attempt released its claim, even if the dog now has another
 * schedule.
 *
 * @returns false if the dog has not barked at the occurrence
 * @throws MailNotSent if SES throttled the mail or could not be reached, so that a later attempt can send the mail
 * @throws Unavailable if DynamoDB is unavailable
 */
async function retryMail(
  dog: Dog,
  occurrence: Occurrence,
  deliveryId: string,
  context: RequestContext,
): Promise<boolean> {
  const sk = sortKey('historyEntry', occurrenceUlid(occurrence, scheduledAtOf(occurrence)));
  const entry = await findHistoryEntry({ dog: dog.id, sk }, context);
  const claimed = entry && (await claimMailForRetry(entry, deliveryId, context));
  if (claimed) await sendOccurrenceMail(dog, claimed, { ifNotSent: 'retry' }, context);
  return entry !== undefined;
}

/**
 * Ignores an occurrence of a schedule that the dog no longer has, and deletes that schedule from EventBridge Scheduler.
 *
 * @param hadSchedule true if the history proves that the dog had the schedule
 * @throws NotYet if the transaction that stores the schedule may still be in progress
 * @throws Unavailable if EventBridge Scheduler is unavailable
 */
async function dismiss(
  dog: Dog | undefined,
  { scheduleId, created, ...occurrence }: Occurrence,
  hadSchedule: boolean,
  context: RequestContext,
) {
  const ended = dog?.incarnation === occurrence.incarnation && dog.schedule?.scheduleId === scheduleId;
  if (!hadSchedule && !ended && seconds(context.now) < created + scheduleTransactionTimeoutSeconds)
    throw new NotYet(
      `The dog "${occurrence.dog}" does not have the schedule ${scheduleId}. The transaction that stores the schedule may still be in progress.`,
    );
  await deleteSchedule(occurrence.dog, scheduleId, context);
}

/**
 * Records the bark at an occurrence in one transaction: the history entry, the claim of its mail, and the count.
 *
 * @returns `recorded` if this call recorded the bark; `notCurrent` if the schedule was replaced, ended or deleted; the stored
 *   history entry if an earlier call recorded the bark
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the bark is recorded
 */
async function recordOccurrence(
  dog: ScheduledDog,
  entry: HistoryEntry,
  occurrence: Occurrence,
  context: RequestContext,
): Promise<'recorded' | 'notCurrent' | HistoryEntry> {
  const write = (time: DogTime) =>
    transact(
      { historyEntry: putHistoryEntry(entry), dog: countOccurrence(dog, entry.timestamp, time) },
      context,
    );
  try {
    await writeWithLastModified(write, context);
    return 'recorded';
  } catch (error) {
    const failures = conditionFailuresOf<'historyEntry' | 'dog'>(error);
    if (failures?.historyEntry?.item) return failures.historyEntry.item as unknown as HistoryEntry;
    if (!failures?.dog) throw error;
    const current = failures.dog.item as unknown as Dog | undefined;
    if (!isCurrent(current, occurrence)) return 'notCurrent';
    // A later occurrence was recorded first. This occurrence still counts, with the settings from which its history entry was
    // created.
    return recordOccurrence({ ...current, settings: dog.settings }, entry, occurrence, context);
  }
}

function countOccurrence(
  { id, incarnation, schedule, settings, lastOccurrence = 0 }: ScheduledDog,
  scheduledAt: number,
  time: DogTime,
): Action {
  // If the clock of the function that set an earlier schedule was ahead, the dog's last occurrence can be later than this one.
  const attributesToAdvance = [
    ...(scheduledAt > (schedule.lastOccurrence ?? 0) ? (['schedule.lastOccurrence'] as const) : []),
    ...(scheduledAt > lastOccurrence ? (['lastOccurrence'] as const) : []),
  ];
  return updateDog(id, {
    time,
    expected: { incarnation },
    isCounted: isCounted(settings.barkEffects),
    runningSchedule: schedule.scheduleId,
    occurrence: { scheduledAt, attributesToAdvance },
  });
}
