import { findItem } from '../barks/barks-table.ts';
import { addHistoryEntry, type HistoryEntry } from '../barks/history-entry.ts';
import { changeDog } from '../dogs/change.ts';
import { type Dog, isCounted } from '../dogs/dog.ts';
import { sortKey } from '../dogs/keys.ts';
import { findDog } from '../dogs/read.ts';
import { occurrenceUlid } from '../dogs/schedule.ts';
import { countUsage, type Usage } from '../limits/usage.ts';
import { commit, type Part, type Verdict } from '../platform/commit.ts';
import { NotYet } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { deleteSchedule, type Occurrence, scheduledAtOf } from './eventbridge.ts';
import { claimMailForRetry, occurrenceEntry, sendOccurrenceMail, withoutMail } from './occurrence-mail.ts';

/**
 * How long after a schedule's creation the transaction that stores it with the dog may still follow. A request takes at most ten
 * seconds; the rest allows for a late write or a wrong clock.
 */
const scheduleTransactionTimeoutSeconds = 60;

/**
 * Makes a dog bark at an occurrence of its schedule. If the schedule is not the dog's current one, the dog does not bark, and the
 * function deletes the schedule from EventBridge Scheduler.
 *
 * EventBridge Scheduler delivers each occurrence as an asynchronous Lambda event, possibly twice, late or out of order. If an
 * attempt at a delivery throws, Lambda makes another one.
 *
 * The key of the history entry depends only on `scheduleId` and `scheduledAt`, so a second delivery finds the entry, and the dog
 * does not bark again. The transaction also claims the mail, so the mail is sent at most once. The lease and the mail's stored
 * outcome show whether another attempt is still sending the mail, has ended, or died.
 *
 *     current:      GetItem dog ──── TransactWriteItems (entry with a claim, dog, usage) ──── SendRawEmail ──── UpdateItem (sent)
 *     not current:  GetItem dog ──── read the entry ──── send unsent mail ──── delete the schedule
 *
 * | The function dies after | Stored                          | The next attempt                                     |
 * | ----------------------- | ------------------------------- | ---------------------------------------------------- |
 * | GetItem                 | nothing                         | barks                                                |
 * | TransactWriteItems      | the bark, its mail being sent   | NotYet; after the lease, records the mail as failed  |
 * | SendRawEmail            | the same; the mail is sent      | the same                                             |
 * | UpdateItem              | the bark, its mail sent         | does nothing                                         |
 *
 * Of the limits, only the dog's mail limit applies. A dog that has reached this limit barks without mail.
 *
 * @param deliveryId the request ID of the Lambda event, which is the same for all attempts
 * @throws NotYet if the transaction that stores the schedule, or another attempt to send the mail, may still be in progress
 * @throws MailNotSent if no mail was sent, but a later attempt may succeed
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
  const entry = occurrenceEntry(
    dog,
    dog.schedule,
    { scheduledAt: scheduledAtOf(occurrence), deliveryId },
    context,
  );
  const found = await recordOccurrence(dog, entry, occurrence, context);
  if (found === 'not current') return;
  const isOwn = found.claim !== undefined && found.claim === entry.claim;
  const claimed = isOwn ? entry : await claimMailForRetry(dog, found, deliveryId, context);
  if (claimed) await sendOccurrenceMail(dog, claimed, { ifNotSent: 'retry' }, context);
}

type ScheduledDog = Dog & Required<Pick<Dog, 'schedule'>>;

function isCurrent(dog: Dog | undefined, { incarnation, scheduleId }: Occurrence): dog is ScheduledDog {
  return dog?.incarnation === incarnation && dog.schedule?.scheduleId === scheduleId && !dog.schedule.ended;
}

/**
 * Sends the occurrence's mail if an earlier attempt has released its claim. Returns false if the dog has not barked at the
 * occurrence.
 */
async function retryMail(
  dog: Dog,
  occurrence: Occurrence,
  deliveryId: string,
  context: RequestContext,
): Promise<boolean> {
  const sk = sortKey('historyEntry', occurrenceUlid(occurrence, scheduledAtOf(occurrence)));
  const entry = await findItem<HistoryEntry>({ dog: dog.id, sk }, context);
  const claimed = entry && (await claimMailForRetry(dog, entry, deliveryId, context));
  if (claimed) await sendOccurrenceMail(dog, claimed, { ifNotSent: 'retry' }, context);
  return entry !== undefined;
}

/** @param hadSchedule true if the history proves that the dog had the schedule */
async function dismiss(
  dog: Dog | undefined,
  { scheduleId, created, ...occurrence }: Occurrence,
  hadSchedule: boolean,
  context: RequestContext,
) {
  const ended = dog?.incarnation === occurrence.incarnation && dog.schedule?.scheduleId === scheduleId;
  if (!hadSchedule && !ended && seconds(context.now) < created + scheduleTransactionTimeoutSeconds)
    throw new NotYet(
      `The dog "${occurrence.dog}" does not have the schedule ${scheduleId}. The transaction that stores the schedule with the dog may still be in progress.`,
    );
  await deleteSchedule(occurrence.dog, scheduleId, context);
}

/** Returns the stored entry, which an earlier attempt may have written, unless the schedule is no longer current. */
function recordOccurrence(
  dog: ScheduledDog,
  entry: HistoryEntry,
  occurrence: Occurrence,
  context: RequestContext,
): Promise<'not current' | HistoryEntry> {
  const usage: Usage = { dog: dog.id, counters: entry.mail === 'inProgress' ? ['mails'] : [] };
  return commit(
    {
      historyEntry: addHistoryEntry(entry, (stored) => ({ refusal: stored })),
      dog: countOccurrence(dog, occurrence, entry.timestamp, context),
      usage: countUsage(usage, context),
    },
    {
      written: () => entry,
      refused: {
        historyEntry: (stored) => stored,
        dog: (refusal) => refusal,
        usage: () => recordOccurrence(dog, withoutMail(entry), occurrence, context),
      },
    },
    context,
  );
}

/** Counts the occurrence even if a later one was recorded first. The part refuses if the schedule is no longer current. */
function countOccurrence(
  { id, incarnation, schedule, settings, lastOccurrence = 0 }: ScheduledDog,
  occurrence: Occurrence,
  scheduledAt: number,
  context: RequestContext,
): Part<'not current'> {
  // Advance each attribute only if this occurrence is later. If a clock was ahead when an earlier schedule was set, only the
  // dog's `lastOccurrence` may be later than this occurrence.
  const attributesToAdvance = [
    ...(scheduledAt > (schedule.lastOccurrence ?? 0) ? (['schedule.lastOccurrence'] as const) : []),
    ...(scheduledAt > lastOccurrence ? (['lastOccurrence'] as const) : []),
  ];
  const change = {
    expected: { incarnation },
    isCounted: isCounted(settings.barkEffects),
    runningSchedule: schedule.scheduleId,
    occurrence: { scheduledAt, attributesToAdvance },
  };
  const judge = (current: Dog | undefined): Verdict<'not current'> => {
    if (!isCurrent(current, occurrence)) return { refusal: 'not current' };
    // Keeps the settings from which the history entry was created.
    return { again: countOccurrence({ ...current, settings }, occurrence, scheduledAt, context) };
  };
  return changeDog(id, change, { judge }, context);
}
