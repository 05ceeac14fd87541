import type { Context, EventBridgeEvent } from 'aws-lambda';
import { giveUp } from '../domain/bark-failure.ts';
import type { WorkflowInput } from '../domain/workflow.ts';

/** How long before its time is up the function gives up, in milliseconds. */
const reserve = 1_000;

/** The end of an execution, as Step Functions tells it to EventBridge. */
type ExecutionEnded = EventBridgeEvent<'Step Functions Execution Status Change', { readonly input: string }>;

/**
 * Lets a bark fail that its workflow could not bring to an end: called by the workflow itself, and, for an execution
 * that ended in a way that it cannot catch, by the rule on its end.
 */
export async function handler(event: WorkflowInput | ExecutionEnded, context: Context): Promise<void> {
  const { dog, bark }: WorkflowInput = 'detail' in event ? JSON.parse(event.detail.input) : event;
  const signal = AbortSignal.timeout(context.getRemainingTimeInMillis() - reserve);
  await giveUp(dog, bark, { now: Date.now(), signal });
}
