import { type HistoryEntry, isCounted } from '../barks/bark.ts';
import { sortKey } from '../barks/keys.ts';
import { findHistoryEntry, putHistoryEntry } from '../barks/repository.ts';
import type { Dog } from '../dogs/dog.ts';
import { type DogTime, moveLastModified } from '../dogs/last-modified.ts';
import { findDog, updateDog } from '../dogs/repository.ts';
import { type Action, conflictsOf, transact } from '../platform/dynamodb.ts';
import { NotYet } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { deleteSchedule, type Occurrence, scheduledAtOf } from './eventbridge.ts';
import { claimReleasedMail, occurrenceEntry, sendOccurrenceMail } from './occurrence-mail.ts';
import { occurrenceUlid } from './schedule.ts';

/** How long after the scheduler was asked for it the setting of a schedule may still be under way, in seconds. */
const settingTimeoutSeconds = 60;

/**
 * Makes a dog bark at a slot of its schedule: the scheduler's target. An occurrence may be delivered twice, late, out of
 * order, and of a schedule that was replaced, was ended, or was never set because the process died before; and the
 * process may die anywhere.
 *
 * The key of the bark is made of schedule and slot: what is delivered twice finds it there. The mail is claimed with it,
 * so that it is handed over at most once. What died at it, the next try of its delivery tells.
 *
 *     GetItem dog ──── TransactWriteItems (entry, count, claim) ──── SendEmail
 *                  ↑                                            ↑
 *             delivered again                  counted; its mail, if it is not sent, is told of
 *
 * @param delivery names this delivery, and is the same each time that it is tried
 * @throws NotYet, MailNotSent, Unavailable if the occurrence must be delivered again
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
  if (claimed) await sendOccurrenceMail(dog, claimed, { patient: true }, context);
}

type Scheduled = Dog & Required<Pick<Dog, 'schedule'>>;

function isCurrent(dog: Dog | undefined, { incarnation, scheduleId }: Occurrence): dog is Scheduled {
  return dog?.incarnation === incarnation && dog.schedule?.scheduleId === scheduleId && !dog.schedule.ended;
}

/**
 * The mail of a bark that happened is still to be sent, although its schedule is another by now.
 *
 * @returns false if there was no such bark
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
  if (claimed) await sendOccurrenceMail(dog, claimed, { patient: true }, context);
  return entry !== undefined;
}

/** Lets an occurrence pass whose schedule is not the dog's, and rids the scheduler of it. @param wasSet if that is known */
async function dismiss(
  dog: Dog | undefined,
  { scheduleId, created, ...occurrence }: Occurrence,
  wasSet: boolean,
  context: RequestContext,
) {
  const ended = dog?.incarnation === occurrence.incarnation && dog.schedule?.scheduleId === scheduleId;
  if (!wasSet && !ended && seconds(context.now) < created + settingTimeoutSeconds)
    throw new NotYet(`The schedule ${scheduleId} of the dog "${occurrence.dog}" is not set yet, or no more.`);
  await deleteSchedule(occurrence.dog, scheduleId, context);
}

/** Notes and counts the bark of a slot. @returns what was there, if it was noted before */
async function recordOccurrence(
  dog: Scheduled,
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
    await moveLastModified(write, context);
    return 'recorded';
  } catch (error) {
    const conflicts = conflictsOf<'historyEntry' | 'dog'>(error);
    if (conflicts?.historyEntry?.item) return conflicts.historyEntry.item as unknown as HistoryEntry;
    if (!conflicts?.dog) throw error;
    const now = conflicts.dog.item as unknown as Dog | undefined;
    if (!isCurrent(now, occurrence)) return 'replaced';
    // A later slot was faster; this one counts all the same, by the effects that it is noted with.
    return recordOccurrence({ ...now, settings: dog.settings }, entry, occurrence, context);
  }
}

function countOccurrence(
  { id, incarnation, schedule, settings, lastOccurrence = 0 }: Scheduled,
  scheduledAt: number,
  time: DogTime,
): Action {
  // The last bark may be of an earlier schedule that a function with a clock ahead of this one set.
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
