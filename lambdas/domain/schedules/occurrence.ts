import { idOf, reasons } from '../barks/bark.ts';
import { findItem } from '../barks/barks-table.ts';
import {
  addOccurrenceEntry,
  type ClaimedEntry,
  claimMail,
  type HistoryEntry,
  mailStateOf,
  occurrenceEntry,
  settleMail,
  withoutMail,
} from '../barks/history-entry.ts';
import { sortKey } from '../barks/keys.ts';
import { type BarkMail, logMailFailure, sendBarkMail } from '../barks/mail.ts';
import { newClaim } from '../barks/mail-claim.ts';
import { changedSince, countOccurrence, type ScheduledDog } from '../dogs/change.ts';
import { type Dog, recipientsOfDog } from '../dogs/dog.ts';
import { findDog } from '../dogs/read.ts';
import { occurrenceUlid } from '../dogs/schedule.ts';
import { countUsage, type Usage } from '../limits/usage.ts';
import { commit, settle } from '../platform/commit.ts';
import { NotYet } from '../platform/errors.ts';
import { logEvent } from '../platform/logging.ts';
import { type RequestContext, releaseContext, seconds } from '../platform/request-context.ts';
import type { MailFailure } from '../platform/ses.ts';
import { deleteSchedule, type Occurrence, scheduledAtOf } from './eventbridge.ts';

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
 * If another change replaces the schedule before the transaction, nothing is written, and that change deletes it.
 *
 * Of the limits, only the dog's mail limit applies. A dog that has reached this limit barks without mail.
 *
 * @param deliveryId the request ID of the Lambda event, which is the same for all attempts
 * @throws NotYet if the transaction that stores the schedule, or another attempt to send the mail, may still be in progress
 * @throws MailNotSent, MailUnavailable if no mail was sent, but a later attempt may succeed
 */
export async function barkAtOccurrence(
  occurrence: Occurrence,
  deliveryId: string,
  context: RequestContext,
): Promise<void> {
  const dog = await findDog(occurrence.dog, context);
  if (!isCurrent(dog, occurrence)) {
    const sk = sortKey('historyEntry', occurrenceUlid(occurrence, scheduledAtOf(occurrence)));
    const entry =
      dog?.incarnation === occurrence.incarnation
        ? await findItem<HistoryEntry>({ dog: dog.id, sk }, context)
        : undefined;
    if (dog && entry) await retryMail(dog, entry, deliveryId, context);
    return dismiss(dog, occurrence, entry !== undefined, context);
  }
  const delivery = { scheduledAt: scheduledAtOf(occurrence), deliveryId };
  const entry = occurrenceEntry(dog, dog.schedule, delivery, context);
  const found = await recordOccurrence(dog, entry, occurrence, context);
  if (found === 'not current') return;
  // An entry without mail has no claim.
  const isOwn = found.claim !== undefined && found.claim === entry.claim;
  if (!isOwn) await retryMail(dog, found, deliveryId, context);
  else if (entry.mail === 'inProgress') await mailOccurrence(dog, entry, context);
}

function isCurrent(dog: Dog | undefined, { incarnation, scheduleId }: Occurrence): dog is ScheduledDog {
  return dog?.incarnation === incarnation && dog.schedule?.scheduleId === scheduleId && !dog.schedule.ended;
}

/** @param hadSchedule true if the history proves that the dog had the schedule */
async function dismiss(
  dog: Dog | undefined,
  { scheduleId, created, ...occurrence }: Occurrence,
  hadSchedule: boolean,
  context: RequestContext,
) {
  const isLast = dog?.incarnation === occurrence.incarnation && dog.schedule?.scheduleId === scheduleId;
  if (!hadSchedule && !isLast && seconds(context.now) < created + scheduleTransactionTimeoutSeconds)
    throw new NotYet(
      `The dog "${occurrence.dog}" does not have the schedule ${scheduleId}. The transaction that stores the schedule with the dog may still be in progress.`,
    );
  await deleteSchedule(occurrence.dog, scheduleId, context);
}

/** Returns the stored entry, which an earlier attempt may have written, unless the schedule is no longer current. */
async function recordOccurrence(
  dog: ScheduledDog,
  entry: HistoryEntry,
  occurrence: Occurrence,
  context: RequestContext,
): Promise<'not current' | HistoryEntry> {
  const usage: Usage = { dog: dog.id, counters: entry.mail === 'inProgress' ? ['mails'] : [] };
  const refused = await commit(
    {
      historyEntry: addOccurrenceEntry(entry),
      dog: countOccurrence(dog, entry.timestamp, context),
      usage: countUsage(usage, context),
    },
    context,
  );
  switch (refused?.by) {
    case undefined:
      return entry;
    case 'historyEntry':
      return refused.refusal;
    case 'dog': {
      const current = changedSince(dog, refused.refusal);
      return isCurrent(current, occurrence)
        ? recordOccurrence(current, entry, occurrence, context)
        : 'not current';
    }
    case 'usage':
      // Only mail counts towards a limit.
      if (entry.mail !== 'inProgress') throw refused.refusal;
      return recordOccurrence(dog, withoutMail(entry), occurrence, context);
  }
}

/** Records the outcome, so that a later attempt does not send the mail again unless it was not sent. */
async function mailOccurrence(dog: Dog, entry: ClaimedEntry, context: RequestContext): Promise<void> {
  const failure = await sendBarkMail(mailOf(dog, entry), context);
  if (!failure) return recordMail(entry, 'sent', context);
  if (failure.outcome !== 'not sent') return failMail(entry, failure, context);
  await settle({ entry: settleMail(entry, 'retry') }, releaseContext(context));
  throw failure;
}

/**
 * Sends the mail of a stored bark if an earlier attempt has released its claim. If an earlier attempt at the same delivery died
 * while sending the mail, logs and records the failure. Logs dropped mail, which this attempt or an earlier one at the same
 * delivery has recorded.
 *
 * @throws NotYet if another run is sending the mail for the same delivery
 */
async function retryMail(
  dog: Dog,
  entry: HistoryEntry,
  deliveryId: string,
  context: RequestContext,
): Promise<void> {
  const state = mailStateOf(entry, context);
  const bark = { dog: entry.dog, bark: idOf(entry) };
  if (entry.delivery === deliveryId) {
    if (state === 'being sent')
      throw new NotYet(`Another run is sending the mail of the bark "${bark.bark}".`);
    if (state === 'unknown') {
      logEvent('MailFailed', { ...bark, reason: reasons.mailUnknown });
      await recordMail(entry as ClaimedEntry, 'failed', context);
    }
    // No client waits for the bark, so only the log and the entry show that its mail was dropped.
    if (state === 'dropped') logEvent('MailDropped', bark);
  }
  // The dog's effects may have changed since the bark was recorded.
  if (state !== 'not sent' || recipientsOfDog(dog).length === 0) return;
  const claimed = { ...entry, mail: 'inProgress', ...newClaim(context), delivery: deliveryId } as const;
  const refused = await commit({ entry: claimMail(claimed) }, context);
  if (!refused) await mailOccurrence(dog, claimed, context);
}

export function mailOf(dog: Dog, { timestamp }: HistoryEntry): BarkMail {
  return { dog, recipients: recipientsOfDog(dog), message: undefined, at: timestamp * 1000 };
}

/** Logs first: once the failure is recorded, no later attempt would log it. */
export async function failMail(
  entry: ClaimedEntry,
  failure: MailFailure,
  context: RequestContext,
): Promise<void> {
  logMailFailure({ dog: entry.dog, bark: idOf(entry) }, failure);
  await recordMail(entry, 'failed', context);
}

/** Best effort: a mail failure is already logged, and mail that was sent is not sent again. */
async function recordMail(
  entry: ClaimedEntry,
  to: 'sent' | 'failed',
  context: RequestContext,
): Promise<void> {
  await settle({ entry: settleMail(entry, to) }, context).catch(console.warn);
}
