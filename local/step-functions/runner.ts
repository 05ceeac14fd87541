import type { BusEvent } from '../eventbridge/event-bus.ts';
import { report } from '../platform/activity.ts';
import { type Clock, failUncaught } from '../platform/clock.ts';
import { isAboutFullDisk } from '../platform/disk-errors.ts';
import { parseJson } from '../platform/json.ts';
import { log } from '../platform/log.ts';
import { type Execution, isExpress, statusChangeEvent } from './execution.ts';
import { interpret, type LambdaInterface } from './interpreter.ts';
import type { Definition, Machine } from './state-machines.ts';
import type { ExecutionStore } from './store.ts';

const maximumExpressSeconds = 5 * 60;

export interface RunnerDependencies extends LambdaInterface {
  readonly onEnd: (event: BusEvent) => void;
  readonly clock: Clock;
}

type Ending = Pick<Execution, 'status'> & Partial<Record<'output' | 'error' | 'cause', string | undefined>>;

/** Stores each state that a Standard execution enters, and how it ends. An Express execution is stored only while it runs. */
export class ExecutionRunner {
  /** By ARN, for the executions that `run` starts from now on. */
  machines: ReadonlyMap<string, Machine>;
  private readonly store: ExecutionStore;
  private readonly dependencies: RunnerDependencies;
  private readonly running = new Map<string, { readonly execution: Execution; readonly abort: () => void }>();
  private stopping = false;

  constructor(
    machines: ReadonlyMap<string, Machine>,
    store: ExecutionStore,
    dependencies: RunnerDependencies,
  ) {
    this.machines = machines;
    this.store = store;
    this.dependencies = dependencies;
  }

  find(executionArn: string): Execution | undefined {
    return this.running.get(executionArn)?.execution ?? this.store.read(executionArn);
  }

  /** The execution fails if its state machine no longer exists. */
  run(execution: Execution): void {
    const machine = this.machines.get(execution.stateMachineArn);
    if (!machine) {
      this.end(execution, { status: 'FAILED', error: 'StateMachineDoesNotExist' });
      return;
    }
    const { definition } = machine;
    const controller = new AbortController();
    this.running.set(execution.executionArn, { execution, abort: () => controller.abort() });
    this.endAtTimeout(execution, definition, controller.signal);
    interpret(definition, execution, {
      ...this.dependencies,
      signal: controller.signal,
      onEnter: (state, input) => this.enter(execution, state, input),
    })
      .then(
        (output) => this.end(execution, { status: 'SUCCEEDED', output: JSON.stringify(output) }),
        (error) => {
          if (isAboutFullDisk(error)) throw error;
          this.end(execution, { status: 'FAILED', error: error.name, cause: error.message });
        },
      )
      .catch((error) => failUncaught(error, this.dependencies.clock));
  }

  /**
   * Stores the end of a Standard execution and sends an event about it, or deletes an Express execution. Does nothing after
   * `stop`, or if the execution has already ended.
   *
   * @throws Error if the end cannot be stored. In that case, the execution has not ended, and continues after the next start
   */
  end(execution: Execution, { status, output, error, cause }: Ending): void {
    if (this.stopping || execution.status !== 'RUNNING') return;
    const ended = {
      status,
      output: output ?? null,
      error: error ?? null,
      cause: cause ?? null,
      stopDate: this.dependencies.clock.now(),
    };
    if (isExpress(execution.executionArn)) this.store.delete(execution.executionArn);
    else this.store.write({ ...execution, ...ended });
    Object.assign(execution, ended);
    reportState(execution, status);
    this.running.get(execution.executionArn)?.abort();
    this.running.delete(execution.executionArn);
    if (status === 'FAILED' || status === 'TIMED_OUT')
      log(`The execution ${execution.name} ended with the status ${status}: ${error ?? ''} ${cause ?? ''}`);
    if (!isExpress(execution.executionArn)) this.dependencies.onEnd(statusChangeEvent(execution));
  }

  /** Stops all executions without storing an end, so that they continue after the next start. */
  stop(): void {
    this.stopping = true;
    for (const { abort } of this.running.values()) abort();
  }

  private endAtTimeout(execution: Execution, { TimeoutSeconds }: Definition, signal: AbortSignal): void {
    const limitSeconds = isExpress(execution.executionArn) ? maximumExpressSeconds : Number.POSITIVE_INFINITY;
    const timeoutSeconds = Math.min(TimeoutSeconds ?? limitSeconds, limitSeconds);
    if (timeoutSeconds === Number.POSITIVE_INFINITY) return;
    const cancel = this.dependencies.clock.wakeAt(execution.startDate + timeoutSeconds * 1000, () =>
      this.end(execution, { status: 'TIMED_OUT' }),
    );
    signal.addEventListener('abort', cancel);
  }

  private enter(execution: Execution, state: string, input: unknown): void {
    execution.state = state;
    execution.stateInput = JSON.stringify(input);
    execution.stateEntered = this.dependencies.clock.now();
    if (!isExpress(execution.executionArn)) this.store.write(execution);
    reportState(execution, state);
  }
}

function reportState({ name, input, output }: Execution, state: string): void {
  report({
    type: 'workflow',
    execution: name,
    state,
    input: parseJson(input),
    ...(output !== null && { output: parseJson(output) }),
  });
}
