import { environment } from '../../../environment.ts';
import type { Dog } from '../../dogs/dog.ts';
import { readDog } from '../../dogs/repository.ts';
import { type Action, conflictsOf, transact } from '../../platform/dynamodb.ts';
import { NotFound, TooLate } from '../../platform/errors.ts';
import { type RequestContext, seconds } from '../../platform/request-context.ts';
import { startWorkflow, stopWorkflow } from '../../platform/step-functions.ts';
import { ulid } from '../../platform/ulid.ts';
import { type AsyncBark, barkOfAsync, idOf, isOpen } from '../bark.ts';
import { idempotencyRecordOf, outcomeOfRepeat, putCompleted } from '../idempotency/record.ts';
import { sortKey } from '../keys.ts';
import { findBarkItem } from '../repository.ts';
import type { BarkOutcome, BarkRequest } from '../request.ts';
import { markerKey, transition } from './transition.ts';

/** How long a bark may take beyond its cancellation window before it counts as failed, in seconds. */
const completionTimeoutSeconds = 15 * 60;

/** How long a bark that leaves no record can be looked at, in seconds. */
const statusRetentionSeconds = 7 * 24 * 60 * 60;

/**
 * Accepts a bark that takes effect later. The execution is started first, under the bark's id, and means nothing until
 * the bark is written: a crash between the two leaves an execution that finds nothing and ends, never a bark that
 * nobody carries.
 *
 *     GetItem dog ──── StartExecution ──── TransactWriteItems (bark, marker) ──── 202
 *                  ↑                   ↑
 *             nothing done     an execution without a bark
 *
 * Where the request was accepted before under its key, that is known by the last write alone.
 *
 * @throws KeyReused, NotYet, Unavailable
 */
export async function barkAsync(
  dog: Dog,
  request: BarkRequest,
  context: RequestContext,
): Promise<BarkOutcome> {
  const { message, inHistory } = request;
  const keyed = idempotencyRecordOf(dog, request);
  const deadline =
    seconds(context.now) + Number(environment('CANCELLATION_WINDOW_SECONDS')) + completionTimeoutSeconds;
  const item: AsyncBark = {
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
  await startWorkflow({ dog: dog.id, bark: idOf(item) }, context);
  const marker = { ...markerKey(item), incarnation: dog.incarnation, expires: deadline };
  const outcome: BarkOutcome = { kind: 'accepted', bark: barkOfAsync(item, context.now) };
  const idempotency = keyed && putCompleted(keyed, outcome, context);
  try {
    await transact({ bark: put(item), marker: put(marker), idempotency }, context);
    return outcome;
  } catch (error) {
    const conflicts = conflictsOf<'bark' | 'marker' | 'idempotency'>(error);
    if (!conflicts) throw error;
    // The keys of bark and marker are unique to this request. If they exist, a try took place whose response was lost.
    if (!keyed || !conflicts.idempotency) return outcome;
    await stopWorkflow(idOf(item), context);
    return outcomeOfRepeat(keyed, conflicts.idempotency, context);
  }
}

function put(Item: object): Action {
  return {
    Put: { TableName: environment('BARKS_TABLE'), Item, ConditionExpression: 'attribute_not_exists(sk)' },
  };
}

/**
 * Cancels a bark: none of its effects happens after that. Cancelled once more, it stays so.
 *
 * @throws NotFound, TooLate, Unavailable
 */
export async function cancelBark(dogId: string, barkId: string, context: RequestContext): Promise<void> {
  const [dog, item] = await Promise.all([readDog(dogId, context), findBarkItem(dogId, barkId, context)]);
  if (item?.incarnation !== dog.incarnation) throw new NotFound('bark', barkId);
  if (!('status' in item)) throw new TooLate(`The bark "${barkId}" has happened.`);
  // What is settled stays as it is.
  const end = isOpen(item)
    ? await transition(item, 'pending', { status: 'cancelled' }, {}, context)
    : { made: false as const, found: item };
  if (end.made) return stopWorkflow(barkId, context);
  if (!end.found) throw new NotFound('bark', barkId);
  if (end.found.status === 'cancelled') return;
  // It may have failed because its dog was deleted, after the look at the dog.
  if (end.found.status === 'failed' && (await readDog(dogId, context)).incarnation !== dog.incarnation)
    throw new NotFound('bark', barkId);
  throw new TooLate(`The bark "${barkId}" can be cancelled no more.`);
}
