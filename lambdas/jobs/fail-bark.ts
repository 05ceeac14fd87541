import { failBark } from '../domain/barks/perform.ts';
import { endedExecutionInput, workflowInputOf } from '../domain/barks/workflow-event.ts';
import { job } from '../domain/platform/job.ts';

/**
 * Fails a bark that its workflow could not complete. The workflow invokes this function. If an execution ends in a way that the
 * workflow cannot catch, an EventBridge rule invokes the function.
 */
export const handler = job({ reserveMs: 1_000 }, async (event: unknown, context) => {
  const { dog, bark } = workflowInputOf(endedExecutionInput(event) ?? event);
  await failBark(dog, bark, context);
});
