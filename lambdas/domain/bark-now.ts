import { type BarkDocument, isCounted, isRecorded, notedBark } from './bark.ts';
import { countActions, noteOf } from './bark-items.ts';
import type { Outcome } from './barking.ts';
import type { Call } from './call.ts';
import { failedConditions, moveLastModified, transact } from './database.ts';
import { type Dog, recipientsOf } from './dog.ts';
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
export async function barkNow(dog: Dog, { message }: BarkDocument, call: Call): Promise<Outcome> {
  const { barkEffects } = dog.settings;
  const recipients = recipientsOf(barkEffects, dog.settings).filter((address) => address !== undefined);
  if (recipients.length > 0) await sendMail({ dogId: dog.id, recipients, message, at: call.now }, call);
  if (!isCounted(barkEffects)) return { kind: 'sent' };
  const note = noteOf(dog, barkEffects, call);
  await moveLastModified((lastModified) => transact(countActions(note, lastModified), call), call).catch(
    (error) => {
      const [noted, changed] = failedConditions(error) ?? [];
      // The key of the note is this call's own: if it is there, a try took place whose answer was lost.
      if (!noted) throw changed ? new NotFound('dog', dog.id) : error;
    },
  );
  const bark = isRecorded(barkEffects) ? notedBark(note) : undefined;
  return bark ? { kind: 'recorded', bark } : { kind: 'counted' };
}
