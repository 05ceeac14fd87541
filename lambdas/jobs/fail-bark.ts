import { failBark } from '../domain/barks/perform.ts';
import { endedExecutionInput, workflowInputOf } from '../domain/barks/workflow-event.ts';
import { job } from '../domain/platform/job.ts';

/** Invoked by the workflow, or by a rule when an execution ends in a way that the workflow cannot catch. */
export const handler = job({ reserveMs: 1_000 }, async (event: unknown, context) => {
  const { dog, bark } = workflowInputOf(endedExecutionInput(event) ?? event);
  await failBark(dog, bark, context.requestId, context);
});
