import { type AppliedChange, findAppliedChange, findDogAndAppliedChange } from '../barks/barks-table.ts';
import type { Dog } from '../dogs/dog.ts';
import type { Plan } from '../dogs/schedule.ts';
import { outdated, untilCommitted } from '../platform/commit.ts';
import { NotFound } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { commitUnchanged, type RecordedRequest } from './commit.ts';
import { endScheduleOf } from './end.ts';
import { replaceSchedule } from './replace.ts';

/** A change to a schedule. The service applies the change only once, however often the client sends the request. */
export interface Change extends RecordedRequest {
  /**
   * Decides how the change applies to the dog.
   *
   * @param appliedChange the record of the same request, if the request was already applied to this incarnation of the dog
   * @throws the error that the client gets. `applyOnce` ignores the error if the request has been applied in the meantime
   */
  readonly decide: (dog: Dog, appliedChange: AppliedChange | undefined) => Decision;
}

type Decision = Plan | 'end' | 'repeated' | 'unchanged';

/**
 * `changed`: the request was applied. `repeated`: the same request was applied before. `unchanged`: the request changes nothing.
 */
export type ScheduleChangeOutcome = 'changed' | 'repeated' | 'unchanged';

/**
 * Applies a change to a dog's schedule, unless the same request was applied before. If another change to the dog comes first,
 * reads the dog again and decides again, until the deadline of the invocation.
 *
 * @throws NotFound if the dog does not exist
 * @throws LimitReached if the dog would bark now, and the barks or mails of the dog or of the user have reached a limit
 * @throws ScheduleRefused if EventBridge Scheduler does not accept the schedule
 * @throws Unavailable if an AWS service is unavailable: it is then unknown whether the change was applied
 * @throws the error that `decide` throws
 */
export function applyOnce(
  dogId: string,
  change: Change,
  context: RequestContext,
): Promise<ScheduleChangeOutcome> {
  return untilCommitted(async () => {
    const { dog, decision } = await decide(dogId, change, context);
    if (decision === 'repeated') return decision;
    const result = await carryOut(decision, dog, change, context);
    if (result === outdated) return result;
    return decision === 'unchanged' ? decision : 'changed';
  });
}

function carryOut(
  decision: Exclude<Decision, 'repeated'>,
  dog: Dog,
  change: Change,
  context: RequestContext,
): Promise<'committed' | typeof outdated> {
  if (decision === 'unchanged') return commitUnchanged(dog, change, context);
  if (decision === 'end') return endScheduleOf(dog, change, context);
  return replaceSchedule(dog, decision, change, context);
}

/** Reads the dog and the applied change, and decides. */
async function decide(
  dogId: string,
  change: Change,
  context: RequestContext,
): Promise<{ dog: Dog; decision: Decision }> {
  const key = { dog: dogId, sk: change.applied.sk };
  const { dog, item: appliedChange } = await findDogAndAppliedChange(key, context);
  if (!dog) throw new NotFound('dog', dogId);
  const decideBy = (found: AppliedChange | undefined) => ({
    dog,
    decision: change.decide(dog, found?.incarnation === dog.incarnation ? found : undefined),
  });
  try {
    return decideBy(appliedChange);
  } catch (error) {
    // The same request may have changed the dog between the two reads. `decide` then rejects the request, because the dog has
    // changed.
    const later = appliedChange ? undefined : await findAppliedChange(key, context);
    if (!later) throw error;
    return decideBy(later);
  }
}
