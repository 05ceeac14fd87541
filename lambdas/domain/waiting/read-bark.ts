import type { Bark } from '../barks/bark.ts';
import { readBark } from '../barks/queries.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { waitUntilSettled } from './wait.ts';

/**
 * Waits for a bark that is pending. Returns undefined if the time runs out or a read fails.
 *
 * @throws NotFound if the dog or the bark is deleted during the wait
 */
export function awaitBark(
  { dog, id }: Bark,
  waitMs: number,
  context: RequestContext,
): Promise<Bark | undefined> {
  const check = async (limited: RequestContext) => {
    const current = await readBark(dog, id, limited);
    return current.status === 'pending' ? undefined : current;
  };
  return waitUntilSettled(id, waitMs, check, context);
}
