import type { Dog } from '../dogs/dog.ts';
import { checkPrecondition, isConditional, type Precondition } from '../dogs/precondition.ts';
import { readDog } from '../dogs/read.ts';
import { isLive, type Schedule } from '../dogs/schedule.ts';
import { outdated, untilCommitted } from '../platform/commit.ts';
import { NotFound } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { commitEnd, commitSchedule, type RecordedRequest } from './commit.ts';
import { deleteFormerSchedule } from './eventbridge.ts';

/**
 * Ends a dog's schedule. Safe to call twice, because this function does not change a schedule that has ended.
 *
 * @throws NotFound if the dog does not exist, or if it has never had a schedule
 * @throws StateMismatch if the schedule does not meet the precondition
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the schedule has ended
 */
export async function endSchedule(
  dogId: string,
  context: RequestContext,
  precondition: Precondition = {},
): Promise<void> {
  const exact = isConditional(precondition);
  await untilCommitted(async () => {
    const dog = await readDog(dogId, context);
    if (!dog.schedule) throw new NotFound('schedule of the dog', dogId);
    checkPrecondition(precondition, dog);
    if (!isLive(dog)) return;
    const result = await commitEnd(dog, endOf(dog.schedule), { exact }, context);
    if (result === outdated) return result;
    return deleteFormerSchedule(dog, context);
  });
}

/**
 * Ends the schedule of a dog, and records the request.
 *
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the schedule has ended
 */
export async function endScheduleOf(
  dog: Dog,
  request: RecordedRequest,
  context: RequestContext,
): Promise<'committed' | typeof outdated> {
  // The dog may have barked at an occurrence in the meantime. If that was the last one, the schedule is already over.
  const ended = endOf(dog.schedule as Schedule);
  const result = await commitSchedule(dog, ended, request, undefined, context);
  if (result !== outdated) await deleteFormerSchedule(dog, context);
  return result;
}

function endOf(schedule: Schedule): Schedule {
  return { ...schedule, ended: true };
}
