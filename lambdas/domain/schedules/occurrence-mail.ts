import { idOf, reasons } from '../barks/bark.ts';
import { claimMail, endMailClaim, type HistoryEntry, mailStateOf } from '../barks/history-entry.ts';
import { sendBarkMail } from '../barks/mail.ts';
import { type Dog, isRecorded, recipientsOfDog } from '../dogs/dog.ts';
import { sortKey } from '../dogs/keys.ts';
import { occurrenceUlid, type Schedule } from '../dogs/schedule.ts';
import { commit } from '../platform/commit.ts';
import { MailNotSent, NotYet } from '../platform/errors.ts';
import { logEvent } from '../platform/logging.ts';
import { leaseSeconds, type RequestContext, releaseContext, seconds } from '../platform/request-context.ts';
import { logMailFailure } from '../suspensions/mail.ts';

/** Without a `deliveryId`, the bark is part of a schedule change. */
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

export function withoutMail({ claim: _, claimEnds: __, ...entry }: HistoryEntry): HistoryEntry {
  return { ...entry, mail: 'dropped' };
}

/**
 * The stored entry must contain the claim. If Lambda can repeat the event, records that the mail was sent. Mail that was refused,
 * or may have been sent, is logged and recorded as failed.
 *
 * @param ifNotSent what to do if no mail was sent, but a later attempt may succeed: `retry` releases the claim and throws
 *   MailNotSent; `fail` logs and records the failure
 */
export async function sendOccurrenceMail(
  dog: Dog,
  entry: HistoryEntry,
  { ifNotSent }: { ifNotSent: 'retry' | 'fail' },
  context: RequestContext,
): Promise<void> {
  if (entry.mail !== 'inProgress') return;
  const mail = { dog, recipients: recipientsOfDog(dog), message: undefined, at: entry.timestamp * 1000 };
  try {
    await sendBarkMail(mail, context);
  } catch (error) {
    if (ifNotSent === 'retry' && error instanceof MailNotSent) {
      await endClaim(entry, 'retry', releaseContext(context));
      throw error;
    }
    logMailFailure({ dog: dog.id, bark: idOf(entry) }, error);
    await recordMail(entry, 'failed', context);
    return;
  }
  if (entry.delivery !== undefined) await recordMail(entry, 'sent', context);
}

/**
 * Claims the mail of a stored bark if an earlier attempt has released its claim. If an earlier attempt at the same delivery died
 * while sending the mail, logs and records the failure, in this order: once the failure is recorded, no later attempt would log
 * it. Logs dropped mail, which this attempt or an earlier one at the same delivery has recorded.
 *
 * @returns the entry with the new claim, or undefined if this run must not send the mail
 * @throws NotYet if another run is sending the mail for the same delivery
 */
export async function claimMailForRetry(
  dog: Dog,
  entry: HistoryEntry,
  deliveryId: string,
  context: RequestContext,
): Promise<HistoryEntry | undefined> {
  const state = mailStateOf(entry, context);
  if (entry.delivery === deliveryId) {
    if (state === 'being sent')
      throw new NotYet(`Another run is sending the mail of the bark "${idOf(entry)}".`);
    if (state === 'unknown') {
      logEvent('MailFailed', { dog: entry.dog, bark: idOf(entry), reason: reasons.mailUnknown });
      await recordMail(entry, 'failed', context);
    }
    // No client waits for the bark, so only the log and the entry show that its mail was dropped.
    if (state === 'dropped') logEvent('MailDropped', { dog: entry.dog, bark: idOf(entry) });
  }
  // The dog's effects may have changed since the bark was recorded.
  if (state !== 'not sent' || recipientsOfDog(dog).length === 0) return undefined;
  const claimed = { ...entry, ...newClaim(deliveryId, context) };
  return commit(
    { entry: claimMail(claimed) },
    { written: () => claimed, refused: { entry: () => undefined } },
    context,
  );
}

/** Best effort: a mail failure is already logged, and mail that was sent is not sent again. */
async function recordMail(
  entry: HistoryEntry,
  to: 'sent' | 'failed',
  context: RequestContext,
): Promise<void> {
  await endClaim(entry, to, context).catch(console.warn);
}

function endClaim(
  entry: HistoryEntry,
  to: 'sent' | 'retry' | 'failed',
  context: RequestContext,
): Promise<void> {
  const plan = { entry: endMailClaim(entry, to) };
  return commit(plan, { written: () => {}, refused: { entry: () => {} } }, context);
}
