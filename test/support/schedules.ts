import * as v from 'valibot';
import { readDogView } from '../../lambdas/domain/barks/queries.ts';
import type { Precondition } from '../../lambdas/domain/dogs/precondition.ts';
import type { RequestContext } from '../../lambdas/domain/platform/request-context.ts';
import type { ScheduleChangeOutcome } from '../../lambdas/domain/schedules/change.ts';
import { patchSchedule, postSchedule } from '../../lambdas/domain/schedules/change.ts';
import type { BarkScheduleDocument } from '../../lambdas/domain/schedules/decisions.ts';
import type { Occurrence } from '../../lambdas/domain/schedules/eventbridge.ts';
import { barkAtOccurrence } from '../../lambdas/domain/schedules/occurrence.ts';
import { DogPatchDocument } from '../../lambdas/domain/schedules/schema.ts';
import { newContext } from './context.ts';
import type { StandingSchedule } from './faults.ts';

/** Sets the schedule of a dog with a POST. By default, the schedule begins now and has an occurrence every ten minutes. */
export function post(
  dog: string,
  token: number,
  changes: Partial<BarkScheduleDocument> = {},
  context: RequestContext = newContext(),
): Promise<ScheduleChangeOutcome> {
  return postSchedule(dog, { token, next: 0, frequency: 10, ...changes }, context);
}

/** Patches a dog. The If-Unmodified-Since of the request is `since` or, by default, the time of the context. */
export function patch(
  dog: string,
  body: object,
  context: RequestContext = newContext(),
  {
    since = Math.floor(context.now / 1000),
    precondition = {},
    user,
  }: { since?: number; precondition?: Precondition; user?: string } = {},
): Promise<ScheduleChangeOutcome> {
  const content = { patch: v.parse(DogPatchDocument, body).barks };
  return patchSchedule(
    dog,
    { user, since, body: Buffer.from(JSON.stringify(body)), precondition, content },
    context,
  );
}

/** Returns the count, the barks and the schedule of a dog as GET shows them. @param after the time, in seconds from `now` */
export async function shown(dog: string, after = 0) {
  const { dog: state, previous, next, frequency } = await readDogView(dog, newContext({ after }));
  return { barkCount: state.barkCount, previous, next, frequency };
}

/** Returns when a schedule fires for the nth time, counted from 0, in Unix seconds. */
export function firingTimeOf(
  { Name, ScheduleExpression, StartDate = 0 }: StandingSchedule,
  n: number,
): number {
  const [, once] = /^at\((.+)\)$/.exec(ScheduleExpression) ?? [];
  if (once !== undefined && n === 0) return Date.parse(`${once}Z`) / 1000;
  const [, minutes] = /^rate\((\d+) minutes?\)$/.exec(ScheduleExpression) ?? [];
  if (minutes === undefined)
    throw new Error(`The schedule ${Name}, ${ScheduleExpression}, does not fire ${n + 1} times.`);
  return StartDate + n * Number(minutes) * 60;
}

export function occurrenceOf(schedule: StandingSchedule, n = 0): Occurrence {
  const scheduledTime = `${new Date(firingTimeOf(schedule, n) * 1000).toISOString().slice(0, 19)}Z`;
  return JSON.parse(schedule.Target.Input.replace('<aws.scheduler.scheduled-time>', scheduledTime));
}

export function fire(schedule: StandingSchedule, context: RequestContext, n = 0): Promise<void> {
  return deliver(occurrenceOf(schedule, n), context);
}

/** Invokes the target for an occurrence, in a new delivery or as another attempt of `delivery`. */
export function deliver(
  occurrence: Occurrence,
  context: RequestContext,
  delivery: string = crypto.randomUUID(),
): Promise<void> {
  return barkAtOccurrence(occurrence, delivery, context);
}
