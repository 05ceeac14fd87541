import { randomUUID } from 'node:crypto';
import type { BusEvent } from '../eventbridge/event-bus.ts';
import { account, region } from '../template/arns.ts';

/** An execution of a state machine. Times are in milliseconds since 1970. */
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
  /** The name of the current state. Null before the first state. */
  state: string | null;
  /** The input of the current state, as JSON. Null before the first state. */
  stateInput: string | null;
  /** The time at which the execution entered the current state. Null before the first state. */
  stateEntered: number | null;
}

/** Returns a new, running execution that has not entered a state yet. */
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

/**
 * Returns the event that Step Functions sends to EventBridge when an execution has ended.
 *
 * @see {@link https://docs.aws.amazon.com/step-functions/latest/dg/eventbridge-integration.html Step Functions events}
 */
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
