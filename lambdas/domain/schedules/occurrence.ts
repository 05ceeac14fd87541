import { isCounted, type NotedBark } from '../barks/bark.ts';
import { sortKey } from '../barks/keys.ts';
import { findItem, putNote } from '../barks/repository.ts';
import type { Dog } from '../dogs/dog.ts';
import { findDog, updateDog } from '../dogs/repository.ts';
import { type Action, conflictsOf, type DogTime, moveLastModified, transact } from '../platform/dynamodb.ts';
import { NotYet } from '../platform/errors.ts';
import { type Call, seconds } from '../platform/request-context.ts';
import { deleteSchedule, type Occurrence, slotOf } from './eventbridge.ts';
import { claimLeft, sendSlotMail, slotNote } from './occurrence-mail.ts';
import { slotUlid } from './schedule.ts';

/** How long after the scheduler was asked for it the setting of a schedule may still be under way, in seconds. */
const settingTime = 60;

/**
 * Makes a dog bark at a slot of its schedule: the scheduler's target. An occurrence may be delivered twice, late, out of
 * order, and of a schedule that was replaced, was ended, or was never set because the process died before; and the
 * process may die anywhere.
 *
 * The key of the bark is made of schedule and slot: what is delivered twice finds it there. The mail is claimed with it,
 * so that it is handed over at most once. What died at it, the next try of its delivery tells.
 *
 *     GetItem dog ──── TransactWriteItems (note, count, claim) ──── SendEmail
 *                  ↑                                            ↑
 *             delivered again                  counted; its mail, if it is not sent, is told of
 *
 * @param delivery names this delivery, and is the same each time that it is tried
 * @throws NotYet, MailNotSent, Unavailable if the occurrence must be delivered again
 */
export async function barkAtSlot(occurrence: Occurrence, delivery: string, call: Call): Promise<void> {
  const dog = await findDog(occurrence.dog, call);
  if (!isCurrent(dog, occurrence)) {
    const wasSet = dog?.life === occurrence.life && (await sendWhatIsLeft(dog, occurrence, delivery, call));
    return dismiss(dog, occurrence, wasSet, call);
  }
  const note = slotNote(dog, dog.schedule, slotOf(occurrence), delivery);
  const found = await noteSlot(dog, note, occurrence, call);
  if (found === 'replaced') return;
  const isMine = found === 'noted' || found.claim === note.claim;
  const claimed = isMine ? note : await claimLeft(found, delivery, call);
  if (claimed) await sendSlotMail(dog, claimed, { patient: true }, call);
}

type Scheduled = Dog & Required<Pick<Dog, 'schedule'>>;

function isCurrent(dog: Dog | undefined, { life, generation }: Occurrence): dog is Scheduled {
  return dog?.life === life && dog.schedule?.generation === generation && !dog.schedule.ended;
}

/**
 * The mail of a bark that happened is still to be sent, although its schedule is another by now.
 *
 * @returns false if there was no such bark
 */
async function sendWhatIsLeft(
  dog: Dog,
  occurrence: Occurrence,
  delivery: string,
  call: Call,
): Promise<boolean> {
  const sk = sortKey('historyEntry', slotUlid(occurrence, slotOf(occurrence)));
  const note = (await findItem({ dog: dog.id, sk }, call)) as NotedBark | undefined;
  const claimed = note && (await claimLeft(note, delivery, call));
  if (claimed) await sendSlotMail(dog, claimed, { patient: true }, call);
  return note !== undefined;
}

/** Lets an occurrence pass whose schedule is not the dog's, and rids the scheduler of it. @param wasSet if that is known */
async function dismiss(
  dog: Dog | undefined,
  { generation, created, ...occurrence }: Occurrence,
  wasSet: boolean,
  call: Call,
) {
  const ended = dog?.life === occurrence.life && dog.schedule?.generation === generation;
  if (!wasSet && !ended && seconds(call.now) < created + settingTime)
    throw new NotYet(`The schedule ${generation} of the dog "${occurrence.dog}" is not set yet, or no more.`);
  await deleteSchedule(occurrence.dog, generation, call);
}

/** Notes and counts the bark of a slot. @returns what was there, if it was noted before */
async function noteSlot(
  dog: Scheduled,
  note: NotedBark,
  occurrence: Occurrence,
  call: Call,
): Promise<'noted' | 'replaced' | NotedBark> {
  const write = (time: DogTime) =>
    transact({ historyEntry: putNote(note), dog: countSlot(dog, note.timestamp, time) }, call);
  try {
    await moveLastModified(write, call);
    return 'noted';
  } catch (error) {
    const conflicts = conflictsOf<'historyEntry' | 'dog'>(error);
    if (conflicts?.historyEntry?.item) return conflicts.historyEntry.item as unknown as NotedBark;
    if (!conflicts?.dog) throw error;
    const now = conflicts.dog.item as unknown as Dog | undefined;
    if (!isCurrent(now, occurrence)) return 'replaced';
    // A later slot was faster; this one counts all the same, by the effects that it is noted with.
    return noteSlot({ ...now, settings: dog.settings }, note, occurrence, call);
  }
}

function countSlot(
  { id, life, schedule, settings, lastSlot = 0 }: Scheduled,
  scheduledAt: number,
  time: DogTime,
): Action {
  // The last bark may be of an earlier schedule that a function with a clock ahead of this one set.
  const moves = [
    ...(scheduledAt > (schedule.lastSlot ?? 0) ? (['schedule.lastSlot'] as const) : []),
    ...(scheduledAt > lastSlot ? (['lastSlot'] as const) : []),
  ];
  return updateDog(id, {
    time,
    expected: { life },
    isCounted: isCounted(settings.barkEffects),
    runningSchedule: schedule.generation,
    occurrence: { scheduledAt, moves },
  });
}
