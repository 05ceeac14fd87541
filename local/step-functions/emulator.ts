import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import {
  ExecutionAbortedError,
  ExecutionTimeoutError,
  type RunOptions,
  StateMachine,
  type StateMachineDefinition,
} from 'aws-local-stepfunctions';
import type { Emulator } from '../endpoint/emulator.ts';
import { type AwsResponse, jsonError } from '../endpoint/response.ts';
import type { BusEvent } from '../eventbridge/event-bus.ts';
import { FunctionError, TooManyRequestsException } from '../lambda/errors.ts';
import { parseJson } from '../platform/json.ts';
import { log } from '../platform/log.ts';
import { openStore } from '../platform/store.ts';
import { account, region } from '../template/arns.ts';
import type { Template } from '../template/template.ts';

type Overrides = NonNullable<RunOptions['overrides']>;

interface Execution {
  readonly executionArn: string;
  readonly stateMachineArn: string;
  readonly name: string;
  readonly input: string;
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  /** Milliseconds since 1970. */
  readonly startDate: number;
  stopDate: number | null;
  output: string | null;
  error: string | null;
  cause: string | null;
  /** Where it is: the state, what that was given, and since when. */
  state: string | null;
  stateInput: string | null;
  stateEntered: number | null;
}

interface Dependencies {
  readonly invoke: (functionArn: string, input: unknown) => Promise<unknown>;
  /** Is told of the end of each execution, as EventBridge is. */
  readonly onEnd: (event: BusEvent) => void;
}

/** An error that the service answers, with its name. */
class ServiceError extends Error {
  override readonly name: string;

  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** How long a closed execution is kept, and its name taken, in milliseconds. */
const historyLife = 90 * 24 * 60 * 60 * 1000;

/** A timer takes no longer wait than this, in seconds. */
const longestWait = 2_147_483;

/**
 * Step Functions on this machine: interprets the state machines of the template, for the SDK's own protocol. What is
 * under way lies on disk, state by state: a restart goes on with the state that an execution was in, and waits no
 * longer than what was left.
 */
export class StepFunctionsEmulator {
  private readonly machines: ReadonlyMap<string, StateMachineDefinition>;
  private readonly dependencies: Dependencies;
  private readonly store: DatabaseSync;
  private readonly running = new Map<string, { readonly execution: Execution; readonly abort: () => void }>();
  private stopping = false;

  /** @throws Error that names what of a definition the interpreter cannot do */
  constructor(template: Template, file: string, dependencies: Dependencies) {
    this.dependencies = dependencies;
    this.machines = new Map(
      template.ofType('AWS::StepFunctions::StateMachine').map((resource) => {
        const definition = JSON.parse(resource.properties.DefinitionString);
        refuseUnknown(definition, resource.logicalId);
        new StateMachine(definition, { validationOptions: { checkArn: false } });
        return [template.idOf(resource), definition];
      }),
    );
    this.store = openStore(file, 'FULL');
    this.store.exec(`
      CREATE TABLE IF NOT EXISTS executions (
        executionArn TEXT PRIMARY KEY, stateMachineArn TEXT, name TEXT, input TEXT, status TEXT, startDate INTEGER,
        stopDate INTEGER, output TEXT, error TEXT, cause TEXT, state TEXT, stateInput TEXT, stateEntered INTEGER);
      CREATE INDEX IF NOT EXISTS byStatus ON executions (status);`);
    this.store.prepare('DELETE FROM executions WHERE stopDate < ?').run(Date.now() - historyLife);
  }

  /** Goes on with what was under way when the service ended. */
  resume(): void {
    const rows = this.store.prepare("SELECT * FROM executions WHERE status = 'RUNNING'").all();
    for (const execution of rows as unknown as Execution[]) this.run(execution);
  }

  stop(): void {
    this.stopping = true;
    for (const { abort } of this.running.values()) abort();
    this.store.close();
  }

  readonly serve: Emulator = async ({ headers, body }) => {
    const action = headers['x-amz-target']?.replace('AWSStepFunctions.', '') ?? '';
    const handle = this.actions[action];
    if (!handle) return jsonError(400, 'UnknownOperationException', `This machine has no ${action}.`);
    try {
      return answer(handle(JSON.parse(body.toString('utf8'))));
    } catch (error) {
      if (error instanceof ServiceError) return jsonError(400, error.name, error.message);
      throw error;
    }
  };

  private readonly actions: Record<string, (request: Record<string, string>) => object> = {
    StartExecution: (request) => {
      const { executionArn, startDate } = this.start(request);
      return { executionArn, startDate: startDate / 1000 };
    },
    StopExecution: ({ executionArn = '', error, cause }) => {
      const execution = this.find(executionArn);
      if (execution.status === 'RUNNING') this.end(execution, { status: 'ABORTED', error, cause });
      return { stopDate: (execution.stopDate ?? Date.now()) / 1000 };
    },
    DescribeExecution: ({ executionArn = '' }) => {
      const { startDate, stopDate, output, error, cause, state, stateInput, stateEntered, ...execution } =
        this.find(executionArn);
      return {
        ...execution,
        startDate: startDate / 1000,
        ...(stopDate !== null && { stopDate: stopDate / 1000 }),
        ...(output !== null && { output }),
        ...(error !== null && { error }),
        ...(cause !== null && { cause }),
      };
    },
  };

  private start({
    stateMachineArn = '',
    name = randomUUID(),
    input = '{}',
  }: Record<string, string>): Execution {
    if (!this.machines.has(stateMachineArn))
      throw new ServiceError(
        'StateMachineDoesNotExist',
        `State Machine Does Not Exist: '${stateMachineArn}'`,
      );
    if (!/^[\w.-]{1,80}$/.test(name)) throw new ServiceError('InvalidName', `Invalid Name: '${name}'`);
    if (parseJson(input) === undefined)
      throw new ServiceError('InvalidExecutionInput', 'Invalid State Machine Execution Input');
    const executionArn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
    const known = this.running.get(executionArn)?.execution ?? this.read(executionArn);
    if (known?.status === 'RUNNING' && known.input === input) return known;
    if (known)
      throw new ServiceError('ExecutionAlreadyExists', `Execution Already Exists: '${executionArn}'`);
    const execution: Execution = {
      executionArn,
      stateMachineArn,
      name,
      input,
      status: 'RUNNING',
      startDate: Date.now(),
      stopDate: null,
      output: null,
      error: null,
      cause: null,
      state: null,
      stateInput: null,
      stateEntered: null,
    };
    this.write(execution);
    this.run(execution);
    return execution;
  }

  private run(execution: Execution): void {
    const definition = this.machines.get(execution.stateMachineArn);
    if (!definition) {
      this.end(execution, { status: 'FAILED', error: 'StateMachineDoesNotExist' });
      return;
    }
    const { result, abort, eventLogs } = new StateMachine(remainderOf(definition, execution), {
      validationOptions: { noValidate: true },
    }).run(JSON.parse(execution.stateInput ?? execution.input), {
      overrides: {
        taskResourceLocalHandlers: handlersOf(definition, this.dependencies.invoke),
        waitTimeOverrides: remainingWait(definition, execution),
      },
    });
    this.running.set(execution.executionArn, { execution, abort });
    void this.follow(execution, definition, eventLogs);
    result.then(
      (output) => this.end(execution, { status: 'SUCCEEDED', output: JSON.stringify(output) }),
      (error) => this.endWith(execution, error),
    );
  }

  /** Notes which state an execution is in. */
  private async follow(
    execution: Execution,
    definition: StateMachineDefinition,
    events: ReturnType<StateMachine['run']>['eventLogs'],
  ): Promise<void> {
    for await (const event of events) {
      if (this.stopping || execution.status !== 'RUNNING') return;
      if (
        event.type !== 'StateEntered' ||
        event.index !== undefined ||
        !(event.state.name in definition.States)
      )
        continue;
      if (event.state.name === execution.state) continue;
      execution.state = event.state.name;
      execution.stateInput = JSON.stringify(event.state.input);
      execution.stateEntered = event.timestamp;
      this.write(execution);
    }
  }

  private endWith(execution: Execution, error: Error): void {
    if (this.stopping || error instanceof ExecutionAbortedError) return;
    const { name, message } = (error.cause ?? error) as Error;
    const failed = { status: 'FAILED', error: name, cause: message } as const;
    this.end(execution, error instanceof ExecutionTimeoutError ? { status: 'TIMED_OUT' } : failed);
  }

  private end(
    execution: Execution,
    outcome: {
      status: Execution['status'];
      output?: string;
      error?: string | undefined;
      cause?: string | undefined;
    },
  ): void {
    if (this.stopping || execution.status !== 'RUNNING') return;
    const { status, output = null, error = null, cause = null } = outcome;
    Object.assign(execution, { status, output, error, cause, stopDate: Date.now() });
    this.write(execution);
    this.running.get(execution.executionArn)?.abort();
    this.running.delete(execution.executionArn);
    if (status === 'FAILED' || status === 'TIMED_OUT')
      log(`The execution ${execution.name} ended as ${status}: ${error ?? ''} ${cause ?? ''}`);
    this.dependencies.onEnd(endEvent(execution));
  }

  private find(executionArn: string): Execution {
    const execution = this.running.get(executionArn)?.execution ?? this.read(executionArn);
    if (!execution)
      throw new ServiceError('ExecutionDoesNotExist', `Execution Does Not Exist: '${executionArn}'`);
    return execution;
  }

  private read(executionArn: string): Execution | undefined {
    return this.store
      .prepare('SELECT * FROM executions WHERE executionArn = ?')
      .get(executionArn) as unknown as Execution | undefined;
  }

  private write(execution: Execution): void {
    const names = Object.keys(execution);
    this.store
      .prepare(
        `INSERT OR REPLACE INTO executions (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})`,
      )
      .run({ ...execution });
  }
}

/** What is left of a state machine for an execution that goes on: it starts where that was, and has what time is left. */
function remainderOf(
  definition: StateMachineDefinition,
  { state, startDate }: Execution,
): StateMachineDefinition {
  const { TimeoutSeconds } = definition;
  const elapsed = (Date.now() - startDate) / 1000;
  return {
    ...definition,
    ...(state !== null && { StartAt: state }),
    ...(TimeoutSeconds !== undefined && { TimeoutSeconds: Math.max(0, TimeoutSeconds - elapsed) }),
  };
}

/** How long a wait that was under way has still to take, in milliseconds. */
function remainingWait(
  { States }: StateMachineDefinition,
  { state, stateEntered }: Execution,
): Record<string, number> {
  const wait = state === null ? undefined : States[state];
  if (state === null || stateEntered === null || wait?.Type !== 'Wait' || wait.Seconds === undefined)
    return {};
  return { [state]: Math.max(0, stateEntered + wait.Seconds * 1000 - Date.now()) };
}

/** Lets each task call the function that it names, as Lambda would. */
function handlersOf({ States }: StateMachineDefinition, invoke: Dependencies['invoke']) {
  type Handler = NonNullable<Overrides['taskResourceLocalHandlers']>[string];
  const handlers: Record<string, Handler> = {};
  for (const [name, state] of Object.entries(States))
    if (state.Type === 'Task')
      handlers[name] = async (input) => {
        const result = await invoke(state.Resource, input).catch((error) => {
          if (error instanceof TooManyRequestsException)
            throw taskFailure({ errorType: `Lambda.${error.name}`, message: error.message });
          throw error instanceof FunctionError ? taskFailure(error) : error;
        });
        return result as Awaited<ReturnType<Handler>>;
      };
  return handlers;
}

/** A function's error as a state machine sees it: the name is what Retry and Catch look at. */
function taskFailure({ errorType, message }: Pick<FunctionError, 'errorType' | 'message'>): Error {
  const cause = JSON.stringify({ errorMessage: message, errorType });
  return Object.assign(new Error(cause), { name: errorType });
}

/** The states that this machine can run; what it would run wrongly must not be loaded. */
function refuseUnknown(definition: StateMachineDefinition & { QueryLanguage?: string }, owner: string): void {
  if (definition.QueryLanguage !== undefined && definition.QueryLanguage !== 'JSONPath')
    throw new Error(`${owner}: this machine interprets JSONPath alone.`);
  for (const [name, state] of Object.entries(definition.States)) {
    const refuse = (what: string) =>
      new Error(`${owner}: the state ${name} ${what}, which this machine cannot do.`);
    for (const field of ['QueryLanguage', 'Assign', 'Arguments', 'Output'])
      if (field in state) throw refuse(`has the field ${field}`);
    if (state.Type === 'Map' || state.Type === 'Parallel') throw refuse(`is of type ${state.Type}`);
    if (state.Type === 'Task' && !state.Resource.includes(':function:'))
      throw refuse(`calls ${state.Resource}`);
    if (state.Type === 'Wait' && (state.Seconds === undefined || state.Seconds > longestWait))
      throw refuse(`waits otherwise than by Seconds up to ${longestWait}`);
  }
}

function endEvent(execution: Execution): BusEvent {
  const { executionArn, stateMachineArn, name, status, startDate, stopDate, input, output, error, cause } =
    execution;
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Step Functions Execution Status Change',
    source: 'aws.states',
    account,
    time: new Date().toISOString(),
    region,
    resources: [executionArn],
    detail: { executionArn, stateMachineArn, name, status, startDate, stopDate, input, output, error, cause },
  };
}

function answer(body: object): AwsResponse {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/x-amz-json-1.0' },
    body: JSON.stringify(body),
  };
}
