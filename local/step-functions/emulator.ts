import { randomUUID } from 'node:crypto';
import type { Emulator } from '../endpoint/emulator.ts';
import { jsonOperations } from '../endpoint/json-operations.ts';
import type { Clock } from '../platform/clock.ts';
import { parseJson } from '../platform/json.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { Template } from '../template/template.ts';
import { type Execution, executionArnOf, isExpress, newExecution } from './execution.ts';
import { ExecutionRunner, type RunnerDependencies } from './runner.ts';
import { stateMachinesOf } from './state-machines.ts';
import { ExecutionStore } from './store.ts';

type Request = Readonly<Record<string, string>>;

/**
 * - After a restart, a Standard execution continues from its current state. If the execution was waiting, it waits only for the
 *   remaining time.
 * - An Express execution runs at least once: after a restart, an unfinished one runs again from the beginning. The emulator keeps
 *   no history of Express executions, and sends no events about them.
 *
 * @see {@link https://docs.aws.amazon.com/step-functions/latest/dg/choosing-workflow-type.html Choosing workflow type}
 * @see {@link https://docs.aws.amazon.com/step-functions/latest/dg/express-at-least-once-execution.html Execution guarantees}
 */
export class StepFunctionsEmulator {
  private readonly clock: Clock;
  private readonly store: ExecutionStore;
  private readonly runner: ExecutionRunner;

  /** @throws Error with the logical ID of the state machine if the emulator does not support its definition */
  constructor(template: Template, file: string, dependencies: RunnerDependencies) {
    this.clock = dependencies.clock;
    const machines = stateMachinesOf(template);
    this.store = new ExecutionStore(file, this.clock.now());
    this.runner = new ExecutionRunner(machines, this.store, dependencies);
  }

  /** Running executions continue with the definition they started with, until the service stops. */
  deploy(template: Template): void {
    this.runner.machines = stateMachinesOf(template);
  }

  resume(): void {
    for (const execution of this.store.running())
      this.runner.run(
        isExpress(execution.executionArn) ? newExecution(execution, this.clock.now()) : execution,
      );
  }

  stop(): void {
    this.runner.stop();
    this.store.close();
  }

  readonly serve: Emulator = jsonOperations('Step Functions', {
    StartExecution: (request: Request) => {
      const { executionArn, startDate } = this.start(request);
      return { executionArn, startDate: startDate / 1000 };
    },
    StopExecution: ({ executionArn = '', error, cause }: Request) => {
      const execution = this.find(executionArn);
      if (execution.status === 'RUNNING') this.runner.end(execution, { status: 'ABORTED', error, cause });
      return { stopDate: (execution.stopDate ?? this.clock.now()) / 1000 };
    },
    DescribeExecution: ({ executionArn = '' }: Request) => descriptionOf(this.find(executionArn)),
  });

  /** If a Standard execution with the same name and input is running, returns that execution. */
  private start({ stateMachineArn = '', name = randomUUID(), input = '{}' }: Request): Execution {
    const machine = this.runner.machines.get(stateMachineArn);
    if (!machine)
      throw new ServiceError(
        'StateMachineDoesNotExist',
        `State Machine Does Not Exist: '${stateMachineArn}'`,
      );
    if (!/^[\w.-]{1,80}$/.test(name)) throw new ServiceError('InvalidName', `Invalid Name: '${name}'`);
    if (parseJson(input) === undefined)
      throw new ServiceError('InvalidExecutionInput', 'Invalid State Machine Execution Input');
    const executionArn = executionArnOf(stateMachineArn, machine, name);
    const existing = this.runner.find(executionArn);
    if (existing?.status === 'RUNNING' && existing.input === input) return existing;
    if (existing)
      throw new ServiceError('ExecutionAlreadyExists', `Execution Already Exists: '${executionArn}'`);
    const execution = newExecution({ executionArn, stateMachineArn, name, input }, this.clock.now());
    this.store.write(execution);
    this.runner.run(execution);
    return execution;
  }

  /**
   * @see {@link https://docs.aws.amazon.com/step-functions/latest/apireference/API_StopExecution.html StopExecution}, which does not
   *   support Express executions
   */
  private find(executionArn: string): Execution {
    if (isExpress(executionArn))
      throw new ServiceError('InvalidArn', "Invalid Arn: 'Resource type not valid in this context: express'");
    const execution = this.runner.find(executionArn);
    if (!execution)
      throw new ServiceError('ExecutionDoesNotExist', `Execution Does Not Exist: '${executionArn}'`);
    return execution;
  }
}

function descriptionOf({ state: _, stateInput: __, stateEntered: ___, ...execution }: Execution): object {
  const { startDate, stopDate } = execution;
  const times = { startDate: startDate / 1000, stopDate: stopDate && stopDate / 1000 };
  return Object.fromEntries(Object.entries({ ...execution, ...times }).filter(([, value]) => value !== null));
}
