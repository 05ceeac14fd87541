import type { Context } from 'aws-lambda';
import { occurrenceOf } from '../domain/platform/job-events.ts';
import { barkAtSlot } from '../domain/schedules/occurrence.ts';

/** How long before its time is up the function gives up, in milliseconds. */
const reserve = 1_000;

/** The scheduler's target: makes a dog bark. What it throws, Lambda tries again under the same request id. */
export async function handler(event: unknown, context: Context): Promise<void> {
  const occurrence = occurrenceOf(event);
  const signal = AbortSignal.timeout(context.getRemainingTimeInMillis() - reserve);
  await barkAtSlot(occurrence, context.awsRequestId, { now: Date.now(), signal });
}
