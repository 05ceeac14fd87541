import { type Dog, recipientsOfDog } from '../dogs/dog.ts';
import { conflictsOf, type DogTime, moveLastModified, transact } from '../platform/dynamodb.ts';
import { NotFound } from '../platform/errors.ts';
import type { Call } from '../platform/request-context.ts';
import { sendMail } from '../platform/ses.ts';
import { isCounted, notedBark } from './bark.ts';
import { claimed, firstOutcome, type KeyedRequest, keyedRequest, remember } from './idempotency.ts';
import { noteActions, noteOf } from './repository.ts';
import type { BarkRequest, Outcome } from './request.ts';

/**
 * Makes a dog bark, here and now.
 *
 * Mail goes out before anything is kept, so that a mail that cannot be sent leaves no trace. Count and record are one
 * transaction. If the process dies between the two, the mail was sent and nothing was counted, and the client, who got
 * no answer, knows that it may be so. (With a key the request is claimed before its mail, and done once with the repeat.)
 *
 *     GetItem dog ──── SendEmail ──── TransactWriteItems (bark, count, key) ──── answer
 *                  ↑              ↑
 *             nothing done     mail sent, nothing counted
 *
 * @throws NotFound if the dog was deleted meanwhile
 * @throws KeyReused, NotYet, MailRefused, Unavailable
 */
export async function barkNow(dog: Dog, request: BarkRequest, call: Call): Promise<Outcome> {
  const keyed = keyedRequest(dog, request);
  const recipients = recipientsOfDog(dog);
  if (recipients.length === 0) return keep(dog, request, keyed, call);
  const mailAndKeep = async () => {
    await sendMail({ dogId: dog.id, recipients, message: request.message, at: call.now }, call);
    return keep(dog, request, keyed, call);
  };
  return keyed ? claimed(keyed, mailAndKeep, call) : mailAndKeep();
}

/** Keeps what there is to keep of a bark, all or nothing: its note, its count, its outcome under the request's key. */
async function keep(
  dog: Dog,
  { noted = false }: BarkRequest,
  keyed: KeyedRequest | undefined,
  call: Call,
): Promise<Outcome> {
  const { barkEffects } = dog.settings;
  const counted = isCounted(barkEffects);
  const note = noteOf(dog, barkEffects, call);
  const bark = notedBark(note);
  const outcome: Outcome = bark
    ? { kind: 'recorded', bark }
    : { kind: counted ? 'counted' : 'sent', timestamp: note.timestamp };
  if (!counted && !noted && !keyed) return outcome;
  const write = (time: DogTime) =>
    transact(
      {
        ...((counted || noted) && noteActions(note, { counted, time })),
        idempotency: keyed && remember(keyed, outcome, call),
      },
      call,
    );
  try {
    await moveLastModified(write, call);
    return outcome;
  } catch (error) {
    const conflicts = conflictsOf<'historyEntry' | 'dog' | 'idempotency'>(error);
    if (!conflicts) throw error;
    if (keyed && conflicts.idempotency) return firstOutcome(keyed, conflicts.idempotency, call);
    // The key of the history entry is unique to this request. If it exists, a try took place whose response was lost.
    if (conflicts.historyEntry) return outcome;
    throw new NotFound('dog', dog.id);
  }
}
