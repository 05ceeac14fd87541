import { FunctionError, TooManyRequestsException } from '../lambda/errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { Execution } from './execution.ts';
import type { Definition, Retrier, Task } from './state-machines.ts';

export interface LambdaInterface {
  /** Rejects if the function fails or is throttled. */
  readonly invoke: (functionArn: string, input: unknown) => Promise<unknown>;
  readonly invocations: { put(functionArn: string, event: unknown): void };
}

interface Dependencies extends LambdaInterface {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onEnter: (name: string, input: unknown) => void;
}

/**
 * Runs an execution from its current state. A wait in progress lasts only for the remaining time. Ignores the state machine's
 * timeout.
 *
 * @throws Error with Step Functions' name for the error, if a task fails and no catcher matches
 * @see {@link https://states-language.net/ Amazon States Language}
 */
export async function interpret(
  { StartAt, States }: Definition,
  execution: Execution,
  dependencies: Dependencies,
): Promise<unknown> {
  const { clock, signal, onEnter } = dependencies;
  let name: string | undefined = execution.state ?? StartAt;
  let input = JSON.parse(execution.stateInput ?? execution.input);
  let entered = execution.stateEntered;
  while (name !== undefined) {
    signal.throwIfAborted();
    if (entered === null) onEnter(name, input);
    const state: Definition['States'][string] | undefined = States[name];
    if (!state) throw new Error(`The definition has no state ${name}.`);
    if (state.Type === 'Wait')
      await untilTime((entered ?? clock.now()) + state.Seconds * 1000, clock, signal);
    name = 'Next' in state ? state.Next : undefined;
    if (state.Type === 'Task') [name, input] = await runTask(state, input, dependencies);
    entered = null;
  }
  return input;
}

async function runTask(
  task: Task,
  input: unknown,
  dependencies: Dependencies,
): Promise<[next: string | undefined, input: unknown]> {
  const { clock, signal } = dependencies;
  const failures = new Map<Retrier, number>();
  for (;;)
    try {
      return [task.Next, await invoke(task, input, dependencies)];
    } catch (thrown) {
      const error = taskFailure(thrown as Error);
      const retrier = task.Retry.find((one) => isFor(one, error));
      const attempts = retrier ? (failures.get(retrier) ?? 0) : 0;
      if (retrier && attempts < retrier.MaxAttempts) {
        failures.set(retrier, attempts + 1);
        await untilTime(clock.now() + delayMs(retrier, attempts), clock, signal);
        continue;
      }
      const catcher = task.Catch.find((one) => isFor(one, error));
      if (!catcher) throw error;
      const output = { Error: error.name, Cause: error.message };
      const member = catcher.ResultPath?.slice('$.'.length);
      return [catcher.Next, member === undefined ? output : { ...Object(input), [member]: output }];
    }
}

/** @see {@link https://docs.aws.amazon.com/step-functions/latest/dg/connect-lambda.html Invoke a Lambda function} */
async function invoke(task: Task, input: unknown, lambda: LambdaInterface): Promise<unknown> {
  if (!('Parameters' in task)) return lambda.invoke(task.Resource, input);
  lambda.invocations.put(task.Parameters.FunctionName, input);
  return { Payload: '', StatusCode: 202 };
}

function isFor({ ErrorEquals }: Pick<Retrier, 'ErrorEquals'>, { name }: Error): boolean {
  return ErrorEquals.includes(name) || ErrorEquals.includes('States.ALL');
}

function delayMs(
  { IntervalSeconds, BackoffRate, MaxDelaySeconds, JitterStrategy }: Retrier,
  attempts: number,
): number {
  const seconds = Math.min(IntervalSeconds * BackoffRate ** attempts, MaxDelaySeconds);
  return seconds * 1000 * (JitterStrategy === 'FULL' ? Math.random() : 1);
}

function untilTime(time: number, clock: Clock, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const cancel = clock.wakeAt(time, resolve);
    signal.addEventListener('abort', () => {
      cancel();
      reject(signal.reason);
    });
  });
}

/** Names an error as Step Functions does if the function failed or was throttled. Returns any other error unchanged. */
function taskFailure(error: Error): Error {
  if (error instanceof TooManyRequestsException) return stateError(`Lambda.${error.name}`, error.message);
  return error instanceof FunctionError ? stateError(error.errorType, error.message) : error;
}

function stateError(errorType: string, errorMessage: string): Error {
  const cause = JSON.stringify({ errorMessage, errorType });
  return Object.assign(new Error(cause), { name: errorType });
}
