import * as v from 'valibot';
import type { Precondition } from '../../lambdas/domain/dogs/repository.ts';
import type { RequestContext } from '../../lambdas/domain/platform/request-context.ts';
import { patchSchedule, type ScheduleChangeOutcome } from '../../lambdas/domain/schedules/change.ts';
import type { Occurrence } from '../../lambdas/domain/schedules/eventbridge.ts';
import { barkAtOccurrence } from '../../lambdas/domain/schedules/occurrence.ts';
import { DogPatchDocument } from '../../lambdas/domain/schedules/schema.ts';
import type { StandingSchedule } from './faults.ts';

/** Patches a dog, by a request that is sent at the time of the call, unless it says otherwise. */
export function patch(
  dog: string,
  body: object,
  context: RequestContext,
  {
    since = Math.floor(context.now / 1000),
    precondition = {},
  }: { since?: number; precondition?: Precondition } = {},
): Promise<ScheduleChangeOutcome> {
  const read = () => v.parse(DogPatchDocument, body).barks;
  return patchSchedule(dog, { since, body: Buffer.from(JSON.stringify(body)), precondition, read }, context);
}

/** What the scheduler tells its target at the nth time that it fires, counted from 0. */
export function occurrenceOf({ Target, ScheduleExpression }: StandingSchedule, n = 0): Occurrence {
  const occurrence: Occurrence = JSON.parse(Target.Input);
  if (n > 0 && !ScheduleExpression.startsWith('rate')) throw new Error(`${ScheduleExpression} fires once.`);
  const time = occurrence.firstInvocationAt + n * 60 * (occurrence.frequency ?? 0);
  return { ...occurrence, scheduledTime: `${new Date(time * 1000).toISOString().slice(0, 19)}Z` };
}

/** Lets a schedule fire for the nth time, and the target have what it is told. */
export function fire(schedule: StandingSchedule, context: RequestContext, n = 0): Promise<void> {
  return deliver(occurrenceOf(schedule, n), context);
}

/** Lets the target have an occurrence: in a delivery of its own, or in one that is tried again. */
export function deliver(
  occurrence: Occurrence,
  context: RequestContext,
  delivery: string = crypto.randomUUID(),
): Promise<void> {
  return barkAtOccurrence(occurrence, delivery, context);
}
