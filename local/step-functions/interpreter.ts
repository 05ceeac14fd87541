import type { RunOptions, StateMachine, StateMachineDefinition } from 'aws-local-stepfunctions';
import { FunctionError, TooManyRequestsException } from '../lambda/errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { Execution } from './execution.ts';
import { interpreter } from './interpreter-package.ts';
import { lambdaIntegration, maximumWaitSeconds } from './state-machines.ts';

/** The interface of Lambda that tasks use. */
export interface LambdaInterface {
  /** Invokes a function, and rejects if the function fails. */
  readonly invoke: (functionArn: string, input: unknown) => Promise<unknown>;
  /** The queue of asynchronous invocations. */
  readonly invocations: { put(functionArn: string, event: unknown): void };
}

type TaskHandlers = NonNullable<NonNullable<RunOptions['overrides']>['taskResourceLocalHandlers']>;

/** A running interpretation of an execution. */
export type Interpretation = ReturnType<StateMachine['run']>;

/**
 * Runs an execution from its current state. The time that has already passed counts toward a wait in progress. Ignores the timeout
 * of the state machine.
 */
export function interpret(
  definition: StateMachineDefinition,
  execution: Execution,
  { clock, ...lambda }: LambdaInterface & { readonly clock: Clock },
): Interpretation {
  const aborted = new AbortController();
  const machine = new (interpreter().StateMachine)(interpretable(definition, execution), {
    validationOptions: { noValidate: true },
  });
  const { abort, ...running } = machine.run(JSON.parse(execution.stateInput ?? execution.input), {
    overrides: {
      taskResourceLocalHandlers: {
        ...taskHandlers(definition, lambda),
        ...waitHandlers(definition, execution, clock, aborted.signal),
      },
    },
  });
  return {
    ...running,
    abort: () => {
      abort();
      aborted.abort();
    },
  };
}

/**
 * Returns a state machine that starts at the current state. Each wait is a task, because the interpreter's own waits depend on the
 * system time.
 */
function interpretable(
  { TimeoutSeconds: _, ...definition }: StateMachineDefinition,
  { state }: Execution,
): StateMachineDefinition {
  const states = Object.entries(definition.States).map(([name, one]) => {
    if (one.Type !== 'Wait') return [name, one];
    return [name, { ...one, Type: 'Task', Resource: 'wait', TimeoutSeconds: maximumWaitSeconds }];
  });
  return {
    ...definition,
    States: Object.fromEntries(states),
    ...(state !== null && { StartAt: state }),
  };
}

/** Returns a handler for each wait. The handler returns its input after the time of the wait has passed. */
function waitHandlers(
  { States }: StateMachineDefinition,
  { state, stateEntered }: Execution,
  clock: Clock,
  aborted: AbortSignal,
): TaskHandlers {
  const handlers: TaskHandlers = {};
  for (const [name, wait] of Object.entries(States))
    if (wait.Type === 'Wait') {
      const waitMs = (wait.Seconds ?? 0) * 1000;
      // Only the current state was entered earlier.
      let entered = name === state ? stateEntered : null;
      handlers[name] = (input) => {
        const end = (entered ?? clock.now()) + waitMs;
        entered = null;
        return new Promise((resolve, reject) => {
          const cancel = clock.wakeAt(end, () => resolve(input));
          aborted.addEventListener('abort', () => {
            cancel();
            reject(aborted.reason);
          });
        });
      };
    }
  return handlers;
}

/** Returns a handler for each task. The handler invokes the function of the task. */
function taskHandlers({ States }: StateMachineDefinition, lambda: LambdaInterface): TaskHandlers {
  const handlers: TaskHandlers = {};
  for (const [name, state] of Object.entries(States))
    if (state.Type === 'Task')
      handlers[name] = async (input) => {
        const result = await runTask(state.Resource, input, lambda).catch((error) => {
          throw taskFailure(error);
        });
        return result as Awaited<ReturnType<TaskHandlers[string]>>;
      };
  return handlers;
}

/**
 * Invokes the function of a task.
 *
 * @param input the event of the function or, for the integration `lambda:invoke`, the parameters of the task
 * @returns the result of the function or, for an asynchronous invocation, the response of Lambda
 * @see {@link https://docs.aws.amazon.com/step-functions/latest/dg/connect-lambda.html Invoke a Lambda function}
 */
async function runTask(
  resource: string,
  input: unknown,
  { invoke, invocations }: LambdaInterface,
): Promise<unknown> {
  if (resource !== lambdaIntegration) return invoke(resource, input);
  const { FunctionName, Payload = {} } = input as { FunctionName: string; Payload?: unknown };
  invocations.put(FunctionName, Payload);
  return { Payload: '', StatusCode: 202 };
}

/**
 * Converts an error from Lambda to an error that has the name that Step Functions uses. `Retry` and `Catch` match this name.
 * Returns any other error unchanged.
 */
function taskFailure(error: unknown): unknown {
  if (error instanceof TooManyRequestsException) return stateError(`Lambda.${error.name}`, error.message);
  return error instanceof FunctionError ? stateError(error.errorType, error.message) : error;
}

function stateError(errorType: string, errorMessage: string): Error {
  const cause = JSON.stringify({ errorMessage, errorType });
  return Object.assign(new Error(cause), { name: errorType });
}
