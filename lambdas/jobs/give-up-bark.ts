import type { Context } from 'aws-lambda';
import { giveUp } from '../domain/barks/fail.ts';
import { endedExecutionInput, workflowInputOf } from '../domain/platform/job-events.ts';

/** How long before its time is up the function gives up, in milliseconds. */
const reserve = 1_000;

/**
 * Lets a bark fail that its workflow could not bring to an end: called by the workflow itself, and, for an execution
 * that ended in a way that it cannot catch, by the rule on its end.
 */
export async function handler(event: unknown, context: Context): Promise<void> {
  const { dog, bark } = workflowInputOf(endedExecutionInput(event) ?? event);
  const signal = AbortSignal.timeout(context.getRemainingTimeInMillis() - reserve);
  await giveUp(dog, bark, { now: Date.now(), signal });
}
