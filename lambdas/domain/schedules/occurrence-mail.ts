import { type HistoryEntry, idOf, isRecorded, mailUnknown } from '../barks/bark.ts';
import { setMailState } from '../barks/barks-table.ts';
import { logMailFailure, sendBarkMail } from '../barks/mail.ts';
import { type Dog, recipientsOfDog } from '../dogs/dog.ts';
import { sortKey } from '../dogs/keys.ts';
import { occurrenceUlid, type Schedule } from '../dogs/schedule.ts';
import { MailNotSent, NotYet } from '../platform/errors.ts';
import { logEvent } from '../platform/logging.ts';
import { leaseSeconds, type RequestContext, releaseContext, seconds } from '../platform/request-context.ts';

/**
 * Returns the history entry of the bark at an occurrence. If the bark sends mail, the entry also contains a new claim on the
 * mail. Only the invocation that stores its claim may send the mail.
 *
 * @param scheduledAt Unix seconds
 * @param deliveryId the request ID of the Lambda event that delivered the occurrence; undefined if the bark is part of a schedule
 *   change
 */
export function occurrenceEntry(
  dog: Dog,
  schedule: Schedule,
  { scheduledAt, deliveryId }: { readonly scheduledAt: number; readonly deliveryId?: string },
  context: RequestContext,
): HistoryEntry {
  return {
    dog: dog.id,
    sk: sortKey('historyEntry', occurrenceUlid(schedule, scheduledAt)),
    incarnation: dog.incarnation,
    timestamp: scheduledAt,
    ...(isRecorded(dog.settings.barkEffects) && { resource: true }),
    ...(recipientsOfDog(dog).length > 0 && newClaim(deliveryId, context)),
  };
}

/** Returns a new claim on the mail of a bark. */
function newClaim(deliveryId: string | undefined, context: RequestContext) {
  return {
    mail: 'inProgress',
    claim: crypto.randomUUID(),
    ...(deliveryId !== undefined && {
      claimEnds: seconds(context.now) + leaseSeconds,
      delivery: deliveryId,
    }),
  } as const;
}

/**
 * Returns the history entry without the claim on its mail, and logs that the mail is dropped. The dog's mails have reached their
 * limit. No client waits for the bark, so only the log and the entry show this.
 */
export function withoutMail({
  claim: _,
  claimEnds: __,
  delivery: ___,
  ...entry
}: HistoryEntry): HistoryEntry {
  logEvent('MailDropped', { dog: entry.dog, bark: idOf(entry) });
  return { ...entry, mail: 'dropped' };
}

/**
 * Sends the mail of a bark. The caller must have stored the entry with its claim on the mail. If Lambda can repeat the event,
 * records in the entry that the mail was sent. If SES refuses the mail, if all recipients are suspended, or if it is unknown whether
 * the mail was sent, logs a failure and records it in the entry. The bark stays in the history.
 *
 * @param ifNotSent what to do if SES throttles the mail or cannot be reached, so that no mail was sent: `retry` releases the
 *   claim and throws, so that Lambda's next attempt can send the mail; `fail` logs and records the failure
 * @throws MailNotSent if `ifNotSent` is `retry`, and SES throttled the mail or could not be reached
 * @throws Unavailable if `ifNotSent` is `retry`, and DynamoDB was unavailable when the claim had to be released
 */
export async function sendOccurrenceMail(
  dog: Dog,
  entry: HistoryEntry,
  { ifNotSent }: { ifNotSent: 'retry' | 'fail' },
  context: RequestContext,
): Promise<void> {
  const recipients = recipientsOfDog(dog);
  if (entry.mail !== 'inProgress') return;
  const mail = {
    dog,
    recipients,
    message: undefined,
    at: entry.timestamp * 1000,
  };
  try {
    await sendBarkMail(mail, context);
  } catch (error) {
    if (ifNotSent === 'retry' && error instanceof MailNotSent) {
      await setMailState(entry, 'retry', releaseContext(context));
      throw error;
    }
    logMailFailure({ dog: dog.id, bark: idOf(entry) }, error);
    await recordMail(entry, 'failed', context);
    return;
  }
  if (entry.delivery !== undefined) await recordMail(entry, 'sent', context);
}

/**
 * Claims the mail of a bark that is already in the history, if an earlier attempt could not send the mail and released its claim.
 * If an attempt for the same Lambda event holds the claim and its lease has expired, the process of that attempt has died, and it
 * is unknown whether the mail was sent. This function then logs a failure and records it in the history entry.
 *
 * @param deliveryId the request ID of the Lambda event that delivered the occurrence; Lambda's retries have the same ID
 * @returns the history entry with the new claim; undefined if this invocation must not send the mail
 * @throws NotYet if another attempt for the same Lambda event may be sending the mail
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the mail is claimed
 */
export async function claimMailForRetry(
  dog: Dog,
  entry: HistoryEntry,
  deliveryId: string,
  context: RequestContext,
): Promise<HistoryEntry | undefined> {
  if (entry.mail === 'inProgress' && entry.delivery === deliveryId) {
    if ((entry.claimEnds ?? 0) > seconds(context.now))
      throw new NotYet(`Another run is sending the mail of the bark "${idOf(entry)}".`);
    logEvent('MailFailed', { dog: entry.dog, bark: idOf(entry), reason: mailUnknown });
    await recordMail(entry, 'failed', context);
  }
  // The dog's effects may have changed since the bark was recorded.
  if (entry.mail !== 'retry' || recipientsOfDog(dog).length === 0) return undefined;
  const claimed = { ...entry, ...newClaim(deliveryId, context) };
  return (await setMailState(claimed, 'inProgress', context)) ? claimed : undefined;
}

/** Records the outcome of the mail in the history entry (best effort). The caller has already logged a failure. */
async function recordMail(
  entry: HistoryEntry,
  outcome: 'sent' | 'failed',
  context: RequestContext,
): Promise<void> {
  await setMailState(entry, outcome, context).catch(console.warn);
}
