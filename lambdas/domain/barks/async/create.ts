import { environment } from '../../../environment.ts';
import type { Dog } from '../../dogs/dog.ts';
import { sortKey } from '../../dogs/keys.ts';
import { countUsage, limitReached, usageOfBark } from '../../limits/usage.ts';
import { conditionFailuresOf, transact } from '../../platform/dynamodb.ts';
import { type RequestContext, seconds } from '../../platform/request-context.ts';
import { startWorkflow } from '../../platform/step-functions.ts';
import { ulid } from '../../platform/ulid.ts';
import { type AsyncBark, barkOfAsync, idOf } from '../bark.ts';
import { outcomeOfRepeat } from '../idempotency/claim.ts';
import { idempotencyRecordOf } from '../idempotency/record.ts';
import { putCompleted } from '../idempotency/repository.ts';
import type { BarkOutcome, BarkRequest } from '../request.ts';
import { putAsyncBark } from './repository.ts';

/** How long a bark may take after its cancellation window before it counts as failed, in seconds. */
const completionTimeoutSeconds = 15 * 60;

/** How long GET still shows an unrecorded bark after its deadline, in seconds. */
const statusRetentionSeconds = 7 * 24 * 60 * 60;

/**
 * Accepts an asynchronous bark. First starts an execution of the bark workflow, with the ID of the bark as its name. Then writes
 * the bark. The execution has no effect until the bark is written. After a crash between the two steps, the execution finds no
 * bark, and ends without effect. The opposite order could leave a bark without an execution.
 *
 *     GetItem dog ──── StartExecution ──── TransactWriteItems (bark, marker) ──── 202
 *                  ↑                   ↑
 *             nothing done     an execution without a bark
 *
 * The transaction does not require that the dog still exists. If a client deletes the dog at the same time, the bark counts as
 * accepted before the deletion: no client can see it, its execution fails it or has already ended, and its items expire.
 *
 * The transaction also counts the bark and its mail for the limits. If a limit is reached, the execution finds no bark, and ends.
 * Only the transaction detects that the request repeats an earlier one with the same idempotency key. The new execution then also
 * finds no bark, and ends.
 *
 * @returns the outcome of the request, or of the first request with the same idempotency key
 * @throws KeyReused if a different request has already used the same idempotency key
 * @throws RequestInProgress if another invocation is still handling the same request
 * @throws MailUnknown if the first request was synchronous, and its mail may have been sent
 * @throws LimitReached if the barks or mails of the dog or of the user have reached a limit
 * @throws Unavailable if Step Functions or DynamoDB is unavailable: it is then unknown whether the bark was accepted
 */
export async function barkAsync(
  dog: Dog,
  request: BarkRequest,
  context: RequestContext,
): Promise<BarkOutcome> {
  const record = idempotencyRecordOf(dog, request);
  const item = newAsyncBark(dog, request, context);
  await startWorkflow({ dog: dog.id, bark: idOf(item) }, context);
  const outcome: BarkOutcome = { kind: 'accepted', bark: barkOfAsync(item, context.now) };
  const idempotency = record && putCompleted(record, outcome, context);
  const usage = usageOfBark(dog, request.user);
  try {
    await transact({ ...putAsyncBark(item), idempotency, ...countUsage(usage, context) }, context);
    return outcome;
  } catch (error) {
    const failures = conditionFailuresOf<'bark' | 'marker' | 'idempotency'>(error);
    if (!failures) throw error;
    if (record && failures.idempotency) return outcomeOfRepeat(record, failures.idempotency, context);
    // The keys of the bark and its marker are unique to this request. If they exist, an earlier attempt succeeded, but its
    // response was lost.
    if (failures.bark || failures.marker) return outcome;
    throw limitReached(usage, error, context) ?? error;
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
