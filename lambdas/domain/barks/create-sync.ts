import { type Dog, recipientsOfDog } from '../dogs/dog.ts';
import { type DogTime, writeWithLastModified } from '../dogs/last-modified.ts';
import {
  countUsage,
  hasActions,
  limitReached,
  reserveUsage,
  type Usage,
  usageOfBark,
} from '../limits/usage.ts';
import { type Actions, conditionFailuresOf, transact } from '../platform/dynamodb.ts';
import { NotFound } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { barkOfEntry, type HistoryEntry, isCounted } from './bark.ts';
import { historyEntryActions, newHistoryEntry } from './history.ts';
import { outcomeOfRepeat, withClaim } from './idempotency/claim.ts';
import { type IdempotencyRecord, idempotencyRecordOf } from './idempotency/record.ts';
import { putCompleted } from './idempotency/repository.ts';
import { reachedRecipients, sendBarkMail } from './mail.ts';
import type { BarkOutcome, BarkRequest } from './request.ts';
import { putSentBark } from './sent-bark.ts';

/**
 * Makes a dog bark synchronously.
 *
 * Sends the mail before it writes the bark, so that the bark is not stored if the mail fails. One transaction then writes the
 * history entry and the count. If the process dies between the two steps, the mail has been sent, but the bark has not been
 * counted. The client gets no response, so it knows that this may have happened. With an idempotency key, the function claims the
 * request before it sends the mail, and no repeat sends the mail again: see `withClaim`.
 *
 * Before it sends the mail, the function counts the bark for the limits: in the transaction that claims the request, or, without
 * an idempotency key, in a transaction of its own. A bark without mail is counted in the transaction that writes it.
 *
 * If the stack publishes events, a bark that only sends mail is stored, too, so that the stream of the table reports it.
 *
 *     GetItem dog ──── SendRawEmail ──── TransactWriteItems (entry, count, idempotency record) ──── response
 *                  ↑                 ↑
 *             nothing done     mail sent, nothing counted
 *
 * @returns the outcome of the request, or of the first request with the same idempotency key
 * @throws NotFound if the dog is deleted before the transaction
 * @throws KeyReused if a different request has already used the same idempotency key
 * @throws RequestInProgress if another invocation is still handling the same request
 * @throws AddressSuspended if all recipients of the mail are suspended: the bark was not written
 * @throws LimitReached if the barks or mails of the dog or of the user have reached a limit: no mail was sent
 * @throws MailRefused if SES refuses the mail: the bark was not written
 * @throws MailNotSent if SES throttles the mail or cannot be reached: the bark was not written
 * @throws MailUnknown if the mail of this request or of the first one may have been sent: the bark was not written
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the dog has barked
 */
export async function barkSync(
  dog: Dog,
  request: BarkRequest,
  context: RequestContext,
): Promise<BarkOutcome> {
  const record = idempotencyRecordOf(dog, request);
  const recipients = recipientsOfDog(dog);
  const usage = usageOfBark(dog, request.user);
  if (recipients.length === 0) return commitBark(dog, request, { record, usage }, context);
  const sendAndCommit = async () => {
    await sendBarkMail({ dog, recipients, message: request.message, at: context.now }, context);
    return commitBark(dog, request, { record }, context);
  };
  if (record) return withClaim({ record, usage }, sendAndCommit, context);
  reachedRecipients(dog, recipients);
  await reserveUsage(usage, context);
  return sendAndCommit();
}

/**
 * Writes the history entry, the count and the completed idempotency record in one transaction, if the bark needs any of them. The
 * transaction also counts the bark for the limits, if `usage` is given.
 */
async function commitBark(
  dog: Dog,
  { inHistory = false }: BarkRequest,
  { record, usage }: { readonly record: IdempotencyRecord | undefined; readonly usage?: Usage },
  context: RequestContext,
): Promise<BarkOutcome> {
  const usageActions: Actions = usage ? countUsage(usage, context) : {};
  const counted = isCounted(dog.settings.barkEffects);
  const entry = newHistoryEntry(dog, dog.settings.barkEffects, context);
  const outcome = outcomeOf(entry, counted);
  const hasEntry = counted || inHistory;
  const sentBark = hasEntry ? undefined : putSentBark(dog, context);
  if (!hasEntry && !record && !sentBark && !hasActions(usageActions)) return outcome;
  const write = (time: DogTime) =>
    transact(
      {
        ...(hasEntry && historyEntryActions(entry, { counted, time })),
        sentBark,
        idempotency: record && putCompleted(record, outcome, context),
        ...usageActions,
      },
      context,
    );
  try {
    await writeWithLastModified(write, context);
    return outcome;
  } catch (error) {
    const failures = conditionFailuresOf<'historyEntry' | 'dog' | 'idempotency'>(error);
    if (!failures) throw error;
    if (record && failures.idempotency) return outcomeOfRepeat(record, failures.idempotency, context);
    // The key of the history entry is unique to this request. If it exists, an earlier attempt succeeded, but its response was
    // lost.
    if (failures.historyEntry) return outcome;
    const refusal = usage && !failures.dog && limitReached(usage, error, context);
    throw refusal || new NotFound('dog', dog.id);
  }
}

function outcomeOf(entry: HistoryEntry, counted: boolean): BarkOutcome {
  const bark = barkOfEntry(entry);
  if (bark) return { kind: 'recorded', bark };
  return { kind: counted ? 'counted' : 'sent', timestamp: entry.timestamp };
}
