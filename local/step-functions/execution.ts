import { randomUUID } from 'node:crypto';
import type { BusEvent } from '../eventbridge/event-bus.ts';
import { account, region } from '../template/arns.ts';
import type { Machine } from './state-machines.ts';

/** Times are in milliseconds since 1970. */
export interface Execution {
  readonly executionArn: string;
  readonly stateMachineArn: string;
  readonly name: string;
  readonly input: string;
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  readonly startDate: number;
  stopDate: number | null;
  output: string | null;
  error: string | null;
  cause: string | null;
  /** Null before the first state, like the next two members. */
  state: string | null;
  /** JSON. */
  stateInput: string | null;
  stateEntered: number | null;
}

/**
 * Several Express executions can have the same name, so their ARNs end in a UUID.
 *
 * @see {@link https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsstepfunctions.html Resource types of Step
 *   Functions}
 */
export function executionArnOf(stateMachineArn: string, { type }: Machine, name: string): string {
  return type === 'EXPRESS'
    ? `${stateMachineArn.replace(':stateMachine:', ':express:')}:${name}:${randomUUID()}`
    : `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
}

export function isExpress(executionArn: string): boolean {
  return executionArn.includes(':express:');
}

export function newExecution(
  identity: Pick<Execution, 'executionArn' | 'stateMachineArn' | 'name' | 'input'>,
  startDate: number,
): Execution {
  return {
    ...identity,
    status: 'RUNNING',
    startDate,
    stopDate: null,
    output: null,
    error: null,
    cause: null,
    state: null,
    stateInput: null,
    stateEntered: null,
  };
}

/** @see {@link https://docs.aws.amazon.com/step-functions/latest/dg/eventbridge-integration.html Step Functions events} */
export function statusChangeEvent(execution: Execution): BusEvent {
  const { executionArn, stateMachineArn, name, status, startDate, stopDate, input, output, error, cause } =
    execution;
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Step Functions Execution Status Change',
    source: 'aws.states',
    account,
    time: new Date(stopDate ?? startDate).toISOString(),
    region,
    resources: [executionArn],
    detail: { executionArn, stateMachineArn, name, status, startDate, stopDate, input, output, error, cause },
  };
}
