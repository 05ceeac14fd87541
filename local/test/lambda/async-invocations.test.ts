import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { AsyncInvocations, type Invoke } from '../../lambda/async-invocations.ts';
import { FunctionError, TooManyRequestsException } from '../../lambda/errors.ts';
import { arn } from '../../template/arns.ts';
import { Template } from '../../template/template.ts';
import { aliasedFunction } from '../support/aliased-function.ts';
import { useTestCloud } from '../support/emulators.ts';

const cloud = useTestCloud();
const functionArn = arn('lambda', 'function:Stack-Bark');
const queueArn = arn('sqs', 'Stack-Failed');
const minute = 60_000;
const hour = 60 * minute;
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);

const onFailure = (Destination = queueArn) => ({ DestinationConfig: { OnFailure: { Destination } } });

function open(invoke: Invoke, config?: object): AsyncInvocations {
  const template = templateWith(config);
  const { deadLetterQueues } = cloud.queues(template);
  const dependencies = { invoke, deadLetterQueues, clock: cloud.clock };
  return cloud.use(new AsyncInvocations(template, cloud.file('invocations.sqlite'), dependencies));
}

function templateWith(config?: object): Template {
  const Resources = {
    ...aliasedFunction,
    Failed: { Type: 'AWS::SQS::Queue' },
    ...(config && {
      Config: {
        Type: 'AWS::Lambda::EventInvokeConfig',
        Properties: { FunctionName: { Ref: 'Bark' }, Qualifier: '$LATEST', ...config },
      },
    }),
  };
  return new Template({ Resources }, 'Stack');
}

function deadLetterMessages(): unknown[] {
  return cloud.messagesIn(queueArn).map(({ body }) => JSON.parse(body));
}

function kept(): unknown {
  const store = new DatabaseSync(cloud.file('invocations.sqlite'));
  const count = store.prepare('SELECT COUNT(*) AS count FROM invocations').get()?.count;
  store.close();
  return count;
}

const pending = () => jest.fn<ReturnType<Invoke>, Parameters<Invoke>>(() => new Promise(() => {}));
const tooOld = (approximateInvokeCount: number) => ({
  requestContext: { condition: 'EventAgeExceeded', approximateInvokeCount },
});

/** Returns a function that always fails, and the list of the times at which it is invoked, in minutes from now. */
function failing(error: Error = new FunctionError('RangeError', 'too loud')) {
  const start = cloud.clock.now();
  const calls: number[] = [];
  const invoke: Invoke = async () => {
    calls.push((cloud.clock.now() - start) / minute);
    throw error;
  };
  return { invoke, calls };
}

test('AsyncInvocations.deploy changes the number of attempts of an event, even during its delivery', async () => {
  const { invoke, calls } = failing();
  const invocations = open(async (...call) => {
    invocations.deploy(templateWith({ MaximumRetryAttempts: 0 }));
    await invoke(...call);
  });
  invocations.put(functionArn, {});
  await cloud.clock.advance(hour);
  expect(calls).toEqual([0]);
});

test('put throws an error if the template does not have the function', () => {
  const error = { name: 'ResourceNotFoundException', message: 'Function not found: arn:of:nothing' };
  expect(() => open(async () => null).put('arn:of:nothing', {})).toThrow(expect.objectContaining(error));
});

test('An event is delivered until it succeeds, and the end of each attempt is reported', async () => {
  const reports = cloud.activities();
  const invoke = jest.fn<ReturnType<Invoke>, Parameters<Invoke>>().mockResolvedValue(null);
  invoke.mockRejectedValueOnce(new FunctionError('RangeError', 'too loud'));
  open(invoke).put(functionArn, { dog: 'rex' });
  await cloud.clock.advance(hour);
  expect(invoke.mock.calls).toEqual(Array(2).fill([functionArn, { dog: 'rex' }, uuid]));
  expect(invoke.mock.calls[0]?.[2]).toBe(invoke.mock.calls[1]?.[2]);
  const invocation = { type: 'invocation', functionName: 'Bark', event: { dog: 'rex' } };
  expect(reports).toEqual([{ ...invocation, error: expect.stringContaining('too loud') }, invocation]);
});

describe('A function that fails', () => {
  test.each([
    [0, [0]],
    [1, [0, 1]],
    [undefined, [0, 1, 3]],
  ])(
    'is retried %s times if the template sets it, and else twice: %j',
    async (MaximumRetryAttempts, expected) => {
      const { invoke, calls } = failing();
      const config = MaximumRetryAttempts === undefined ? undefined : { MaximumRetryAttempts };
      open(invoke, config).put(functionArn, {});
      await cloud.clock.advance(6 * hour);
      expect(calls).toEqual(expected);
    },
  );

  test.each([
    ['live', '1', `${functionArn}:live`, functionArn],
    ['$LATEST', '$LATEST', functionArn, `${functionArn}:live`],
  ])('has only the settings of its qualifier: %s', async (Qualifier, executedVersion, configured, other) => {
    const { invoke, calls } = failing();
    const invocations = open(invoke, { Qualifier, MaximumRetryAttempts: 0, ...onFailure() });
    invocations.put(configured, {});
    await cloud.clock.advance(6 * hour);
    expect(calls).toEqual([0]);
    const requestContext = { functionArn: `${functionArn}:${Qualifier}` };
    expect(deadLetterMessages()).toMatchObject([{ requestContext, responseContext: { executedVersion } }]);
    invocations.put(other, {});
    await cloud.clock.advance(6 * hour);
    expect([calls.length, deadLetterMessages().length]).toEqual([4, 1]);
  });

  test('causes a record in the queue of the template', async () => {
    open(failing().invoke, onFailure()).put(functionArn, { dog: 'rex' });
    await cloud.clock.advance(hour);
    expect(deadLetterMessages()).toEqual([
      {
        version: '1.0',
        timestamp: '2026-11-21T12:03:00.000Z',
        requestContext: {
          requestId: uuid,
          functionArn: `${functionArn}:$LATEST`,
          condition: 'RetriesExhausted',
          approximateInvokeCount: 3,
        },
        requestPayload: { dog: 'rex' },
        responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
        responsePayload: { errorType: 'RangeError', errorMessage: 'too loud' },
      },
    ]);
  });

  test('is retried if the event is exactly as old as it may be by then, and not if it is older', async () => {
    const { invoke, calls } = failing();
    open(invoke, { MaximumEventAgeInSeconds: 60, ...onFailure() }).put(functionArn, {});
    await cloud.clock.advance(hour);
    expect(calls).toEqual([0, 1]);
    expect(deadLetterMessages()).toMatchObject([tooOld(2)]);
  });
});

describe('An event', () => {
  test('is delivered beside others that fail or take long, at most 50 at a time', async () => {
    const release: (() => void)[] = [];
    const seen: unknown[] = [];
    const invocations = open(async (_, event) => {
      seen.push(event);
      if (event === 'bad') throw new Error('not now');
      await new Promise<void>((resolve) => release.push(resolve));
    });
    for (const event of ['bad', ...Array.from({ length: 120 }, (_, i) => i)])
      invocations.put(functionArn, event);
    await turn();
    expect(seen).toHaveLength(51);
    release.shift()?.();
    await turn();
    expect(seen).toHaveLength(52);
    while (release.length > 0) {
      for (const finish of release.splice(0)) finish();
      await turn();
    }
    expect([new Set(seen).size, seen.length, kept()]).toEqual([121, 121, 1]);
  });

  test.each<[string, (release: { resolve: () => void; reject: (error: Error) => void }) => void]>([
    ['succeeds', ({ resolve }) => resolve()],
    ['fails', ({ reject }) => reject(new Error('late'))],
  ])('is still on disk if its delivery %s after the queue has been stopped', async (_, finish) => {
    const release = Promise.withResolvers<void>();
    open(() => release.promise, { MaximumRetryAttempts: 0 }).put(functionArn, {});
    await turn();
    await cloud.stop();
    finish(release);
    await cloud.clock.advance(minute);
    expect(kept()).toBe(1);
  });
});

describe('A throttled event', () => {
  test('is retried with delays that grow from 1 s to 5 min', async () => {
    const { invoke, calls } = failing(new TooManyRequestsException());
    open(invoke).put(functionArn, {});
    await cloud.clock.advance(6 * hour);
    const pauses = calls.slice(1).map((at, i) => Math.round((at - (calls[i] ?? 0)) * 60));
    expect(pauses.slice(0, 5)).toEqual([1, 1, 2, 4, 8]);
    expect(pauses.at(-1)).toBe(300);
    expect(Math.max(...pauses)).toBe(300);
  });

  test('fails only when it becomes too old', async () => {
    const { invoke } = failing(new TooManyRequestsException());
    const config = { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 3600, ...onFailure() };
    open(invoke, config).put(functionArn, {});
    await cloud.clock.advance(2 * hour);
    expect(deadLetterMessages()).toMatchObject([tooOld(0)]);
  });
});

describe('After a restart', () => {
  test('an event is retried at the same time as without the restart', async () => {
    open(failing().invoke).put(functionArn, {});
    await cloud.clock.advance(minute / 2);
    await cloud.stop();
    const { invoke, calls } = failing();
    open(invoke).resume();
    await cloud.clock.advance(minute);
    expect(calls).toEqual([0.5]);
  });

  test('an event that was being delivered is delivered again, with the same request ID', async () => {
    const invoke = pending();
    open(invoke).put(functionArn, { dog: 'rex' });
    await cloud.clock.advance(0);
    await cloud.stop();
    open(invoke).resume();
    await cloud.clock.advance(0);
    expect(invoke).toHaveBeenCalledTimes(2);
    expect(invoke.mock.calls[1]).toEqual(invoke.mock.calls[0]);
  });

  test.each([
    ['six hours', undefined, 6 * hour],
    ['the maximum age of the template', { MaximumEventAgeInSeconds: 60 }, minute],
  ])('an event that is older than %s is no longer delivered', async (_, config, age) => {
    const invoke = pending();
    const before = open(invoke, config);
    before.put(functionArn, 'old');
    await cloud.clock.advance(1);
    before.put(functionArn, 'young');
    await cloud.clock.advance(0);
    await cloud.stop();
    invoke.mockClear();
    await cloud.clock.advance(age);
    open(invoke, { ...config, ...onFailure() }).resume();
    await cloud.clock.advance(0);
    expect(invoke.mock.calls.map(([, event]) => event)).toEqual(['young']);
    expect(deadLetterMessages()).toMatchObject([{ requestPayload: 'old', ...tooOld(0) }]);
  });
});

describe('While the disk is full', () => {
  let disk: ReturnType<typeof cloud.disk>;
  beforeEach(() => {
    disk = cloud.disk();
  });

  test.each<[string, () => void, messages: number]>([
    ['processed', () => {}, 0],
    [
      'could not process',
      () => {
        throw new Error('too loud');
      },
      1,
    ],
  ])(
    'an event that its function has %s ends the process, and the next start delivers it again',
    async (_, act, messages) => {
      const invoke = jest.fn<ReturnType<Invoke>, Parameters<Invoke>>(async () => act());
      const config = { MaximumRetryAttempts: 0, ...onFailure() };
      open(invoke, config).put(functionArn, {});
      disk.isFull = true;
      await expect(cloud.clock.advance(minute)).rejects.toThrow('database or disk is full');
      expect([kept(), deadLetterMessages().length]).toEqual([1, 0]);
      await cloud.stop();
      open(invoke, config).resume();
      await cloud.clock.advance(minute);
      expect(invoke).toHaveBeenCalledTimes(2);
      expect([kept(), deadLetterMessages().length]).toEqual([0, messages]);
    },
  );

  test('a new event is refused', async () => {
    const invoke = pending();
    const invocations = open(invoke);
    disk.isFull = true;
    expect(() => invocations.put(functionArn, {})).toThrow('database or disk is full');
    disk.isFull = false;
    invocations.put(functionArn, { dog: 'rex' });
    await cloud.clock.advance(0);
    expect(invoke.mock.calls.map(([, event]) => event)).toEqual([{ dog: 'rex' }]);
  });
});

test.each([
  ['a topic on failure', onFailure(arn('sns', 'topic'))],
  ['a destination on success', { DestinationConfig: { OnSuccess: { Destination: queueArn } } }],
])('A configuration with %s is refused when it is loaded', (_, config) => {
  expect(() => open(async () => null, config)).toThrow(/^Config: the local cloud supports only queues/);
});
