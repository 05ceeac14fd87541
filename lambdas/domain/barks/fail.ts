import { NotYet } from '../platform/errors.ts';
import { logEvent } from '../platform/logging.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { type AsyncBark, idOf, isOpen, mailUnknown } from './bark.ts';
import { findAsyncBark } from './repository.ts';
import { type ExpectedStatus, transition } from './transition.ts';

/**
 * Lets a bark fail that its workflow gave up; nothing happens to one that is settled already.
 *
 * @throws NotYet if somebody is at it still
 */
export async function failBark(dogId: string, barkId: string, context: RequestContext): Promise<void> {
  const item = await findAsyncBark(dogId, barkId, context);
  if (item && isOpen(item)) await failUnlessClaimed(item, context);
}

/** Lets a bark fail, unless somebody has begun it whose lease is not over. */
export async function failUnlessClaimed(item: AsyncBark, context: RequestContext): Promise<void> {
  if (item.status === 'inProgress' && (item.claimEnds ?? 0) > seconds(context.now))
    throw new NotYet(`The bark "${idOf(item)}" is under way.`);
  const reason = item.status === 'inProgress' ? mailUnknown : 'The service failed.';
  logEvent('BarkFailed', { dog: item.dog, bark: idOf(item), reason });
  await setFailed(item, item.claim === undefined ? 'pending' : { claimedBy: item.claim }, reason, context);
}

export async function setFailed(
  item: AsyncBark,
  demand: ExpectedStatus,
  reason: string,
  context: RequestContext,
): Promise<void> {
  await transition(item, demand, { status: 'failed', reason }, {}, context);
}
