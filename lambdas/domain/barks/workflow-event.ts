import { dogId } from '../dogs/dog.ts';
import { matches, validEvent } from '../platform/event.ts';
import { jsonOf } from '../platform/json.ts';
import type { WorkflowInput } from '../platform/step-functions.ts';
import { barkId } from './bark.ts';

/**
 * Returns the input of an execution of the bark workflow.
 *
 * @throws InvalidEvent if the event is not the input of an execution
 */
export function workflowInputOf(event: unknown): WorkflowInput {
  return validEvent<WorkflowInput>(event, { dog: matches(dogId), bark: matches(barkId) });
}

/**
 * Returns the input of an execution that has ended. The event that reports the end of an execution contains this input. Returns
 * undefined for any other event.
 */
export function endedExecutionInput(event: unknown): unknown {
  const { detail } = Object(event) as { readonly detail?: { readonly input?: unknown } };
  return jsonOf(String(detail?.input));
}
