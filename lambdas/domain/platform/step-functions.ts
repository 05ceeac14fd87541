import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { environment } from '../../environment.ts';
import { unavailableIfOutage } from './outage.ts';
import type { RequestContext } from './request-context.ts';

/** Contains no personal data, because Step Functions keeps the history of a Standard execution for 90 days. */
export interface WorkflowInput {
  readonly dog: string;
  /** Also the name of the execution. */
  readonly bark: string;
}

export const sfn = new SFNClient({
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
});

/** Safe to call twice: a second call starts no execution, or (in an Express workflow) one that finds nothing to do. */
export async function startWorkflow(input: WorkflowInput, context: RequestContext): Promise<void> {
  const command = new StartExecutionCommand({
    stateMachineArn: environment('BARK_WORKFLOW_ARN'),
    name: input.bark,
    input: JSON.stringify(input),
  });
  await sfn.send(command, { abortSignal: context.signal }).catch((cause) => {
    throw unavailableIfOutage('The workflow service', cause);
  });
}
