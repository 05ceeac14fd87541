import { dogId } from '../../contract/dog-id.ts';
import { matches, validEvent } from '../platform/event.ts';
import { jsonOf } from '../platform/json.ts';
import type { WorkflowInput } from '../platform/step-functions.ts';
import { barkId } from './bark.ts';

export function workflowInputOf(event: unknown): WorkflowInput {
  return validEvent<WorkflowInput>(event, { dog: matches(dogId), bark: matches(barkId) });
}

/** Returns the input in the event that reports the end of an execution, or undefined for any other event. */
export function endedExecutionInput(event: unknown): unknown {
  const { detail } = Object(event) as { readonly detail?: { readonly input?: unknown } };
  const input = detail?.input;
  return typeof input === 'string' ? jsonOf(input) : undefined;
}
