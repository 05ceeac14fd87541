import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { AwsEndpoint } from '../../../local/endpoint/endpoint.ts';
import type { BusEvent } from '../../../local/eventbridge/event-bus.ts';
import { FunctionError, TooManyRequestsException } from '../../../local/lambda/errors.ts';
import { type Activity, onActivity } from '../../../local/platform/activity.ts';
import { StepFunctionsEmulator } from '../../../local/step-functions/emulator.ts';
import { stateMachinesOf } from '../../../local/step-functions/state-machines.ts';
import { ExecutionStore } from '../../../local/step-functions/store.ts';
import { arn, region } from '../../../local/template/arns.ts';
import { Template } from '../../../local/template/template.ts';
import { ManualClock } from '../../support/manual-clock.ts';

jest.spyOn(console, 'log').mockImplementation(() => {});

const functionArn = arn('lambda', 'function:Task');
const stateMachineArn = arn('states', 'stateMachine:Stack-Machine');

type Definition = Record<string, unknown>;
type Invoke = (functionArn: string, input: unknown) => Promise<unknown>;

const task = { Type: 'Task', Resource: functionArn, End: true };
const taskAlone: Definition = { StartAt: 'Do', States: { Do: task } };
const waitFirst = (Seconds: number): Definition => ({
  StartAt: 'Pause',
  States: { Pause: { Type: 'Wait', Seconds, Next: 'Do' }, Do: task },
});

const directory = mkdtempSync(join(tmpdir(), 'dogs-'));
const opened: (() => void)[] = [];
let files = 0;
let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock();
});
afterEach(() => {
  for (const stop of opened.splice(0)) stop();
});
afterAll(() => rmSync(directory, { recursive: true }));

function templateOf(definition: Definition, StateMachineType?: string): Template {
  const Properties = { DefinitionString: JSON.stringify(definition), StateMachineType };
  return new Template(
    { Resources: { Machine: { Type: 'AWS::StepFunctions::StateMachine', Properties } } },
    'Stack',
  );
}

/** Returns a new file in which the definition is valid. The emulator takes a tenth of a second to validate a definition. */
function fileOf(definition: Definition): string {
  const file = join(directory, `${files++}.sqlite`);
  const store = new ExecutionStore(file, 0);
  store.validDefinitions.add(JSON.stringify(definition));
  store.close();
  return file;
}

/** Opens the emulator at an endpoint, and returns an SDK client that calls it. */
async function open(definition: Definition, invoke: Invoke, file = fileOf(definition), type?: 'EXPRESS') {
  const ended: BusEvent[] = [];
  const queued: unknown[][] = [];
  const emulator = new StepFunctionsEmulator(templateOf(definition, type), file, {
    invoke,
    invocations: { put: (...event) => queued.push(event) },
    onEnd: (event) => ended.push(event),
    clock,
  });
  const endpoint = new AwsEndpoint();
  await endpoint.listen(0);
  const credentials = { accessKeyId: 'KEY', secretAccessKey: 'x' };
  endpoint.addCaller(credentials, 'test');
  endpoint.mount('states', emulator.serve);
  const client = new SFNClient({ endpoint: endpoint.url, region, credentials });
  let running = true;
  const stop = () => {
    if (!running) return;
    running = false;
    emulator.stop();
    endpoint.close();
    client.destroy();
  };
  opened.push(stop);
  const look = (executionArn = '') => client.send(new DescribeExecutionCommand({ executionArn }));
  return {
    ended,
    queued,
    file,
    stop,
    look,
    resume: () => emulator.resume(),
    deploy: (changed: Definition) => emulator.deploy(templateOf(changed)),
    start: (name: string, input: object = {}, changes: object = {}) =>
      client.send(
        new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input), ...changes }),
      ),
    halt: (executionArn = '') =>
      client.send(new StopExecutionCommand({ executionArn, error: 'Stopped', cause: 'by the test' })),
    async endOf(executionArn = '') {
      for (const deadline = Date.now() + 5_000; Date.now() < deadline; await sleep(5)) {
        const execution = await look(executionArn);
        if (execution.status !== 'RUNNING') return execution;
      }
      throw new Error('The execution did not end.');
    },
  };
}

test('An execution invokes the function with its input, and has the result as its output', async () => {
  const calls: unknown[][] = [];
  const { start, endOf, ended } = await open(taskAlone, async (...call) => {
    calls.push(call);
    return { done: true };
  });
  const { executionArn, startDate } = await start('one', { dog: 'rex' });
  expect(executionArn).toBe(arn('states', 'execution:Stack-Machine:one'));
  expect(await endOf(executionArn)).toMatchObject({
    executionArn,
    stateMachineArn,
    name: 'one',
    status: 'SUCCEEDED',
    input: '{"dog":"rex"}',
    output: '{"done":true}',
    startDate,
    stopDate: expect.any(Date),
  });
  expect(calls).toEqual([[functionArn, { dog: 'rex' }]]);
  expect(ended).toMatchObject([
    {
      source: 'aws.states',
      'detail-type': 'Step Functions Execution Status Change',
      detail: { status: 'SUCCEEDED', stateMachineArn, name: 'one', input: '{"dog":"rex"}' },
    },
  ]);
});

test('The emulator refuses an invalid definition at each start', async () => {
  const file = join(directory, `${files++}.sqlite`);
  const invalid = { StartAt: 'Do', States: { Do: { ...task, Next: 'Missing' } } };
  await expect(open(invalid, async () => null, file)).rejects.toThrow('invalid');
  await expect(open(invalid, async () => null, file)).rejects.toThrow('invalid');
});

test('A valid definition is not validated again, even after a restart', async () => {
  const valid = JSON.stringify(taskAlone);
  const file = join(directory, `${files++}.sqlite`);
  const first = new ExecutionStore(file, 0);
  expect(stateMachinesOf(templateOf(taskAlone), first.validDefinitions).get(stateMachineArn)).toEqual({
    type: 'STANDARD',
    definition: taskAlone,
  });
  first.close();
  const second = new ExecutionStore(file, 0);
  const add = jest.spyOn(second.validDefinitions, 'add');
  expect(second.validDefinitions.has(valid)).toBe(true);
  expect(stateMachinesOf(templateOf(taskAlone), second.validDefinitions).size).toBe(1);
  expect(add).not.toHaveBeenCalled();
  second.close();
});

test('A task with the integration lambda:invoke queues an asynchronous invocation', async () => {
  const Parameters = { FunctionName: functionArn, InvocationType: 'Event', 'Payload.$': '$' };
  const { start, endOf, queued } = await open(
    { StartAt: 'Do', States: { Do: { ...task, Resource: 'arn:aws:states:::lambda:invoke', Parameters } } },
    async () => null,
  );
  const { executionArn } = await start('one', { dog: 'rex' });
  expect(await endOf(executionArn)).toMatchObject({
    status: 'SUCCEEDED',
    output: '{"Payload":"","StatusCode":202}',
  });
  expect(queued).toEqual([[functionArn, { dog: 'rex' }]]);
});

describe('StepFunctionsEmulator.deploy', () => {
  const returning = (Result: string): Definition => ({
    StartAt: 'Do',
    States: { Do: { ...task, Next: 'Return', End: undefined }, Return: { Type: 'Pass', Result, End: true } },
  });

  test('runs new executions with the new definition, and running ones with that of their start', async () => {
    const { promise, resolve } = Promise.withResolvers<null>();
    const { start, endOf, deploy } = await open(returning('old'), () => promise);
    const first = await start('first');
    deploy(returning('new'));
    const second = await start('second');
    resolve(null);
    expect((await endOf(first.executionArn)).output).toBe('"old"');
    expect((await endOf(second.executionArn)).output).toBe('"new"');
  });

  test('keeps the definitions if the new one is not supported', async () => {
    const { start, endOf, deploy } = await open(taskAlone, async () => null);
    expect(() => deploy({ ...taskAlone, QueryLanguage: 'JSONata' })).toThrow('supports only JSONPath');
    const { executionArn } = await start('one');
    expect((await endOf(executionArn)).status).toBe('SUCCEEDED');
  });
});

describe('The name of an execution', () => {
  test('returns the running execution if the input is the same', async () => {
    const invoke = jest.fn<ReturnType<Invoke>, Parameters<Invoke>>().mockResolvedValue(null);
    const { start, endOf } = await open(waitFirst(1), invoke);
    const [first, second] = [await start('same'), await start('same')];
    expect(second).toMatchObject({ executionArn: first.executionArn, startDate: first.startDate });
    await clock.advance(1_000);
    await endOf(first.executionArn);
    expect(invoke).toHaveBeenCalledTimes(1);
  });

  test('is refused if it is in use with another input, or has been used before', async () => {
    const { start, endOf } = await open(taskAlone, async () => sleep(50, null));
    const { executionArn } = await start('taken', { n: 1 });
    await expect(start('taken', { n: 2 })).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
    await endOf(executionArn);
    await expect(start('taken', { n: 1 })).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
  });
});

test('An invalid request is refused with the error type of the service', async () => {
  const { start, look, halt } = await open(taskAlone, async () => null);
  await expect(start('a', {}, { stateMachineArn: 'arn:other' })).rejects.toMatchObject({
    name: 'StateMachineDoesNotExist',
  });
  await expect(start('a b')).rejects.toMatchObject({ name: 'InvalidName' });
  await expect(start('n'.repeat(81))).rejects.toMatchObject({ name: 'InvalidName' });
  await expect(start('a', {}, { input: '{' })).rejects.toMatchObject({ name: 'InvalidExecutionInput' });
  await expect(look('arn:none')).rejects.toMatchObject({ name: 'ExecutionDoesNotExist' });
  await expect(halt('arn:none')).rejects.toMatchObject({ name: 'ExecutionDoesNotExist' });
});

test('A stopped execution is ABORTED and enters no further state', async () => {
  const invoke = jest.fn<ReturnType<Invoke>, Parameters<Invoke>>().mockResolvedValue(null);
  const { start, halt, look, ended } = await open(waitFirst(1), invoke);
  const { executionArn } = await start('stopped');
  const { stopDate } = await halt(executionArn);
  expect(await look(executionArn)).toMatchObject({
    status: 'ABORTED',
    error: 'Stopped',
    cause: 'by the test',
    stopDate,
  });
  expect(await halt(executionArn)).toMatchObject({ stopDate });
  await clock.advance(2_000);
  expect(invoke).not.toHaveBeenCalled();
  expect(ended).toMatchObject([{ detail: { status: 'ABORTED' } }]);
});

describe('A function that fails', () => {
  const failing = (errorType: string, times: number): Invoke => {
    let left = times;
    return async (_, input) => {
      if (left-- > 0) throw new FunctionError(errorType, 'Why');
      return input;
    };
  };
  const Retry = [
    {
      ErrorEquals: ['NotYet'],
      IntervalSeconds: 1,
      MaxAttempts: 2,
      MaxDelaySeconds: 1,
      JitterStrategy: 'FULL',
    },
  ];

  test('fails the execution with the name of its error', async () => {
    const { start, endOf, ended } = await open(taskAlone, failing('Unavailable', 1));
    const { executionArn } = await start('failing');
    expect(await endOf(executionArn)).toMatchObject({
      status: 'FAILED',
      error: 'Unavailable',
      cause: '{"errorMessage":"Why","errorType":"Unavailable"}',
    });
    expect(ended).toMatchObject([{ detail: { status: 'FAILED', error: 'Unavailable' } }]);
  });

  test('fails its task with Lambda.TooManyRequestsException if Lambda throttles it', async () => {
    const { start, endOf } = await open(taskAlone, async () => {
      throw new TooManyRequestsException();
    });
    expect(await endOf((await start('throttled')).executionArn)).toMatchObject({
      status: 'FAILED',
      error: 'Lambda.TooManyRequestsException',
    });
  });

  test('is retried if a Retry names its error', async () => {
    // The interpreter multiplies the interval by a random number.
    const random = jest.spyOn(Math, 'random').mockReturnValue(0);
    const definition = { StartAt: 'Do', States: { Do: { ...task, Retry } } };
    const patient = await open(definition, failing('NotYet', 2));
    expect(await patient.endOf((await patient.start('a')).executionArn)).toMatchObject({
      status: 'SUCCEEDED',
    });
    const other = await open(definition, failing('Unavailable', 1));
    expect(await other.endOf((await other.start('b')).executionArn)).toMatchObject({ status: 'FAILED' });
    random.mockRestore();
  });

  test('is caught, with its error at the ResultPath', async () => {
    const Catch = [{ ErrorEquals: ['States.ALL'], Next: 'Mend', ResultPath: '$.error' }];
    const definition = {
      StartAt: 'Do',
      States: { Do: { Type: 'Task', Resource: functionArn, Next: 'After', Catch }, After: task, Mend: task },
    };
    const { start, endOf } = await open(definition, failing('Unavailable', 1));
    const { output } = await endOf((await start('caught', { dog: 'rex' })).executionArn);
    expect(JSON.parse(output ?? '')).toMatchObject({ dog: 'rex', error: { Error: 'Unavailable' } });
  });
});

test('An execution that takes too long is TIMED_OUT', async () => {
  const definition = { ...taskAlone, TimeoutSeconds: 1 };
  const { promise, resolve } = Promise.withResolvers<null>();
  const { start, look, ended } = await open(definition, () => promise);
  const { executionArn } = await start('slow');
  await clock.advance(999);
  expect(await look(executionArn)).toMatchObject({ status: 'RUNNING' });
  await clock.advance(1);
  expect(await look(executionArn)).toMatchObject({ status: 'TIMED_OUT' });
  resolve(null);
  expect(ended).toMatchObject([{ detail: { status: 'TIMED_OUT' } }]);
});

describe('After a restart on the same file', () => {
  test('an execution continues with its current state', async () => {
    const definition = {
      StartAt: 'First',
      States: {
        First: { Type: 'Task', Resource: `${functionArn}1`, Next: 'Second' },
        Second: { ...task, Resource: `${functionArn}2` },
      },
    };
    const { promise, resolve } = Promise.withResolvers<null>();
    const first = await open(definition, async (called) =>
      called.endsWith('1') ? { from: 'first' } : promise,
    );
    const entered = new Promise<void>((done) => {
      const stop = onActivity((activity) => {
        if (activity.type !== 'workflow' || activity.state !== 'Second') return;
        stop();
        done();
      });
    });
    const { executionArn } = await first.start('restarted');
    await entered;
    first.stop();
    resolve(null);
    const calls: unknown[][] = [];
    const second = await open(definition, async (...call) => calls.push(call), first.file);
    second.resume();
    expect(await second.endOf(executionArn)).toMatchObject({ status: 'SUCCEEDED' });
    expect(calls).toEqual([[`${functionArn}2`, { from: 'first' }]]);
  });

  test('an execution waits only for the remaining time', async () => {
    const first = await open(waitFirst(2), async () => null);
    const { executionArn, startDate } = await first.start('waiting');
    await clock.advance(1_200);
    first.stop();
    const second = await open(waitFirst(2), async () => null, first.file);
    second.resume();
    await clock.advance(799);
    expect(await second.look(executionArn)).toMatchObject({ status: 'RUNNING' });
    await clock.advance(1);
    const { stopDate } = await second.endOf(executionArn);
    expect(Number(stopDate) - Number(startDate)).toBe(2_000);
  });

  test('an execution is TIMED_OUT if its timeout has passed', async () => {
    const definition = { ...waitFirst(60), TimeoutSeconds: 1 };
    const first = await open(definition, async () => null);
    const { executionArn } = await first.start('late');
    first.stop();
    await clock.advance(1_100);
    const second = await open(definition, async () => null, first.file);
    second.resume();
    await clock.advance(0);
    expect(await second.look(executionArn)).toMatchObject({ status: 'TIMED_OUT' });
  });

  test('a used name cannot be used again', async () => {
    const first = await open(taskAlone, async () => null);
    await first.endOf((await first.start('used')).executionArn);
    first.stop();
    const second = await open(taskAlone, async () => null, first.file);
    await expect(second.start('used')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
  });
});

describe('An Express execution', () => {
  const twoTasks = {
    StartAt: 'First',
    States: {
      First: { Type: 'Task', Resource: `${functionArn}1`, Next: 'Second' },
      Second: { ...task, Resource: `${functionArn}2` },
    },
  };
  const openExpress = (definition: Definition, invoke: Invoke, file?: string) =>
    open(definition, invoke, file, 'EXPRESS');

  /** Resolves with the next state that an execution enters or in which it ends. */
  const nextState = (state: string) =>
    new Promise<void>((resolve) => {
      const stop = onActivity((activity) => {
        if (activity.type !== 'workflow' || activity.state !== state) return;
        stop();
        resolve();
      });
    });

  test('has an ARN of its own, even if another execution has the same name and input', async () => {
    const calls: unknown[][] = [];
    const { start } = await openExpress(waitFirst(1), async (...call) => calls.push(call));
    const [first, second] = [await start('same', { n: 1 }), await start('same', { n: 1 })];
    const form = new RegExp(`^${arn('states', 'express:Stack-Machine:same')}:[0-9a-f-]{36}$`);
    for (const { executionArn } of [first, second]) expect(executionArn).toMatch(form);
    expect(first.executionArn).not.toBe(second.executionArn);
    await clock.advance(1_000);
    expect(calls).toEqual([
      [functionArn, { n: 1 }],
      [functionArn, { n: 1 }],
    ]);
  });

  test('cannot be stopped or described', async () => {
    const { start, halt, look } = await openExpress(waitFirst(1), async () => null);
    const { executionArn } = await start('one');
    const refusal = {
      name: 'InvalidArn',
      message: "Invalid Arn: 'Resource type not valid in this context: express'",
    };
    await expect(halt(executionArn)).rejects.toMatchObject(refusal);
    await expect(look(executionArn)).rejects.toMatchObject(refusal);
  });

  test.each([
    ['without a timeout', {}],
    ['with a longer timeout', { TimeoutSeconds: 720 }],
  ])('ends after five minutes: a state machine %s', async (_, timeout) => {
    const invoke = jest.fn<ReturnType<Invoke>, Parameters<Invoke>>().mockResolvedValue(null);
    const { start, ended } = await openExpress({ ...waitFirst(301), ...timeout }, invoke);
    await start('slow');
    const states: string[] = [];
    const stop = onActivity((activity) => activity.type === 'workflow' && states.push(activity.state));
    await clock.advance(299_999);
    expect(states).not.toContain('TIMED_OUT');
    await clock.advance(1);
    stop();
    expect(states).toContain('TIMED_OUT');
    await clock.advance(2_000);
    expect([invoke.mock.calls, ended]).toEqual([[], []]);
  });

  test('sends no event when it ends', async () => {
    const { start, ended } = await openExpress(taskAlone, async () => null);
    const end = nextState('SUCCEEDED');
    await start('one');
    await end;
    expect(ended).toEqual([]);
  });

  test('runs again from the beginning after a restart, for up to five minutes', async () => {
    const { promise, resolve } = Promise.withResolvers<null>();
    const first = await openExpress(twoTasks, async (called) => (called.endsWith('1') ? {} : promise));
    const entered = nextState('Second');
    await first.start('restarted', { dog: 'rex' });
    await entered;
    first.stop();
    resolve(null);
    await clock.advance(600_000);
    const calls: unknown[][] = [];
    const second = await openExpress(twoTasks, async (...call) => calls.push(call), first.file);
    const end = nextState('SUCCEEDED');
    second.resume();
    await end;
    expect(calls.map(([called]) => called)).toEqual([`${functionArn}1`, `${functionArn}2`]);
    expect(calls[0]?.[1]).toEqual({ dog: 'rex' });
  });

  test('does not run again after a restart if it has ended', async () => {
    const first = await openExpress(taskAlone, async () => null);
    const end = nextState('SUCCEEDED');
    await first.start('ended');
    await end;
    first.stop();
    const invoke = jest.fn<ReturnType<Invoke>, Parameters<Invoke>>().mockResolvedValue(null);
    const second = await openExpress(taskAlone, invoke, first.file);
    second.resume();
    await clock.advance(1_000);
    expect(invoke).not.toHaveBeenCalled();
  });
});

test.each([
  ['JSONata', { QueryLanguage: 'JSONata', StartAt: 'Do', States: { Do: task } }],
  ['a state in JSONata', { StartAt: 'Do', States: { Do: { ...task, QueryLanguage: 'JSONata' } } }],
  ['variables', { StartAt: 'Do', States: { Do: { ...task, Assign: { x: 1 } } } }],
  [
    'a wait until a timestamp',
    { StartAt: 'P', States: { P: { Type: 'Wait', Timestamp: '2026-11-21T12:00:00Z', End: true } } },
  ],
  ['a wait that exceeds the maximum delay of a timer', waitFirst(30 * 24 * 60 * 60)],
  [
    'another service',
    { StartAt: 'Do', States: { Do: { ...task, Resource: 'arn:aws:states:::sqs:sendMessage' } } },
  ],
  [
    'a synchronous invocation with the integration lambda:invoke',
    { StartAt: 'Do', States: { Do: { ...task, Resource: 'arn:aws:states:::lambda:invoke' } } },
  ],
  ['a map', { StartAt: 'M', States: { M: { Type: 'Map', ItemProcessor: taskAlone, End: true } } }],
  ['an unknown start state', { StartAt: 'Missing', States: { Do: task } }],
])('A definition with %s is refused when it is loaded', (_, definition) => {
  const file = join(directory, `${files++}.sqlite`);
  const dependencies = { invoke: async () => null, invocations: { put: () => {} }, onEnd: () => {}, clock };
  expect(() => new StepFunctionsEmulator(templateOf(definition), file, dependencies)).toThrow();
});

test('The emulator reports the states and the end of an execution with its input and output', async () => {
  const reports: Activity[] = [];
  const stop = onActivity((activity) => reports.push(activity));
  const { start, endOf } = await open(waitFirst(0), async () => ({ status: 'complete' }));
  const { executionArn } = await start('one', { dog: 'rex' });
  await clock.advance(0);
  await endOf(executionArn);
  stop();
  const workflow = { type: 'workflow', execution: 'one', input: { dog: 'rex' } };
  expect(reports).toEqual([
    { ...workflow, state: 'Pause' },
    { ...workflow, state: 'Do' },
    { ...workflow, state: 'SUCCEEDED', output: { status: 'complete' } },
  ]);
});
