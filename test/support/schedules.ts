import * as v from 'valibot';
import type { Precondition } from '../../lambdas/domain/dogs/precondition.ts';
import type { RequestContext } from '../../lambdas/domain/platform/request-context.ts';
import type { ScheduleChangeOutcome } from '../../lambdas/domain/schedules/change.ts';
import type { Occurrence } from '../../lambdas/domain/schedules/eventbridge.ts';
import { barkAtOccurrence } from '../../lambdas/domain/schedules/occurrence.ts';
import { patchSchedule } from '../../lambdas/domain/schedules/patch.ts';
import { DogPatchDocument } from '../../lambdas/domain/schedules/schema.ts';
import type { StandingSchedule } from './faults.ts';

/** Patches a dog. @param since the date of the request in Unix seconds; the default is the time of the context */
export function patch(
  dog: string,
  body: object,
  context: RequestContext,
  {
    since = Math.floor(context.now / 1000),
    precondition = {},
  }: { since?: number; precondition?: Precondition } = {},
): Promise<ScheduleChangeOutcome> {
  const content = { patch: v.parse(DogPatchDocument, body).barks };
  return patchSchedule(
    dog,
    { since, body: Buffer.from(JSON.stringify(body)), precondition, content },
    context,
  );
}

/** Returns the nth occurrence of a schedule, counted from 0. */
export function occurrenceOf({ Target, ScheduleExpression }: StandingSchedule, n = 0): Occurrence {
  const occurrence: Occurrence = JSON.parse(Target.Input);
  if (n > 0 && !ScheduleExpression.startsWith('rate')) throw new Error(`${ScheduleExpression} fires once.`);
  const time = occurrence.firstInvocationAt + n * 60 * (occurrence.frequency ?? 0);
  return { ...occurrence, scheduledTime: `${new Date(time * 1000).toISOString().slice(0, 19)}Z` };
}

/** Delivers the nth occurrence of a schedule, counted from 0. */
export function fire(schedule: StandingSchedule, context: RequestContext, n = 0): Promise<void> {
  return deliver(occurrenceOf(schedule, n), context);
}

/** Delivers an occurrence. @param delivery the ID of an earlier delivery to retry; the default is a new one */
export function deliver(
  occurrence: Occurrence,
  context: RequestContext,
  delivery: string = crypto.randomUUID(),
): Promise<void> {
  return barkAtOccurrence(occurrence, delivery, context);
}
