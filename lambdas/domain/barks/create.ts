import { environment } from '../../environment.ts';
import { changedSince, countBark } from '../dogs/change.ts';
import { type Dog, isCounted, recipientsOfDog } from '../dogs/dog.ts';
import { readDog } from '../dogs/read.ts';
import { countUsage, type Usage, uncountUsage, usageOfBark } from '../limits/usage.ts';
import { commit, repeatedIfRefused, settle } from '../platform/commit.ts';
import { NotFound, Unavailable } from '../platform/errors.ts';
import { type RequestContext, releaseContext, seconds } from '../platform/request-context.ts';
import { startWorkflow } from '../platform/step-functions.ts';
import { ulid } from '../platform/ulid.ts';
import { type AsyncBark, addAsyncBark, barkOfAsync } from './async-bark.ts';
import { type BarkOutcome, type BarkRequest, idOf } from './bark.ts';
import { addHistoryEntry, barkOfEntry, type HistoryEntry, newHistoryEntry } from './history-entry.ts';
import {
  answerOf,
  claimRequest,
  completeRecord,
  deleteClaim,
  endClaim,
  findOutcome,
  type IdempotencyRecord,
  idempotencyRecordOf,
} from './idempotency-record.ts';
import { sortKey } from './keys.ts';
import { failureIfSuspended, sendBarkMail } from './mail.ts';
import { addSentBark } from './sent-bark.ts'; // @extension events

/**
 * @returns the outcome of the request, or of the first request with the same idempotency key
 * @throws any error of `request.check`, unless the request is a repeat
 * @throws NotFound if the dog does not exist, or is deleted before the history entry of a synchronous bark is stored
 * @throws KeyReused if a different request has already used the same idempotency key
 * @throws RequestInProgress if another run is still handling the same request
 * @throws LimitReached if the dog or the user has reached a limit on barks or mail: no mail was sent
 * @throws AddressSuspended, MailRefused, MailNotSent if the mail of a synchronous bark was not sent: the bark was not written
 * @throws MailUnknown if the mail of this request or of the first one may have been sent: the bark was not written
 */
export async function createBark(
  dogId: string,
  request: BarkRequest,
  context: RequestContext,
): Promise<BarkOutcome> {
  const dog = await readDog(dogId, context);
  const record = idempotencyRecordOf(dog, request);
  const earlier = await repeatedIfRefused(
    async () => {
      await request.check?.(dog, context);
      return undefined;
    },
    () => findOutcome(record, context),
  );
  if (earlier) return earlier;
  const isAsync = request.isAsync || dog.settings.barkHandling === 'async';
  return (isAsync ? barkAsync : barkSync)(dog, record, request, context);
}

/**
 * Sends the mail before it writes the bark, so that the bark is not stored if the mail fails.
 *
 *     without mail:  GetItem dog ──── TransactWriteItems (record, entry, count, usage) ──── response
 *     with mail:     GetItem dog ──── claim, usage ──── SendRawEmail ──── TransactWriteItems (record, entry, count) ──── response
 *
 * | The function dies after | Stored                      | The client sees              | A repeat with the key                          | Without a key  |
 * | ----------------------- | --------------------------- | ---------------------------- | ---------------------------------------------- | -------------- |
 * | GetItem                 | nothing                     | 502                          | barks                                          | barks          |
 * | the claim, the usage    | the claim, the usage        | 502                          | RequestInProgress; MailUnknown after the lease | barks          |
 * | SendRawEmail            | the same; the mail is sent  | 502, and the mail            | the same                                       | mails again    |
 * | TransactWriteItems      | the bark and its outcome    | 502, the mail, and the bark  | returns the outcome                            | barks again    |
 *
 * Without limits, a PutItem writes the claim. With limits, a transaction writes the usage and, if there is a key, the claim.
 *
 * If the function fails without dying, one more write settles the claim. If no mail was sent, this write deletes the claim and
 * reverses the usage, so that a repeat can bark. If the mail may have been sent, it only ends the claim, so that each repeat
 * gets MailUnknown at once. If this write fails too, or the error is unexpected, the claim stays, as in the second row.
 */
async function barkSync(
  dog: Dog,
  record: IdempotencyRecord | undefined,
  request: BarkRequest,
  context: RequestContext,
): Promise<BarkOutcome> {
  const recipients = recipientsOfDog(dog);
  const usage = usageOfBark(dog, request.user);
  if (recipients.length === 0) return commitBark(dog, request, { record, usage }, context);
  // With a key, suspensions are checked after the claim: a repeat gets the outcome even if all addresses are now suspended.
  const suspended = record ? undefined : failureIfSuspended(dog, recipients);
  if (suspended) throw suspended;
  const earlier = await claimKey(record, usage, context);
  if (earlier) return earlier;
  const failure = await sendBarkMail({ dog, recipients, message: request.message, at: context.now }, context);
  switch (failure?.outcome) {
    case undefined:
      return commitBark(dog, request, { record }, context).catch((error) => {
        // The bark may be written.
        if (record && error instanceof Unavailable) return endClaim(record, error, releaseContext(context));
        throw error;
      });
    case 'refused':
    case 'not sent':
      if (record) await release(record, usage, context);
      throw failure;
    case 'unknown':
      if (record) return endClaim(record, failure, releaseContext(context));
      throw failure;
  }
}

/** Returns the outcome of the first request with the key, if this is a repeat. */
async function claimKey(
  record: IdempotencyRecord | undefined,
  usage: Usage,
  context: RequestContext,
): Promise<BarkOutcome | undefined> {
  const refused = await commit(
    { claim: record && claimRequest(record, context), usage: countUsage(usage, context) },
    context,
  ).catch(async (error) => {
    // The claim may be stored.
    if (record && error instanceof Unavailable) await release(record, usage, context);
    throw error;
  });
  switch (refused?.by) {
    case undefined:
      return undefined;
    case 'claim':
      return answerOf(refused.refusal, context);
    case 'usage':
      throw refused.refusal;
  }
}

/**
 * Best effort. Deletes the claim, and reverses the usage, because a repeat counts it again. One transaction does both, so the
 * usage is reversed only once.
 */
async function release(record: IdempotencyRecord, usage: Usage, context: RequestContext): Promise<void> {
  const plan = { claim: deleteClaim(record), usage: uncountUsage(usage, context) };
  await settle(plan, releaseContext(context)).catch((error) =>
    console.warn(
      `The claim on a request was not released. Repeats of the request will get an error. Cause: ${error}`,
    ),
  );
}

async function commitBark(
  dog: Dog,
  request: BarkRequest,
  parts: { readonly record: IdempotencyRecord | undefined; readonly usage?: Usage },
  context: RequestContext,
  entry = newHistoryEntry(dog, dog.settings.barkEffects, context),
): Promise<BarkOutcome> {
  const { record, usage } = parts;
  const counted = isCounted(dog.settings.barkEffects);
  const outcome = outcomeOf(entry, counted);
  const hasEntry = counted || request.inHistory;
  const refused = await commit(
    {
      record: record && completeRecord(record, outcome, context),
      historyEntry: hasEntry ? addHistoryEntry(entry) : undefined,
      sentBark: hasEntry ? undefined : addSentBark(dog, context), // @extension events
      dog: hasEntry ? countBark(dog, counted, context) : undefined,
      usage: usage && countUsage(usage, context),
    },
    context,
  );
  switch (refused?.by) {
    case undefined:
      return outcome;
    case 'record':
      return answerOf(refused.refusal, context);
    case 'dog': {
      const current = changedSince(dog, refused.refusal);
      if (!current) throw new NotFound('dog', dog.id);
      return commitBark(current, request, parts, context, entry);
    }
    case 'usage':
      throw refused.refusal;
  }
}

function outcomeOf(entry: HistoryEntry, counted: boolean): BarkOutcome {
  const bark = barkOfEntry(entry);
  if (bark) return { kind: 'recorded', bark };
  return { kind: counted ? 'counted' : 'sent', timestamp: entry.timestamp };
}

/** A bark that is still open this long after the cancellation window counts as failed. */
const completionTimeoutSeconds = 15 * 60;

/** How long GET still shows a bark after the bark's deadline. A complete, recorded bark does not expire. */
const statusRetentionSeconds = 7 * 24 * 60 * 60;

/**
 * Starts the execution before it writes the bark, so that no bark is stored without an execution.
 *
 *     GetItem dog ──── StartExecution ──── TransactWriteItems (record, bark, marker, usage) ──── 202
 *
 * | The function dies after | Stored                  | The client sees         | The execution       | A repeat with the key |
 * | ----------------------- | ----------------------- | ----------------------- | ------------------- | --------------------- |
 * | GetItem                 | nothing                 | 502                     | none                | barks                 |
 * | StartExecution          | nothing                 | 502                     | finds no bark, ends | barks                 |
 * | TransactWriteItems      | the bark, its outcome   | 502, and later the bark | performs the bark   | returns the outcome   |
 *
 * If the transaction detects a repeat or a reached limit, the new execution also finds no bark. If the dog is deleted after the
 * read, the bark is still written, but no client can see it, and its execution marks it as failed.
 */
async function barkAsync(
  dog: Dog,
  record: IdempotencyRecord | undefined,
  request: BarkRequest,
  context: RequestContext,
): Promise<BarkOutcome> {
  const item = newAsyncBark(dog, request, context);
  await startWorkflow({ dog: dog.id, bark: idOf(item) }, context);
  const outcome: BarkOutcome = { kind: 'accepted', bark: barkOfAsync(item, context) };
  const refused = await commit(
    {
      record: record && completeRecord(record, outcome, context),
      bark: addAsyncBark(item),
      usage: countUsage(usageOfBark(dog, request.user), context),
    },
    context,
  );
  switch (refused?.by) {
    case undefined:
      return outcome;
    case 'record':
      return answerOf(refused.refusal, context);
    case 'usage':
      throw refused.refusal;
  }
}

function newAsyncBark(dog: Dog, { message, inHistory }: BarkRequest, context: RequestContext): AsyncBark {
  const window = Number(environment('CANCELLATION_WINDOW_SECONDS'));
  const deadline = seconds(context.now) + window + completionTimeoutSeconds;
  return {
    dog: dog.id,
    sk: sortKey('asyncBark', ulid(context.now)),
    incarnation: dog.incarnation,
    status: 'pending',
    effects: dog.settings.barkEffects,
    ...(message !== undefined && { message }),
    ...(inHistory && { inHistory }),
    deadline,
    expires: deadline + statusRetentionSeconds,
  };
}
