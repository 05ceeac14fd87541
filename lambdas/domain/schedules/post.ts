import { sortKey } from '../barks/keys.ts';
import { TokenReused } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { applyOnce, type Change, type ScheduleChangeOutcome } from './change.ts';
import { type BarkScheduleDocument, planOf } from './schedule.ts';

/**
 * Sets a dog's schedule. Safe to call twice: a repeat of the request with the same token changes nothing, however late it
 * arrives.
 *
 * @throws NotFound if the dog does not exist
 * @throws TokenReused if the token was sent before with different content
 * @throws InvalidSchedule if `next` is out of range
 * @throws ScheduleRefused if EventBridge Scheduler does not accept the schedule
 * @throws Unavailable if an AWS service is unavailable: it is then unknown whether the schedule was set
 */
export function postSchedule(
  dogId: string,
  { token, next, frequency: requested }: BarkScheduleDocument,
  context: RequestContext,
): Promise<ScheduleChangeOutcome> {
  const frequency = requested || null;
  const decide: Change['decide'] = (_, appliedChange) => {
    if (!appliedChange) return planOf({ next, frequency }, context.now);
    if (appliedChange.next === next && appliedChange.frequency === frequency) return 'repeated';
    throw new TokenReused();
  };
  // The key contains the token as text, which is the same for all spellings of a number, and for 0 and -0.
  const applied = { sk: sortKey('appliedPost', token), next, frequency };
  return applyOnce(dogId, { applied, decide }, context);
}
