import { type Dog, recipientsOfDog } from '../dogs/dog.ts';
import { type DogTime, moveLastModified } from '../dogs/last-modified.ts';
import { conflictsOf, transact } from '../platform/dynamodb.ts';
import { NotFound } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { sendMail } from '../platform/ses.ts';
import { barkOfEntry, isCounted } from './bark.ts';
import {
  type IdempotencyRecord,
  idempotencyRecordOf,
  outcomeOfRepeat,
  putCompleted,
  withClaim,
} from './idempotency/record.ts';
import { historyEntryActions, newHistoryEntry } from './repository.ts';
import type { BarkOutcome, BarkRequest } from './request.ts';

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
export async function barkSync(
  dog: Dog,
  request: BarkRequest,
  context: RequestContext,
): Promise<BarkOutcome> {
  const keyed = idempotencyRecordOf(dog, request);
  const recipients = recipientsOfDog(dog);
  if (recipients.length === 0) return commitBark(dog, request, keyed, context);
  const mailAndKeep = async () => {
    await sendMail({ dogId: dog.id, recipients, message: request.message, at: context.now }, context);
    return commitBark(dog, request, keyed, context);
  };
  return keyed ? withClaim(keyed, mailAndKeep, context) : mailAndKeep();
}

/** Keeps what there is to keep of a bark, all or nothing: its entry, its count, its outcome under the request's key. */
async function commitBark(
  dog: Dog,
  { inHistory = false }: BarkRequest,
  keyed: IdempotencyRecord | undefined,
  context: RequestContext,
): Promise<BarkOutcome> {
  const { barkEffects } = dog.settings;
  const counted = isCounted(barkEffects);
  const entry = newHistoryEntry(dog, barkEffects, context);
  const bark = barkOfEntry(entry);
  const outcome: BarkOutcome = bark
    ? { kind: 'recorded', bark }
    : { kind: counted ? 'counted' : 'sent', timestamp: entry.timestamp };
  if (!counted && !inHistory && !keyed) return outcome;
  const write = (time: DogTime) =>
    transact(
      {
        ...((counted || inHistory) && historyEntryActions(entry, { counted, time })),
        idempotency: keyed && putCompleted(keyed, outcome, context),
      },
      context,
    );
  try {
    await moveLastModified(write, context);
    return outcome;
  } catch (error) {
    const conflicts = conflictsOf<'historyEntry' | 'dog' | 'idempotency'>(error);
    if (!conflicts) throw error;
    if (keyed && conflicts.idempotency) return outcomeOfRepeat(keyed, conflicts.idempotency, context);
    // The key of the history entry is unique to this request. If it exists, a try took place whose response was lost.
    if (conflicts.historyEntry) return outcome;
    throw new NotFound('dog', dog.id);
  }
}
