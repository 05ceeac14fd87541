import type { Context } from 'aws-lambda';
import { takeEffect } from '../domain/barks/perform.ts';
import { workflowInputOf } from '../domain/platform/job-events.ts';

/** How long before its time is up the function gives up, in milliseconds. */
const reserve = 1_000;

/** The workflow's task: lets an asynchronous bark take effect. What it throws, the workflow tries again. */
export async function handler(event: unknown, context: Context): Promise<void> {
  const { dog, bark } = workflowInputOf(event);
  const signal = AbortSignal.timeout(context.getRemainingTimeInMillis() - reserve);
  await takeEffect(dog, bark, context.awsRequestId, { now: Date.now(), signal });
}
