import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../environment.ts';
import { idOf, isRecorded, type NotedBark } from './bark.ts';
import type { Call } from './call.ts';
import { database, failedConditions, run } from './database.ts';
import { type Dog, recipientsOfDog } from './dog.ts';
import { MailThrottled } from './errors.ts';
import { logEvent } from './logged.ts';
import { sendMail } from './mail.ts';
import { type Schedule, slotUlid } from './schedule.ts';

/** The note of the bark of a slot, which claims the bark's mail too, if there is any. */
export function slotNote(dog: Dog, schedule: Schedule, slot: number): NotedBark {
  return {
    dog: dog.id,
    sk: `b#${slotUlid(schedule, slot)}`,
    life: dog.life,
    timestamp: slot,
    ...(isRecorded(dog.settings.barkEffects) && { resource: true }),
    ...(recipientsOfDog(dog).length > 0 && { mail: 'begun', claim: crypto.randomUUID() }),
  };
}

/**
 * Hands the mail of a bark over that is noted, and claimed with the note. It is not repeated, since nobody could know
 * whether it went out; its failure is kept on the note, logged, and undoes nothing.
 *
 * @throws MailThrottled if `patient` and nothing was sent: the claim is given back, and the bark is to be delivered again
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
    if (patient && error instanceof MailThrottled) {
      await moveMail(note, { from: 'begun', to: 'retry', claim: note.claim }, call);
      throw error;
    }
    logEvent('MailFailed', { dog: dog.id, bark: idOf(note) }, error);
    await moveMail(note, { from: 'begun', to: 'failed', claim: note.claim }, call).catch(console.warn);
  }
}

/**
 * Claims a mail that is to be tried again.
 *
 * @returns the note with the new claim; undefined if the mail is another's, or done
 */
export async function claimAgain(note: NotedBark, call: Call): Promise<NotedBark | undefined> {
  if (note.mail !== 'retry') return undefined;
  const claimed = { ...note, mail: 'begun', claim: crypto.randomUUID() } as const;
  return (await moveMail(note, { from: 'retry', to: 'begun', claim: claimed.claim }, call))
    ? claimed
    : undefined;
}

/** Moves the mail of a note to another state. @returns false if it is in neither of the two under this claim */
async function moveMail(
  { dog, sk }: NotedBark,
  { from, to, claim }: { from: NotedBark['mail']; to: NotedBark['mail']; claim: string | undefined },
  call: Call,
): Promise<boolean> {
  const command = new UpdateCommand({
    TableName: environment('BARKS_TABLE'),
    Key: { dog, sk },
    UpdateExpression: 'SET mail = :to, claim = :claim',
    ConditionExpression: 'mail = :from',
    ExpressionAttributeValues: { ':from': from, ':to': to, ':claim': claim },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    await run((options) => database.send(command, options), call);
    return true;
  } catch (error) {
    const [failure] = failedConditions(error) ?? [];
    if (!failure) throw error;
    // The claim is this call's own: if it is there, a try took place whose answer was lost.
    return failure.item?.mail === to && failure.item?.claim === claim;
  }
}
