import { type Dog, recipientsOfDog } from '../dogs/dog.ts';
import { countUsage, reserveUsage, type Usage, usageOfBark } from '../limits/usage.ts';
import { commit, raise } from '../platform/commit.ts';
import { NotFound } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { barkOfEntry, type HistoryEntry, isCounted } from './bark.ts';
import { addHistoryEntry } from './barks-table.ts';
import { outcomeOfRepeat, withClaim } from './claim.ts';
import { countEntry, newHistoryEntry } from './history-entry.ts';
import { completeRecord, type IdempotencyRecord, idempotencyRecordOf } from './idempotency-record.ts';
import { reachedRecipients, sendBarkMail } from './mail.ts';
import type { BarkOutcome, BarkRequest } from './request.ts';
import { addSentBark } from './sent-bark.ts';

/**
 * Makes a dog bark synchronously. Sends the mail before it writes the bark, so that the bark is not stored if the mail fails. If the
 * stack publishes events, a bark that only sends mail is stored, too, so that the stream of the table reports it.
 *
 * Without mail:
 *
 *     GetItem dog ──── TransactWriteItems (record, entry, count, usage) ──── response
 *
 * With mail, `withClaim` claims the request first if it has an idempotency key. Otherwise, a transaction of its own counts the usage:
 *
 *     GetItem dog ──── claim, usage ──── SendRawEmail ──── TransactWriteItems (record, entry, count) ──── response
 *
 * | The function dies after | Stored                      | A repeat with the key                          | Without a key  |
 * | ----------------------- | --------------------------- | ---------------------------------------------- | -------------- |
 * | GetItem                 | nothing                     | barks                                          | barks          |
 * | the claim, the usage    | the claim, the usage        | RequestInProgress, after the lease MailUnknown | barks          |
 * | SendRawEmail            | the same; the mail is sent  | the same                                       | mails again    |
 * | TransactWriteItems      | the bark and its outcome    | returns the outcome                            | barks again    |
 *
 * Without limits, no usage is counted. The transaction vanishes if it has nothing to write.
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

/** Writes what the bark needs in one transaction, and its usage if it is given. */
function commitBark(
  dog: Dog,
  { inHistory = false }: BarkRequest,
  { record, usage }: { readonly record: IdempotencyRecord | undefined; readonly usage?: Usage },
  context: RequestContext,
): Promise<BarkOutcome> {
  const counted = isCounted(dog.settings.barkEffects);
  const entry = newHistoryEntry(dog, dog.settings.barkEffects, context);
  const outcome = outcomeOf(entry, counted);
  const hasEntry = counted || inHistory;
  return commit(
    {
      idempotency: record && completeRecord(record, outcome, context),
      historyEntry: hasEntry ? addHistoryEntry(entry) : undefined,
      sentBark: hasEntry ? undefined : addSentBark(dog, context),
      dog: hasEntry ? countEntry(entry, counted, context) : undefined,
      usage: usage && countUsage(usage, context),
    },
    {
      written: () => outcome,
      refused: {
        idempotency: (taken) => outcomeOfRepeat(taken, context),
        dog: () => raise(new NotFound('dog', dog.id)),
        usage: raise,
      },
    },
    context,
  );
}

function outcomeOf(entry: HistoryEntry, counted: boolean): BarkOutcome {
  const bark = barkOfEntry(entry);
  if (bark) return { kind: 'recorded', bark };
  return { kind: counted ? 'counted' : 'sent', timestamp: entry.timestamp };
}
