import { commit } from '../platform/commit.ts';
import { NotFound } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { type AsyncBark, barkOfAsync, endBark, isOpen } from './async-bark.ts';
import type { Bark } from './bark.ts';
import { findDogAndBark } from './barks-table.ts';

/** The bark is in progress, complete or failed. Nothing was changed. */
export class TooLate extends Error {
  override readonly name = 'TooLate';
}

/**
 * Safe to call twice.
 *
 * @param check checks the preconditions before the write. The write requires only that the bark is still pending, because all
 *   pending states look the same to clients
 * @throws NotFound if the dog or the bark does not exist
 * @throws TooLate if the bark is in progress, complete or failed
 */
export async function cancelBark(
  dogId: string,
  barkId: string,
  context: RequestContext,
  check: (bark: Bark) => void = () => {},
): Promise<void> {
  const { dog, item } = await findDogAndBark(dogId, barkId, context);
  if (!dog) throw new NotFound('dog', dogId);
  if (item?.incarnation !== dog.incarnation) throw new NotFound('bark', barkId);
  if (!('status' in item)) throw new TooLate(`Bark "${barkId}" is complete and can no longer be cancelled.`);
  const bark = barkOfAsync(item, context);
  if (bark.status === 'pending' || bark.status === 'cancelled') check(bark);
  const found = isOpen(item) ? await setCancelled(item, context) : item;
  if (!found) throw new NotFound('bark', barkId);
  if (found.status === 'cancelled') return;
  // The bark may have failed because the dog was deleted after the first read.
  if (found.status === 'failed') {
    const { dog: current } = await findDogAndBark(dogId, undefined, context);
    if (!current) throw new NotFound('dog', dogId);
    if (current.incarnation !== dog.incarnation) throw new NotFound('bark', barkId);
  }
  throw new TooLate(`Bark "${barkId}" can no longer be cancelled. GET it to read its status.`);
}

/** Returns the bark as it is stored afterwards, cancelled if that was still possible. Undefined if it no longer exists. */
async function setCancelled(item: AsyncBark, context: RequestContext): Promise<AsyncBark | undefined> {
  const cancelled = { status: 'cancelled' } as const;
  const refused = await commit({ bark: endBark(item, 'pending', cancelled, context) }, context);
  return refused ? refused.refusal : { ...item, ...cancelled };
}
