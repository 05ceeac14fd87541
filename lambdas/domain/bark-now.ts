import { isCounted, isRecorded, notedBark } from './bark.ts';
import { noteActions, noteOf } from './bark-items.ts';
import type { BarkRequest, Outcome } from './barking.ts';
import type { Call } from './call.ts';
import { failedConditions, moveLastModified, transact } from './database.ts';
import { type Dog, recipientsOfDog } from './dog.ts';
import { NotFound } from './errors.ts';
import { sendMail } from './mail.ts';

/**
 * Makes a dog bark, here and now.
 *
 * Mail goes out before anything is kept, so that a mail that cannot be sent leaves no trace. Count and record are one
 * transaction. If the process dies between the two, the mail was sent and nothing was counted, and the client, who got
 * no answer, knows that it may be so.
 *
 *     GetItem dog ──── SendEmail ──── TransactWriteItems (bark, count) ──── answer
 *                  ↑              ↑
 *             nothing done     mail sent, nothing counted
 *
 * @throws NotFound if the dog was deleted meanwhile
 * @throws MailRefused, Unavailable
 */
export async function barkNow(dog: Dog, { message, noted }: BarkRequest, call: Call): Promise<Outcome> {
  const { barkEffects } = dog.settings;
  const counted = isCounted(barkEffects);
  const recipients = recipientsOfDog(dog);
  if (recipients.length > 0) await sendMail({ dogId: dog.id, recipients, message, at: call.now }, call);
  if (!counted && !noted) return { kind: 'sent' };
  const note = noteOf(dog, barkEffects, call);
  const write = (lastModified: number) => transact(noteActions(note, { counted, lastModified }), call);
  await moveLastModified(write, call).catch((error) => {
    const [taken, changed] = failedConditions(error) ?? [];
    // The key of the note is this call's own: if it is there, a try took place whose answer was lost.
    if (!taken) throw changed ? new NotFound('dog', dog.id) : error;
  });
  const bark = isRecorded(barkEffects) ? notedBark(note) : undefined;
  if (bark) return { kind: 'recorded', bark };
  return { kind: counted ? 'counted' : 'sent' };
}
