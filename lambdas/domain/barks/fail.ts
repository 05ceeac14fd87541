import { NotYet } from '../platform/errors.ts';
import { logEvent } from '../platform/logging.ts';
import { type Call, seconds } from '../platform/request-context.ts';
import { type AsyncBark, idOf, isOpen, mailUnknown } from './bark.ts';
import { findAsyncBark } from './repository.ts';
import { type Demand, transition } from './transition.ts';

/**
 * Lets a bark fail that its workflow gave up; nothing happens to one that is settled already.
 *
 * @throws NotYet if somebody is at it still
 */
export async function giveUp(dogId: string, barkId: string, call: Call): Promise<void> {
  const item = await findAsyncBark(dogId, barkId, call);
  if (item && isOpen(item)) await giveUpItem(item, call);
}

/** Lets a bark fail, unless somebody has begun it whose lease is not over. */
export async function giveUpItem(item: AsyncBark, call: Call): Promise<void> {
  if (item.status === 'begun' && (item.claimEnds ?? 0) > seconds(call.now))
    throw new NotYet(`The bark "${idOf(item)}" is under way.`);
  const reason = item.status === 'begun' ? mailUnknown : 'The service failed.';
  logEvent('BarkGivenUp', { dog: item.dog, bark: idOf(item), reason });
  await fail(item, item.claim === undefined ? 'pending' : { begunBy: item.claim }, reason, call);
}

export async function fail(item: AsyncBark, demand: Demand, reason: string, call: Call): Promise<void> {
  await transition(item, demand, { status: 'failed', reason }, {}, call);
}
