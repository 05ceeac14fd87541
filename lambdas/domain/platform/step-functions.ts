import { SFNClient, StartExecutionCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { environment } from '../../environment.ts';
import { unavailableIfOutage } from './outage.ts';
import type { RequestContext } from './request-context.ts';

/** What an execution is told of its bark; nothing of a person, since its history is kept for 90 days. */
export interface WorkflowInput {
  readonly dog: string;
  /** The id of the bark, which is the name of the execution too. */
  readonly bark: string;
}

export const sfn = new SFNClient({
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
});

/**
 * Starts the execution of a bark. The name makes a repeat start nothing anew.
 *
 * @throws Unavailable
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

/**
 * Stops the execution of a bark that was cancelled, or that is none. That is tidiness: it would take no effect anyway.
 */
export async function stopWorkflow(bark: string, context: RequestContext): Promise<void> {
  const executionArn = `${environment('BARK_WORKFLOW_ARN').replace(':stateMachine:', ':execution:')}:${bark}`;
  await sfn
    .send(new StopExecutionCommand({ executionArn }), { abortSignal: context.signal })
    .catch((error) => {
      console.warn(`The execution ${bark} runs on, to no effect: ${error}`);
    });
}
