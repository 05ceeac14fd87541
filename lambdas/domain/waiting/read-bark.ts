import type { Bark } from '../barks/bark.ts';
import { readBark } from '../barks/queries.ts';
import { type RequestContext, withTimeout } from '../platform/request-context.ts';
import { requestTimeoutMs, type WaitLimits, waitTimer, waitUntilSettled } from './wait.ts';

/**
 * Waits while the bark is pending. If the time runs out or a later read fails, returns the bark as first read.
 *
 * @throws NotFound if the dog or the bark does not exist, or is deleted during the wait
 */
export async function readBarkAndWait(
  dogId: string,
  barkId: string,
  limits: WaitLimits,
  context: RequestContext,
): Promise<{ bark: Bark; wasPending: boolean }> {
  const waitMs = waitTimer(limits);
  const bark = await withTimeout(context, requestTimeoutMs, (limited) => readBark(dogId, barkId, limited));
  if (bark.status !== 'pending') return { bark, wasPending: false };
  const check = async (limited: RequestContext) => {
    const current = await readBark(dogId, barkId, limited);
    return current.status === 'pending' ? undefined : current;
  };
  const settled = await waitUntilSettled(barkId, waitMs(), check, context);
  return { bark: settled ?? bark, wasPending: true };
}
