import * as sdk from '@aws-sdk/client-sfn';
import type { BusEvent } from '../../eventbridge/event-bus.ts';
import { FunctionError, TooManyRequestsException } from '../../lambda/errors.ts';
import { onActivity } from '../../platform/activity.ts';
import { StepFunctionsEmulator } from '../../step-functions/emulator.ts';
import { arn } from '../../template/arns.ts';
import { Template } from '../../template/template.ts';
import { eventually } from '../../testing/eventually.ts';
import { type Call, conformance, type Send, type Step, sender } from '../support/conformance.ts';
import { testDurability } from '../support/durability.ts';
import { useTestCloud } from '../support/emulators.ts';

const functionArn = arn('lambda', 'function:Task');
const stateMachineArn = arn('states', 'stateMachine:Stack-Machine');
const executionArnOf = (name: string) => arn('states', `execution:Stack-Machine:${name}`);

type Definition = Record<string, unknown>;
type Invoke = (functionArn: string, input: unknown) => Promise<unknown>;

const task = { Type: 'Task', Resource: functionArn, End: true };
const taskAlone: Definition = { StartAt: 'Do', States: { Do: task } };
const waitFirst = (Seconds: number): Definition => ({
  StartAt: 'Pause',
  States: { Pause: { Type: 'Wait', Seconds, Next: 'Do' }, Do: task },
});
const twoTasks = {
  StartAt: 'First',
  States: {
    First: { Type: 'Task', Resource: `${functionArn}1`, Next: 'Second' },
    Second: { ...task, Resource: `${functionArn}2` },
  },
};

const cloud = useTestCloud();
const after = (milliseconds: number) => () => cloud.clock.advance(milliseconds);

function templateOf(definition: Definition, StateMachineType?: string): Template {
  const Properties = { DefinitionString: JSON.stringify(definition), StateMachineType };
  const Machine = { Type: 'AWS::StepFunctions::StateMachine', Properties };
  return new Template({ Resources: { Machine } }, 'Stack');
}

async function open(definition: Definition, invoke: Invoke = async () => null, type?: 'EXPRESS') {
  const [ended, queued]: [BusEvent[], unknown[][]] = [[], []];
  const emulator = cloud.use(
    new StepFunctionsEmulator(templateOf(definition, type), cloud.file('executions.sqlite'), {
      invoke,
      invocations: { put: (...event) => queued.push(event) },
      onEnd: (event) => ended.push(event),
      clock: cloud.clock,
    }),
  );
  const send = sender(await cloud.client(sdk.SFNClient, 'states', emulator.serve), sdk);
  const look = (executionArn = '') =>
    send<sdk.DescribeExecutionOutput>('DescribeExecution', { executionArn });
  const start = (name: string, input: object = {}) =>
    send<sdk.StartExecutionOutput>('StartExecution', { stateMachineArn, name, input: JSON.stringify(input) });
  const endOf = (executionArn = '') =>
    eventually(
      async () => {
        const execution = await look(executionArn);
        expect(execution.status).not.toBe('RUNNING');
        return execution;
      },
      { interval: 2 },
    );
  return {
    ended,
    queued,
    emulator,
    send,
    look,
    start,
    endOf,
    deploy: (changed: Definition) => emulator.deploy(templateOf(changed)),
    run: async (name = 'one', input: object = {}) => endOf((await start(name, input)).executionArn),
  };
}

/** Resolves with the next state that an execution enters or in which it ends. */
const nextState = (state: string) =>
  new Promise<void>((resolve) => {
    const stop = onActivity((activity) => {
      if (activity.type !== 'workflow' || activity.state !== state) return;
      stop();
      resolve();
    });
  });

test('An execution invokes the function with its input, and has the result as its output', async () => {
  const calls: unknown[][] = [];
  const { start, endOf, ended } = await open(taskAlone, async (...call) => {
    calls.push(call);
    return { done: true };
  });
  const { executionArn, startDate } = await start('one', { dog: 'rex' });
  expect(executionArn).toBe(executionArnOf('one'));
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

test('A task with the integration lambda:invoke queues an asynchronous invocation', async () => {
  const Parameters = { FunctionName: functionArn, InvocationType: 'Event', 'Payload.$': '$' };
  const Do = { ...task, Resource: 'arn:aws:states:::lambda:invoke', Parameters };
  const { run, queued } = await open({ StartAt: 'Do', States: { Do } });
  expect(await run('one', { dog: 'rex' })).toMatchObject({
    status: 'SUCCEEDED',
    output: '{"Payload":"","StatusCode":202}',
  });
  expect(queued).toEqual([[functionArn, { dog: 'rex' }]]);
});

test('After deploy, new executions have the new definition, and running ones keep that of their start', async () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  const { start, endOf, run, deploy } = await open(twoTasks, async (called) =>
    called === `${functionArn}1` ? promise : called,
  );
  const first = await start('first');
  deploy(taskAlone);
  expect((await run('second')).output).toBe(JSON.stringify(functionArn));
  resolve(null);
  expect((await endOf(first.executionArn)).output).toBe(JSON.stringify(`${functionArn}2`));
});

let opened: Awaited<ReturnType<typeof open>>;
let invocations: unknown[];
const invoked = (times: number) => () => expect(invocations).toHaveLength(times);
const started = (name: string, changes: object = {}, expected?: object): Call => [
  'StartExecution',
  { stateMachineArn, name, input: '{}', ...changes },
  expected,
];
const described = (name: string, expected: object): Call => [
  'DescribeExecution',
  { executionArn: executionArnOf(name) },
  expected,
];
const stopped = (name: string, expected?: object): Call => [
  'StopExecution',
  { executionArn: executionArnOf(name), error: 'Stopped', cause: 'by the test' },
  expected,
];
const inUse = { refused: 'ExecutionAlreadyExists' };
const noon = new Date('2026-11-21T12:00:00Z');
async function openTable(): Promise<Send> {
  invocations = [];
  opened = await open(waitFirst(1), async (...call) => invocations.push(call));
  return opened.send;
}
const ended: Step = async () =>
  expect(await opened.endOf(executionArnOf('a'))).toMatchObject({ status: 'SUCCEEDED' });

conformance('https://docs.aws.amazon.com/step-functions/latest/apireference/', openTable, {
  'The name of a running execution returns this execution if the input is the same': [
    started('a', {}, { executionArn: executionArnOf('a'), startDate: noon }),
    after(500),
    started('a', {}, { executionArn: executionArnOf('a'), startDate: noon }),
    after(500),
    ended,
    invoked(1),
  ],
  'A name is refused if it is in use with another input, or has been used before': [
    started('a', { input: '{"n":1}' }),
    started('a', { input: '{"n":2}' }, inUse),
    after(1_000),
    ended,
    started('a', { input: '{"n":1}' }, inUse),
    // The name cannot be used again after a restart either.
    async () => {
      const { start } = await reopen(waitFirst(1));
      expect(await start('a', { n: 1 })).toMatchObject(inUse);
    },
  ],
  'An invalid request is refused with the error type of the service': [
    started('a', { stateMachineArn: 'arn:other' }, { refused: 'StateMachineDoesNotExist' }),
    started('a b', {}, { refused: 'InvalidName' }),
    started('n'.repeat(81), {}, { refused: 'InvalidName' }),
    started('a', { input: '{' }, { refused: 'InvalidExecutionInput' }),
    described('none', { refused: 'ExecutionDoesNotExist' }),
    stopped('none', { refused: 'ExecutionDoesNotExist' }),
    ['ListExecutions', { stateMachineArn }, { refused: 'UnknownOperationException' }],
  ],
  'A stopped execution is ABORTED and enters no further state': [
    started('a'),
    stopped('a', { stopDate: noon }),
    described('a', { status: 'ABORTED', error: 'Stopped', cause: 'by the test', stopDate: noon }),
    after(2_000),
    stopped('a', { stopDate: noon }),
    invoked(0),
    () => expect(opened.ended).toMatchObject([{ detail: { status: 'ABORTED' } }]),
  ],
});

describe('A function that fails', () => {
  const failing = (error: Error) => () => Promise.reject(error);
  const unavailable = failing(new FunctionError('Unavailable', 'Why'));
  const cause = '{"errorMessage":"Why","errorType":"Unavailable"}';
  test.each<[error: string, Invoke, more: object]>([
    ['Unavailable', unavailable, { cause }],
    ['Lambda.TooManyRequestsException', failing(new TooManyRequestsException()), {}],
  ])('fails the execution with the name of its error: %s', async (error, invoke, more) => {
    const { run, ended } = await open(taskAlone, invoke);
    expect(await run()).toMatchObject({ status: 'FAILED', error, ...more });
    expect(ended).toMatchObject([{ detail: { status: 'FAILED', error } }]);
  });

  /* https://docs.aws.amazon.com/step-functions/latest/dg/concepts-error-handling.html */
  test.each<[what: string, retrier: object, delays: number[]]>([
    ['the defaults', {}, [1, 2, 4]],
    ['an interval and a rate', { IntervalSeconds: 3, BackoffRate: 1, MaxAttempts: 2 }, [3, 3]],
    ['a maximum delay', { IntervalSeconds: 5, MaxDelaySeconds: 8 }, [5, 8, 8]],
    ['jitter', { IntervalSeconds: 5, MaxAttempts: 1, JitterStrategy: 'FULL' }, [2.5]],
    ['no attempts', { MaxAttempts: 0 }, []],
  ])('is retried after its delays: %s', async (_, retrier, delays) => {
    const random = jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const Retry = [{ ErrorEquals: ['Other'] }, { ErrorEquals: ['NotYet'], ...retrier }];
    const attempts: number[] = [];
    const { start, endOf } = await open({ StartAt: 'Do', States: { Do: { ...task, Retry } } }, async () => {
      attempts.push(cloud.clock.now());
      throw new FunctionError('NotYet', 'Why');
    });
    const { executionArn } = await start('a');
    for (const seconds of delays) await cloud.clock.advance(seconds * 1_000);
    expect(await endOf(executionArn)).toMatchObject({ status: 'FAILED', error: 'NotYet' });
    const [, ...later] = attempts;
    expect(later.map((time, i) => (time - Number(attempts[i])) / 1_000)).toEqual(delays);
    random.mockRestore();
  });

  const error = { Error: 'Unavailable', Cause: cause };
  test.each<[what: string, catcher: object, output: object]>([
    ['all errors', { ErrorEquals: ['States.ALL'], ResultPath: '$.error' }, { dog: 'rex', error }],
    ['its error, without a path', { ErrorEquals: ['Other', 'Unavailable'] }, error],
  ])('is caught by a catcher for %s', async (_, catcher, output) => {
    const States = { Do: { ...task, Catch: [{ ...catcher, Next: 'Mend' }] }, Mend: { Type: 'Succeed' } };
    const { run } = await open({ StartAt: 'Do', States }, unavailable);
    expect(JSON.parse((await run('caught', { dog: 'rex' })).output ?? '')).toEqual(output);
  });
});

test('An execution that takes too long is TIMED_OUT', async () => {
  const definition = { ...taskAlone, TimeoutSeconds: 1 };
  const { promise, resolve } = Promise.withResolvers<null>();
  const { start, look, ended } = await open(definition, () => promise);
  const { executionArn } = await start('slow');
  await cloud.clock.advance(999);
  expect(await look(executionArn)).toMatchObject({ status: 'RUNNING' });
  await cloud.clock.advance(1);
  expect(await look(executionArn)).toMatchObject({ status: 'TIMED_OUT' });
  resolve(null);
  expect(ended).toMatchObject([{ detail: { status: 'TIMED_OUT' } }]);
});

/** Opens the emulator again on the same file, as a start of the service does. */
async function reopen(...parameters: Parameters<typeof open>) {
  await cloud.stop();
  const opened = await open(...parameters);
  opened.emulator.resume();
  return opened;
}

const returningNull = () => jest.fn<ReturnType<Invoke>, Parameters<Invoke>>().mockResolvedValue(null);

/** Stops the emulator while an execution is in the second task, and opens it again. */
async function restartInSecondTask(type?: 'EXPRESS', whileStopped: () => unknown = () => {}) {
  const { promise, resolve } = Promise.withResolvers<null>();
  const first = await open(twoTasks, async (called) => (called.endsWith('1') ? { n: 1 } : promise), type);
  const entered = nextState('Second');
  const { executionArn } = await first.start('restarted', { dog: 'rex' });
  await entered;
  await cloud.stop();
  resolve(null);
  await whileStopped();
  const calls: unknown[][] = [];
  const end = nextState('SUCCEEDED');
  const second = await reopen(twoTasks, async (...call) => calls.push(call), type);
  return { ...second, calls, end, executionArn };
}

describe('After a restart on the same file', () => {
  test('an execution continues with its current state', async () => {
    const { endOf, executionArn, calls } = await restartInSecondTask();
    expect(await endOf(executionArn)).toMatchObject({ status: 'SUCCEEDED' });
    expect(calls).toEqual([[`${functionArn}2`, { n: 1 }]]);
  });

  test('an execution waits only for the remaining time', async () => {
    const { start } = await open(waitFirst(2));
    const { executionArn, startDate } = await start('waiting');
    await cloud.clock.advance(1_200);
    const { look, endOf } = await reopen(waitFirst(2));
    await cloud.clock.advance(799);
    expect(await look(executionArn)).toMatchObject({ status: 'RUNNING' });
    await cloud.clock.advance(1);
    const { stopDate } = await endOf(executionArn);
    expect(Number(stopDate) - Number(startDate)).toBe(2_000);
  });

  test('an execution is TIMED_OUT if its timeout has passed', async () => {
    const definition = { ...waitFirst(60), TimeoutSeconds: 1 };
    const { executionArn } = await (await open(definition)).start('late');
    await cloud.stop();
    await cloud.clock.advance(1_100);
    const { look } = await reopen(definition);
    await cloud.clock.advance(0);
    expect(await look(executionArn)).toMatchObject({ status: 'TIMED_OUT' });
  });
});

testDurability(cloud, async () => {
  const { send, start, look } = await open(taskAlone, () => new Promise(() => {}));
  return {
    write: async (name) => {
      const { executionArn } = await start(name);
      return executionArn ? send('StopExecution', { executionArn }) : start(name);
    },
    has: async (name) => (await look(executionArnOf(name))).status === 'ABORTED',
  };
});

test.each([
  ['completes', async () => null],
  ['fails', () => Promise.reject(new FunctionError('Unavailable', 'Why'))],
])(
  'An execution that %s while the disk is full ends the process, and continues after the next start',
  async (_, act) => {
    const disk = cloud.disk();
    const before = await open(taskAlone, async () => {
      disk.isFull = true;
      return act();
    });
    const { executionArn } = await before.start('one');
    await expect(cloud.clock.advance(0)).rejects.toThrow('database or disk is full');
    expect([(await before.look(executionArn)).status, before.ended]).toEqual(['RUNNING', []]);
    const after = await reopen(taskAlone);
    expect((await after.endOf(executionArn)).status).toBe('SUCCEEDED');
  },
);

test('An execution that cannot store a state on a full disk does not fail', async () => {
  const disk = cloud.disk();
  const before = await open(twoTasks, async () => {
    disk.writesLeft = 0;
  });
  const { executionArn } = await before.start('one');
  await expect(cloud.clock.advance(0)).rejects.toThrow('database or disk is full');
  const calls: unknown[] = [];
  const after = await reopen(twoTasks, async (called) => calls.push(called));
  expect((await after.endOf(executionArn)).status).toBe('SUCCEEDED');
  expect(calls).toEqual([`${functionArn}1`, `${functionArn}2`]);
});

describe('An Express execution', () => {
  const openExpress = (definition: Definition, invoke?: Invoke) => open(definition, invoke, 'EXPRESS');

  test('has an ARN of its own, even if another execution has the same name and input', async () => {
    const calls: unknown[][] = [];
    const { start } = await openExpress(waitFirst(1), async (...call) => calls.push(call));
    const [first, second] = [await start('same', { n: 1 }), await start('same', { n: 1 })];
    const form = new RegExp(`^${arn('states', 'express:Stack-Machine:same')}:[0-9a-f-]{36}$`);
    for (const { executionArn } of [first, second]) expect(executionArn).toMatch(form);
    expect(first.executionArn).not.toBe(second.executionArn);
    await cloud.clock.advance(1_000);
    expect(calls).toEqual([
      [functionArn, { n: 1 }],
      [functionArn, { n: 1 }],
    ]);
  });

  test('cannot be stopped or described', async () => {
    const { start, send } = await openExpress(waitFirst(1));
    const { executionArn } = await start('one');
    for (const operation of ['StopExecution', 'DescribeExecution'])
      expect(await send(operation, { executionArn })).toMatchObject({
        refused: 'InvalidArn',
        message: "Invalid Arn: 'Resource type not valid in this context: express'",
      });
  });

  test.each([
    ['without a timeout', {}],
    ['with a longer timeout', { TimeoutSeconds: 720 }],
  ])('ends after five minutes: a state machine %s', async (_, timeout) => {
    const invoke = returningNull();
    const { start, ended } = await openExpress({ ...waitFirst(301), ...timeout }, invoke);
    await start('slow');
    const states: string[] = [];
    const stop = onActivity((activity) => activity.type === 'workflow' && states.push(activity.state));
    await cloud.clock.advance(299_999);
    expect(states).not.toContain('TIMED_OUT');
    await cloud.clock.advance(1);
    stop();
    expect(states).toContain('TIMED_OUT');
    await cloud.clock.advance(2_000);
    expect([invoke.mock.calls, ended]).toEqual([[], []]);
  });

  test('runs again from the beginning after a restart, for up to five minutes', async () => {
    const { calls, end } = await restartInSecondTask('EXPRESS', after(600_000));
    await end;
    expect(calls.map(([called]) => called)).toEqual([`${functionArn}1`, `${functionArn}2`]);
    expect(calls[0]?.[1]).toEqual({ dog: 'rex' });
  });

  test('sends no event when it ends, and does not run again after a restart', async () => {
    const first = await openExpress(taskAlone, async () => null);
    const end = nextState('SUCCEEDED');
    await first.start('ended');
    await end;
    expect(first.ended).toEqual([]);
    const invoke = returningNull();
    await reopen(taskAlone, invoke, 'EXPRESS');
    await cloud.clock.advance(1_000);
    expect(invoke).not.toHaveBeenCalled();
  });
});

const invoking = { ...task, Resource: 'arn:aws:states:::lambda:invoke' };
const doing = (state: object): Definition => ({ States: { Do: state } });

test.each<[property: string, changes: Definition]>([
  ['QueryLanguage', { QueryLanguage: 'JSONata' }],
  ['States.Do.Assign', doing({ ...task, Assign: { x: 1 } })],
  ['States.Do.Seconds', doing({ Type: 'Wait', Timestamp: '2026-11-21T12:00:00Z', End: true })],
  ['States.Do.Resource', doing(invoking)],
  ['States.Do.Resource', doing({ ...invoking, Parameters: { Payload: {} } })],
  ['States.Do.Type', doing({ Type: 'Map', ItemProcessor: taskAlone, End: true })],
  ['States.Do.Retry.0.ErrorEquals.0', doing({ ...task, Retry: [{ ErrorEquals: ['States.Timeout'] }] })],
  [
    'States.Do.Catch.0.ResultPath',
    doing({ ...task, Catch: [{ ErrorEquals: [], ResultPath: null, Next: 'a' }] }),
  ],
])('A definition with an unsupported property is refused: %s', async (property, changes) => {
  const message = `Machine: the local cloud does not support ${property}`;
  await expect(open({ ...taskAlone, ...changes })).rejects.toThrow(message);
});

test('The emulator reports the states and the end of an execution with its input and output', async () => {
  const { start, endOf } = await open(waitFirst(0), async () => ({ status: 'complete' }));
  const reports = cloud.activities();
  const { executionArn } = await start('one', { dog: 'rex' });
  await cloud.clock.advance(0);
  await endOf(executionArn);
  const workflow = { type: 'workflow', execution: 'one', input: { dog: 'rex' } };
  expect(reports).toEqual([
    { ...workflow, state: 'Pause' },
    { ...workflow, state: 'Do' },
    { ...workflow, state: 'SUCCEEDED', output: { status: 'complete' } },
  ]);
});
