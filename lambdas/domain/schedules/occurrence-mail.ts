import { type HistoryEntry, idOf, isRecorded, mailUnknown } from '../barks/bark.ts';
import { sortKey } from '../barks/keys.ts';
import { setMailState } from '../barks/repository.ts';
import { type Dog, recipientsOfDog } from '../dogs/dog.ts';
import { MailNotSent } from '../platform/errors.ts';
import { logEvent } from '../platform/logging.ts';
import { type RequestContext, releaseContext } from '../platform/request-context.ts';
import { sendMail } from '../platform/ses.ts';
import { occurrenceUlid, type Schedule } from './schedule.ts';

/** The note of the bark of a scheduledAt, which claims the bark's mail too, if there is any: for a delivery, if it is one's. */
export function occurrenceEntry(
  dog: Dog,
  schedule: Schedule,
  scheduledAt: number,
  delivery?: string,
): HistoryEntry {
  return {
    dog: dog.id,
    sk: sortKey('historyEntry', occurrenceUlid(schedule, scheduledAt)),
    incarnation: dog.incarnation,
    timestamp: scheduledAt,
    ...(isRecorded(dog.settings.barkEffects) && { resource: true }),
    ...(recipientsOfDog(dog).length > 0 && {
      mail: 'inProgress',
      claim: crypto.randomUUID(),
      ...(delivery !== undefined && { delivery }),
    }),
  };
}

/**
 * Hands the mail of a bark over that is noted, and claimed with the entry. It is not repeated, since nobody could know
 * whether it went out; its failure is kept on the entry, logged, and undoes nothing.
 *
 * @throws MailNotSent if `patient` and nothing was sent: the claim is released, and the occurrence must be delivered again
 */
export async function sendOccurrenceMail(
  dog: Dog,
  entry: HistoryEntry,
  { patient }: { patient: boolean },
  context: RequestContext,
): Promise<void> {
  const recipients = recipientsOfDog(dog);
  // The dog's effects may have changed since the mail was claimed.
  if (entry.mail === undefined || recipients.length === 0) return;
  const mail = {
    dogId: dog.id,
    recipients,
    message: undefined,
    at: entry.timestamp * 1000,
  };
  try {
    await sendMail(mail, context);
  } catch (error) {
    if (patient && error instanceof MailNotSent) {
      await setMailState(entry, { from: 'inProgress', to: 'retry' }, releaseContext(context));
      throw error;
    }
    logEvent('MailFailed', { dog: dog.id, bark: idOf(entry) }, error);
    await setMailFailed(entry, context);
  }
}

/**
 * Claims the mail of a bark that was noted before, if it is to be tried again. If an earlier try of this very delivery is
 * at it, that try has died (or Lambda has let the same event run twice at once, which is rare), and nobody knows whether
 * the mail went out: this is logged, and the mail is not sent again.
 *
 * @returns the note with the new claim; undefined if the mail is another's, or done
 */
export async function claimReleasedMail(
  entry: HistoryEntry,
  delivery: string,
  context: RequestContext,
): Promise<HistoryEntry | undefined> {
  if (entry.mail === 'inProgress' && entry.delivery === delivery) {
    logEvent('MailFailed', { dog: entry.dog, bark: idOf(entry), reason: mailUnknown });
    await setMailFailed(entry, context);
  }
  if (entry.mail !== 'retry') return undefined;
  const claimed = { ...entry, mail: 'inProgress', claim: crypto.randomUUID(), delivery } as const;
  return (await setMailState(claimed, { from: 'retry', to: 'inProgress' }, context)) ? claimed : undefined;
}

/** Keeps it on the note that its mail failed, which is told already. */
async function setMailFailed(entry: HistoryEntry, context: RequestContext): Promise<void> {
  await setMailState(entry, { from: 'inProgress', to: 'failed' }, context).catch(console.warn);
}
