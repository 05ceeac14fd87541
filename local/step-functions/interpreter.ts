import { type RunOptions, StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import { FunctionError, TooManyRequestsException } from '../lambda/errors.ts';
import type { Execution } from './execution.ts';

/** Invokes a function, and rejects if the function fails. */
export type Invoke = (functionArn: string, input: unknown) => Promise<unknown>;

type TaskHandlers = NonNullable<NonNullable<RunOptions['overrides']>['taskResourceLocalHandlers']>;

/**
 * Runs an execution from its current state. The time that has already passed counts toward a wait in progress and toward the
 * timeout of the execution.
 */
export function interpret(
  definition: StateMachineDefinition,
  execution: Execution,
  invoke: Invoke,
): ReturnType<StateMachine['run']> {
  const machine = new StateMachine(remainderOf(definition, execution), {
    validationOptions: { noValidate: true },
  });
  return machine.run(JSON.parse(execution.stateInput ?? execution.input), {
    overrides: {
      taskResourceLocalHandlers: taskHandlers(definition, invoke),
      waitTimeOverrides: remainingWaitMs(definition, execution),
    },
  });
}

/** Returns a state machine that starts at the current state, with the remaining time as its timeout. */
function remainderOf(
  definition: StateMachineDefinition,
  { state, startDate }: Execution,
): StateMachineDefinition {
  const { TimeoutSeconds } = definition;
  const elapsedSeconds = (Date.now() - startDate) / 1000;
  return {
    ...definition,
    ...(state !== null && { StartAt: state }),
    ...(TimeoutSeconds !== undefined && { TimeoutSeconds: Math.max(0, TimeoutSeconds - elapsedSeconds) }),
  };
}

/** Returns the remaining time of a wait in progress, in milliseconds, by the name of the wait state. Empty without a wait. */
function remainingWaitMs(
  { States }: StateMachineDefinition,
  { state, stateEntered }: Execution,
): Record<string, number> {
  const wait = state === null ? undefined : States[state];
  if (state === null || stateEntered === null || wait?.Type !== 'Wait' || wait.Seconds === undefined)
    return {};
  return { [state]: Math.max(0, stateEntered + wait.Seconds * 1000 - Date.now()) };
}

/** Returns a handler for each task. The handler invokes the function of the task. */
function taskHandlers({ States }: StateMachineDefinition, invoke: Invoke): TaskHandlers {
  const handlers: TaskHandlers = {};
  for (const [name, state] of Object.entries(States))
    if (state.Type === 'Task')
      handlers[name] = async (input) => {
        const result = await invoke(state.Resource, input).catch((error) => {
          throw taskFailure(error);
        });
        return result as Awaited<ReturnType<TaskHandlers[string]>>;
      };
  return handlers;
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
