import { environment } from '../../environment.ts';
import type { Dog } from '../dogs/dog.ts';
import { readDog } from '../dogs/repository.ts';
import { type Action, conflictsOf, transact } from '../platform/dynamodb.ts';
import { NotFound, TooLate } from '../platform/errors.ts';
import { type Call, seconds } from '../platform/request-context.ts';
import { startWorkflow, stopWorkflow } from '../platform/step-functions.ts';
import { ulid } from '../platform/ulid.ts';
import { type AsyncBark, asyncBark, idOf, isOpen } from './bark.ts';
import { firstOutcome, keyedRequest, remember } from './idempotency.ts';
import { sortKey } from './keys.ts';
import { findBarkItem } from './repository.ts';
import type { BarkRequest, Outcome } from './request.ts';
import { markerKey, transition } from './transition.ts';

/** How long a bark may take beyond its cancellation window before it counts as failed, in seconds. */
const patience = 15 * 60;

/** How long a bark that leaves no record can be looked at, in seconds. */
const statusLife = 7 * 24 * 60 * 60;

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
export async function barkLater(dog: Dog, request: BarkRequest, call: Call): Promise<Outcome> {
  const { message, noted } = request;
  const keyed = keyedRequest(dog, request);
  const deadline = seconds(call.now) + Number(environment('CANCELLATION_WINDOW_SECONDS')) + patience;
  const item: AsyncBark = {
    dog: dog.id,
    sk: sortKey('asyncBark', ulid(call.now)),
    life: dog.life,
    status: 'pending',
    effects: dog.settings.barkEffects,
    ...(message !== undefined && { message }),
    ...(noted && { noted }),
    deadline,
    expires: deadline + statusLife,
  };
  await startWorkflow({ dog: dog.id, bark: idOf(item) }, call);
  const marker = { ...markerKey(item), life: dog.life, expires: deadline };
  const outcome: Outcome = { kind: 'accepted', bark: asyncBark(item, call.now) };
  const idempotency = keyed && remember(keyed, outcome, call);
  try {
    await transact({ bark: put(item), marker: put(marker), idempotency }, call);
    return outcome;
  } catch (error) {
    const conflicts = conflictsOf<'bark' | 'marker' | 'idempotency'>(error);
    if (!conflicts) throw error;
    // The keys of bark and marker are unique to this request. If they exist, a try took place whose response was lost.
    if (!keyed || !conflicts.idempotency) return outcome;
    await stopWorkflow(idOf(item), call);
    return firstOutcome(keyed, conflicts.idempotency, call);
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
export async function cancelBark(dogId: string, barkId: string, call: Call): Promise<void> {
  const [dog, item] = await Promise.all([readDog(dogId, call), findBarkItem(dogId, barkId, call)]);
  if (item?.life !== dog.life) throw new NotFound('bark', barkId);
  if (!('status' in item)) throw new TooLate(`The bark "${barkId}" has happened.`);
  // What is settled stays as it is.
  const end = isOpen(item)
    ? await transition(item, 'pending', { status: 'cancelled' }, {}, call)
    : { made: false as const, found: item };
  if (end.made) return stopWorkflow(barkId, call);
  if (!end.found) throw new NotFound('bark', barkId);
  if (end.found.status === 'cancelled') return;
  // It may have failed because its dog was deleted, after the look at the dog.
  if (end.found.status === 'failed' && (await readDog(dogId, call)).life !== dog.life)
    throw new NotFound('bark', barkId);
  throw new TooLate(`The bark "${barkId}" can be cancelled no more.`);
}
