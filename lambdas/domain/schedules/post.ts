import { sortKey } from '../dogs/keys.ts';
import { checkPrecondition, isConditional, type Precondition } from '../dogs/precondition.ts';
import { type BarkScheduleDocument, planOf } from '../dogs/schedule.ts';
import { TokenReused } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { applyOnce, type Change, type ScheduleChangeOutcome } from './change.ts';

/**
 * Sets a dog's schedule, which is the target of the precondition. Safe to call twice: a repeat of the request with the same token changes nothing, however late it
 * arrives.
 *
 * @param request the document, and the user that sent it. Without a user, only the limits of the dog apply
 * @throws NotFound if the dog does not exist
 * @throws StateMismatch if the schedule does not meet the precondition
 * @throws TokenReused if the token was sent before with different content
 * @throws InvalidSchedule if `next` is out of range
 * @throws LimitReached if the dog would bark now, and the barks or mails of the dog or of the user have reached a limit
 * @throws ScheduleRefused if EventBridge Scheduler does not accept the schedule
 * @throws Unavailable if an AWS service is unavailable: it is then unknown whether the schedule was set
 */
export function postSchedule(
  dogId: string,
  {
    user,
    precondition = {},
    token,
    next,
    frequency: requested,
  }: BarkScheduleDocument & { readonly user?: string; readonly precondition?: Precondition },
  context: RequestContext,
): Promise<ScheduleChangeOutcome> {
  const frequency = requested || null;
  const decide: Change['decide'] = (dog, appliedChange) => {
    if (!appliedChange) {
      checkPrecondition(precondition, dog, dog.schedule !== undefined);
      return planOf(dog, { next, frequency }, context.now);
    }
    if (appliedChange.next === next && appliedChange.frequency === frequency) return 'repeated';
    throw new TokenReused();
  };
  // The key contains the token as text, which is the same for all spellings of a number, and for 0 and -0.
  const applied = { sk: sortKey('appliedPost', token), next, frequency };
  return applyOnce(dogId, { user, applied, exact: isConditional(precondition), decide }, context);
}
