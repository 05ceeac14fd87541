import { performBark } from '../domain/barks/perform.ts';
import { workflowInputOf } from '../domain/barks/workflow-event.ts';
import { job } from '../domain/platform/job.ts';

/** The returned status becomes the execution's output. */
export const handler = job({ reserveMs: 1_000 }, async (event: unknown, context) => {
  const { dog, bark } = workflowInputOf(event);
  return { status: await performBark(dog, bark, context) };
});
