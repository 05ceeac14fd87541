import { environment } from '../../environment.ts';
import type { Dog } from '../dogs/dog.ts';
import { sortKey } from '../dogs/keys.ts';
import { countUsage, usageOfBark } from '../limits/usage.ts';
import { commit, raise } from '../platform/commit.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { startWorkflow } from '../platform/step-functions.ts';
import { ulid } from '../platform/ulid.ts';
import { addAsyncBark } from './async-bark.ts';
import { type AsyncBark, barkOfAsync, idOf } from './bark.ts';
import { outcomeOfRepeat } from './claim.ts';
import { completeRecord, idempotencyRecordOf } from './idempotency-record.ts';
import type { BarkOutcome, BarkRequest } from './request.ts';

/** How long a bark may take after its cancellation window before it counts as failed, in seconds. */
const completionTimeoutSeconds = 15 * 60;

/** How long GET still shows an unrecorded bark after its deadline, in seconds. */
const statusRetentionSeconds = 7 * 24 * 60 * 60;

/**
 * Accepts an asynchronous bark: starts an execution of the bark workflow, with the ID of the bark as its name, and then writes the bark.
 *
 *     GetItem dog ──── StartExecution ──── TransactWriteItems (record, bark, marker, usage) ──── 202
 *
 * | The function dies after | Stored                  | The execution      | A repeat with the key |
 * | ----------------------- | ----------------------- | ------------------ | --------------------- |
 * | GetItem                 | nothing                 | none               | barks                 |
 * | StartExecution          | nothing                 | finds no bark, ends | barks                 |
 * | TransactWriteItems      | the bark, its outcome   | performs the bark  | returns the outcome   |
 *
 * If the transaction detects a repeat or a limit, its execution also finds no bark, and ends. If the dog is deleted after the read,
 * the bark is written nevertheless. No client can see it, its execution fails it, and it expires.
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
  return commit(
    {
      idempotency: record && completeRecord(record, outcome, context),
      bark: addAsyncBark(item),
      usage: countUsage(usageOfBark(dog, request.user), context),
    },
    {
      written: () => outcome,
      refused: { idempotency: (taken) => outcomeOfRepeat(taken, context), usage: raise },
    },
    context,
  );
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
