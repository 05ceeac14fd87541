import { job } from '../domain/platform/job.ts';
import { barkAtOccurrence } from '../domain/schedules/occurrence.ts';
import { occurrenceOf } from '../domain/schedules/occurrence-event.ts';

/** The target of the dogs' schedules. If this function throws, Lambda retries it with the same event and request ID. */
export const handler = job({ reserveMs: 1_000 }, async (event: unknown, context) => {
  await barkAtOccurrence(occurrenceOf(event), context.requestId, context);
});
