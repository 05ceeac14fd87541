import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { environment } from '../../environment.ts';
import { unavailableIfOutage } from './outage.ts';
import type { RequestContext } from './request-context.ts';

/**
 * The input of an execution. It contains no personal data, because Step Functions keeps the history of an execution for 90 days.
 */
export interface WorkflowInput {
  readonly dog: string;
  /** The ID of the bark, which is also the name of the execution. */
  readonly bark: string;
}

export const sfn = new SFNClient({
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
});

/**
 * Starts the execution of a bark. Safe to call twice, because Step Functions does not start a second execution with the same
 * name.
 *
 * @throws Unavailable if Step Functions is unavailable: it is then unknown whether the execution has started
 */
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
