import { performBark } from '../domain/barks/async/perform.ts';
import { job } from '../domain/platform/job.ts';
import { workflowInputOf } from '../domain/platform/job-events.ts';

/** The task of the workflow: performs an asynchronous bark. If it throws, the workflow retries it. */
export const handler = job({ reserveMs: 1_000 }, async (event: unknown, context) => {
  const { dog, bark } = workflowInputOf(event);
  await performBark(dog, bark, context.requestId, context);
});
