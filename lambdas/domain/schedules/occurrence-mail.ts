import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import { idOf, isRecorded, mailUnknown, type NotedBark } from '../barks/bark.ts';
import { sortKey } from '../barks/keys.ts';
import { type Dog, recipientsOfDog } from '../dogs/dog.ts';
import { database, failedCondition, run } from '../platform/dynamodb.ts';
import { MailNotSent } from '../platform/errors.ts';
import { logEvent } from '../platform/logging.ts';
import { type Call, handingBack } from '../platform/request-context.ts';
import { sendMail } from '../platform/ses.ts';
import { type Schedule, slotUlid } from './schedule.ts';

/** The note of the bark of a slot, which claims the bark's mail too, if there is any: for a delivery, if it is one's. */
export function slotNote(dog: Dog, schedule: Schedule, slot: number, delivery?: string): NotedBark {
  return {
    dog: dog.id,
    sk: sortKey('historyEntry', slotUlid(schedule, slot)),
    life: dog.life,
    timestamp: slot,
    ...(isRecorded(dog.settings.barkEffects) && { resource: true }),
    ...(recipientsOfDog(dog).length > 0 && {
      mail: 'begun',
      claim: crypto.randomUUID(),
      ...(delivery !== undefined && { delivery }),
    }),
  };
}

/**
 * Hands the mail of a bark over that is noted, and claimed with the note. It is not repeated, since nobody could know
 * whether it went out; its failure is kept on the note, logged, and undoes nothing.
 *
 * @throws MailNotSent if `patient` and nothing was sent: the claim is released, and the occurrence must be delivered again
 */
export async function sendSlotMail(
  dog: Dog,
  note: NotedBark,
  { patient }: { patient: boolean },
  call: Call,
): Promise<void> {
  const recipients = recipientsOfDog(dog);
  // The dog's effects may have changed since the mail was claimed.
  if (note.mail === undefined || recipients.length === 0) return;
  const mail = {
    dogId: dog.id,
    recipients,
    message: undefined,
    at: note.timestamp * 1000,
  };
  try {
    await sendMail(mail, call);
  } catch (error) {
    if (patient && error instanceof MailNotSent) {
      await moveMail(note, { from: 'begun', to: 'retry' }, handingBack(call));
      throw error;
    }
    logEvent('MailFailed', { dog: dog.id, bark: idOf(note) }, error);
    await keepFailure(note, call);
  }
}

/**
 * Claims the mail of a bark that was noted before, if it is to be tried again. If an earlier try of this very delivery is
 * at it, that try has died (or Lambda has let the same event run twice at once, which is rare), and nobody knows whether
 * the mail went out: this is logged, and the mail is not sent again.
 *
 * @returns the note with the new claim; undefined if the mail is another's, or done
 */
export async function claimLeft(
  note: NotedBark,
  delivery: string,
  call: Call,
): Promise<NotedBark | undefined> {
  if (note.mail === 'begun' && note.delivery === delivery) {
    logEvent('MailFailed', { dog: note.dog, bark: idOf(note), reason: mailUnknown });
    await keepFailure(note, call);
  }
  if (note.mail !== 'retry') return undefined;
  const claimed = { ...note, mail: 'begun', claim: crypto.randomUUID(), delivery } as const;
  return (await moveMail(claimed, { from: 'retry', to: 'begun' }, call)) ? claimed : undefined;
}

/** Keeps it on the note that its mail failed, which is told already. */
async function keepFailure(note: NotedBark, call: Call): Promise<void> {
  await moveMail(note, { from: 'begun', to: 'failed' }, call).catch(console.warn);
}

/**
 * Moves the mail of a note to another state: from `begun` by whoever has claimed it alone.
 *
 * @returns false if it is in neither of the two, or another's
 */
async function moveMail(
  { dog, sk, claim, delivery }: NotedBark,
  { from, to }: { from: NotedBark['mail']; to: NotedBark['mail'] },
  call: Call,
): Promise<boolean> {
  const command = new UpdateCommand({
    TableName: environment('BARKS_TABLE'),
    Key: { dog, sk },
    UpdateExpression: `SET mail = :to, claim = :claim${delivery === undefined ? '' : ', delivery = :delivery'}`,
    ConditionExpression: `mail = :from${from === 'begun' ? ' AND claim = :claim' : ''}`,
    ExpressionAttributeValues: { ':from': from, ':to': to, ':claim': claim, ':delivery': delivery },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    await run((options) => database.send(command, options), call);
    return true;
  } catch (error) {
    const failure = failedCondition(error);
    if (!failure) throw error;
    // The claim is this call's own: if it is there, a try took place whose answer was lost.
    return failure.item?.mail === to && failure.item?.claim === claim;
  }
}
