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
import { claimReleasedMail, occurrenceEntry, sendOccurrenceMail } from './occurrence-mail.ts';
import { occurrenceUlid } from './schedule.ts';

/** How long after the creation of a schedule its transaction may still be in progress, in seconds. */
const settingTimeoutSeconds = 60;

/**
 * Makes a dog bark at an occurrence of its schedule. EventBridge Scheduler may deliver an occurrence twice, late or out of
 * order. The schedule may have been replaced or ended, or its transaction may never have taken place. The process may die
 * at any point.
 *
 * The key of the history entry consists of `scheduleId` and `scheduledAt`, so a second delivery finds the entry. The
 * transaction also claims the mail, so the mail is sent at most once. If the process dies while it sends the mail, the next
 * try of the delivery logs a failure.
 *
 *     GetItem dog ──── TransactWriteItems (entry, count, claim) ──── SendEmail
 *                  ↑                                            ↑
 *             delivered again                  counted; if the mail is not sent, a failure is logged
 *
 * @param delivery the ID of the delivery, which is the same for all its tries
 * @throws NotYet if the transaction of the schedule may still be in progress
 * @throws MailNotSent if the mail was not sent and can be retried
 * @throws Unavailable if a service is unavailable
 */
export async function barkAtOccurrence(
  occurrence: Occurrence,
  delivery: string,
  context: RequestContext,
): Promise<void> {
  const dog = await findDog(occurrence.dog, context);
  if (!isCurrent(dog, occurrence)) {
    const wasSet =
      dog?.incarnation === occurrence.incarnation &&
      (await sendReleasedMail(dog, occurrence, delivery, context));
    return dismiss(dog, occurrence, wasSet, context);
  }
  const entry = occurrenceEntry(dog, dog.schedule, scheduledAtOf(occurrence), delivery);
  const found = await recordOccurrence(dog, entry, occurrence, context);
  if (found === 'replaced') return;
  const isMine = found === 'recorded' || found.claim === entry.claim;
  const claimed = isMine ? entry : await claimReleasedMail(found, delivery, context);
  if (claimed) await sendOccurrenceMail(dog, claimed, { ifNotSent: 'retry' }, context);
}

type ScheduledDog = Dog & Required<Pick<Dog, 'schedule'>>;

function isCurrent(dog: Dog | undefined, { incarnation, scheduleId }: Occurrence): dog is ScheduledDog {
  return dog?.incarnation === incarnation && dog.schedule?.scheduleId === scheduleId && !dog.schedule.ended;
}

/**
 * Sends the mail of an earlier bark if the mail is to be retried, even if the dog now has another schedule.
 *
 * @returns false if the dog has not barked at the occurrence
 * @throws MailNotSent if the mail was not sent and can be retried
 * @throws Unavailable if DynamoDB is unavailable
 */
async function sendReleasedMail(
  dog: Dog,
  occurrence: Occurrence,
  delivery: string,
  context: RequestContext,
): Promise<boolean> {
  const sk = sortKey('historyEntry', occurrenceUlid(occurrence, scheduledAtOf(occurrence)));
  const entry = await findHistoryEntry({ dog: dog.id, sk }, context);
  const claimed = entry && (await claimReleasedMail(entry, delivery, context));
  if (claimed) await sendOccurrenceMail(dog, claimed, { ifNotSent: 'retry' }, context);
  return entry !== undefined;
}

/**
 * Ignores an occurrence of a schedule that the dog does not have, and deletes the schedule.
 *
 * @param wasSet true if the dog certainly had the schedule
 * @throws NotYet if the transaction of the schedule may still be in progress
 * @throws Unavailable if EventBridge Scheduler is unavailable
 */
async function dismiss(
  dog: Dog | undefined,
  { scheduleId, created, ...occurrence }: Occurrence,
  wasSet: boolean,
  context: RequestContext,
) {
  const ended = dog?.incarnation === occurrence.incarnation && dog.schedule?.scheduleId === scheduleId;
  if (!wasSet && !ended && seconds(context.now) < created + settingTimeoutSeconds)
    throw new NotYet(
      `The schedule ${scheduleId} of the dog "${occurrence.dog}" is not set yet or no longer set.`,
    );
  await deleteSchedule(occurrence.dog, scheduleId, context);
}

/**
 * Records the bark at an occurrence in one transaction: the history entry, the claim of its mail, and the count.
 *
 * @returns `replaced` if the dog no longer has the schedule; the stored history entry if the bark was recorded before
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the bark is recorded
 */
async function recordOccurrence(
  dog: ScheduledDog,
  entry: HistoryEntry,
  occurrence: Occurrence,
  context: RequestContext,
): Promise<'recorded' | 'replaced' | HistoryEntry> {
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
    const now = failures.dog.item as unknown as Dog | undefined;
    if (!isCurrent(now, occurrence)) return 'replaced';
    // A later occurrence was recorded first. This one still counts, with the effects in its entry.
    return recordOccurrence({ ...now, settings: dog.settings }, entry, occurrence, context);
  }
}

function countOccurrence(
  { id, incarnation, schedule, settings, lastOccurrence = 0 }: ScheduledDog,
  scheduledAt: number,
  time: DogTime,
): Action {
  // The last occurrence of the dog may belong to an earlier schedule, set by a function whose clock was ahead.
  const moves = [
    ...(scheduledAt > (schedule.lastOccurrence ?? 0) ? (['schedule.lastOccurrence'] as const) : []),
    ...(scheduledAt > lastOccurrence ? (['lastOccurrence'] as const) : []),
  ];
  return updateDog(id, {
    time,
    expected: { incarnation },
    isCounted: isCounted(settings.barkEffects),
    runningSchedule: schedule.scheduleId,
    occurrence: { scheduledAt, moves },
  });
}
