import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { FunctionError } from '../../lambda/errors.ts';
import { type FunctionDefinition, LocalFunction } from '../../lambda/local-function.ts';
import { onActivity } from '../../platform/activity.ts';
import type { Clock } from '../../platform/clock.ts';
import { AdjustableClock } from '../../platform/clock.ts';
import { eventually } from '../../testing/eventually.ts';

const root = mkdtempSync(join(tmpdir(), 'functions-'));
const started: LocalFunction[] = [];

afterEach(() => mock.timers.reset());
afterAll(async () => {
  await Promise.all(started.map((lambda) => lambda.stop()));
  rmSync(root, { recursive: true });
});

type Settings = Partial<Omit<FunctionDefinition, 'name' | 'arn' | 'directory'>>;

function functionOf(source: string, settings: Settings = {}, clock?: Clock): LocalFunction {
  const directory = bundleOf(source);
  const definition = {
    name: 'Bark',
    arn: 'arn:aws:lambda:us-east-1:000000000000:function:Bark',
    directory,
    handler: 'index.handler',
    timeoutSeconds: 10,
    memoryMegabytes: 128,
    environment: {},
    logFile: join(directory, 'Bark.log'),
  };
  const lambda = new LocalFunction({ ...definition, ...settings }, clock);
  started.push(lambda);
  return lambda;
}

function bundleOf(source: string): string {
  const directory = mkdtempSync(join(root, 'bundle-'));
  writeFileSync(join(directory, 'index.cjs'), source);
  return directory;
}

function handling(body: string, settings?: Settings): LocalFunction {
  return functionOf(
    `let calls = 0; exports.handler = async (event, context) => { calls++; ${body} };`,
    settings,
  );
}

/** Returns a function that runs the code in its event. */
function evaluatingWith(environment: Record<string, string>): LocalFunction {
  return handling("return eval('(async () => {' + event.code + '})()');", { environment });
}

const environment = {
  DOGS_TABLE: 'Dogs',
  AWS_LAMBDA_LOG_GROUP_NAME: 'group',
  AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
};

/** A function that several tests share, because the start of a thread takes longer than most tests. */
const evaluating = evaluatingWith(environment);

/** Returns the number of invocations in the current environment of the shared function, this one included. */
async function callsSoFar(): Promise<number> {
  return (await evaluating.invoke({ code: 'return calls;' })) as number;
}

const stopTimers = () => mock.timers.enable({ apis: ['setTimeout'] });

const waitingFor = (file: string) =>
  `while (!require('node:fs').existsSync(${JSON.stringify(file)}))
     await new Promise((resolve) => setTimeout(resolve, 5));`;

async function failureOf(invocation: Promise<unknown>) {
  const error: FunctionError = await invocation.then(
    (result) => expect(`It returned ${JSON.stringify(result)}.`).toBe('a failure'),
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(FunctionError);
  return { errorType: error.errorType, message: error.message };
}

function logOf({ definition }: LocalFunction): Record<string, unknown>[] {
  const lines = readFileSync(definition.logFile, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** Returns the lines that an invocation of the shared function adds to its log. */
async function logDuring(invoke: () => Promise<unknown>): Promise<object[]> {
  const { length } = logOf(evaluating);
  await invoke();
  return logOf(evaluating).slice(length);
}

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
const metrics = { durationMs: expect.any(Number), memorySizeMB: 128 };
const reportWith = (outcome: object) => ({
  time: timestamp,
  type: 'platform.report',
  record: { requestId: 'an-id', ...outcome, metrics },
});

/** Invokes the shared function. When it runs, advances the time to its timeout. */
async function invokeUntilTimeout(code: string): Promise<unknown> {
  const started = join(root, randomUUID());
  const create = `require('node:fs').writeFileSync(${JSON.stringify(started)}, '');`;
  stopTimers();
  const invocation = evaluating.invoke({ code: `${create} ${code}` }, 'an-id');
  while (!existsSync(started)) await turn();
  mock.timers.tick(10_000);
  return invocation;
}

describe('The environment of a function', () => {
  test('has the variables of the template, and none of this process', async () => {
    process.env.NODE_COMPILE_CACHE ??= join(root, 'compile-cache');
    expect(process.env).toHaveProperty('PATH');
    expect(await evaluatingWith(environment).invoke({ code: 'return process.env;' })).toEqual(environment);
  });

  test('is separate from that of another function', async () => {
    await evaluating.invoke({ code: 'globalThis.x = 1;' });
    const other = handling('return [calls, typeof globalThis.x];');
    expect(await other.invoke({})).toEqual([1, 'undefined']);
  });
});

const complete = { code: 'return { event, context };', a: [1, null, 'b'] };
const context = {
  awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  functionName: 'Bark',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:Bark',
  memoryLimitInMB: '128',
  logGroupName: 'group',
  logStreamName: 'stream',
  callbackWaitsForEmptyEventLoop: true,
};
const limits = "return process.getBuiltinModule('node:worker_threads').resourceLimits;";
const memory = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 20 };

test.each<[fact: string, event: { code: string; requestId?: string }, expected: unknown]>([
  ['The heap has the memory of the function', { code: limits }, expect.objectContaining(memory)],
  ['The input consists of the event and the context, as on Lambda', complete, { event: complete, context }],
  ['The caller can choose the request ID', { code: 'return context.awsRequestId;', requestId: 'x' }, 'x'],
  ...Object.entries({
    '{ a: [1, true, null] }': { a: [1, true, null] },
    undefined: null,
    "new Map([['a', 1]])": {},
  }).map(([value, expected]): [string, { code: string }, unknown] => [
    `The result ${value} is transferred as JSON`,
    { code: `return ${value};` },
    expected,
  ]),
])('%s', async (_, event, expected) => {
  expect(await evaluating.invoke(event, event.requestId)).toEqual(expected);
});

test('The clock of a function is that of the local cloud, and does not affect the remaining time', async () => {
  const clock = new AdjustableClock(3_600_000);
  const source = `exports.handler = (_, context) => {
    const first = context.getRemainingTimeInMillis();
    while (context.getRemainingTimeInMillis() === first);
    return [Date.now(), first, context.getRemainingTimeInMillis()];
  };`;
  const lambda = functionOf(source, {}, clock);
  for (const change of [0, 7_200_000, -14_400_000]) {
    clock.advance(change);
    const [now = 0, first = 0, later = 0] = (await lambda.invoke({})) as number[];
    expect(Math.abs(now - clock.now())).toBeLessThan(60_000);
    expect(first).toBeLessThanOrEqual(10_000);
    expect(later).toBeLessThan(first);
    expect(later).toBeGreaterThan(0);
  }
});

describe('A function without invocations', () => {
  test('gets a new environment after two minutes', async () => {
    stopTimers();
    const before = await callsSoFar();
    mock.timers.tick(119_999);
    expect(await callsSoFar()).toBe(before + 1);
    mock.timers.tick(120_000);
    expect(await callsSoFar()).toBe(1);
  });

  test('does not end while an invocation is pending', async () => {
    const slow = handling(
      `if (event.slow) await new Promise((resolve) => { global.resolve = resolve; });
       else global.resolve?.();
       return calls;`,
      { timeoutSeconds: 900 },
    );
    stopTimers();
    expect(await slow.invoke({})).toBe(1);
    const pending = slow.invoke({ slow: true });
    mock.timers.tick(120_000);
    expect(await slow.invoke({})).toBe(3);
    expect(await pending).toBe(3);
  });
});

const timedOut = { errorType: 'Sandbox.Timedout', message: 'Bark: Task timed out after 10 seconds' };

describe('A function that fails', () => {
  test.each([
    ["throw new Error('no bark');", 'Error', 'no bark'],
    ["throw Object.assign(new Error('gone'), { name: 'NotFound' });", 'NotFound', 'gone'],
    ["throw 'just text';", 'Error', 'just text'],
    ['throw undefined;', 'Error', 'undefined'],
    // JSON cannot represent this result.
    ['return 1n;', 'TypeError', 'Do not know how to serialize a BigInt'],
  ])('with %s has the error %s: %s', async (body, errorType, message) => {
    expect(await failureOf(evaluating.invoke({ code: body }))).toEqual({ errorType, message });
  });

  const waits = 'await new Promise(() => {});';
  const thrown = expect.stringMatching(/^Bark has ended: Error: late\n/);
  test.each<[what: string, code: string, reason?: string]>([
    ['a timeout while it waits', waits],
    ['a timeout while it computes', 'for (;;);'],
    ['process.exit(1)', 'process.exit(1);', 'Bark has ended.'],
    ['an uncaught error', `setTimeout(() => { throw new Error('late'); }); ${waits}`, thrown],
    ['an unhandled rejection', `Promise.reject(new Error('late')); ${waits}`, thrown],
  ])('because of %s gets a new environment, and has the reason in its log', async (_, code, reason = '') => {
    await callsSoFar();
    const invoke = () => (reason ? evaluating.invoke({ code }, 'an-id') : invokeUntilTimeout(code));
    const exited = { errorType: 'Runtime.ExitError', message: 'Bark: Runtime exited' };
    const lines = await logDuring(async () =>
      expect(await failureOf(invoke())).toEqual(reason ? exited : timedOut),
    );
    expect(lines).toMatchObject([
      { level: 'ERROR', message: reason || timedOut.message },
      reportWith(reason ? { status: 'failure', errorType: exited.errorType } : { status: 'timeout' }),
    ]);
    expect(await callsSoFar()).toBe(1);
  });

  test('because of a timeout does not affect a concurrent invocation', async () => {
    const release = join(root, 'release');
    const code = `${waitingFor(release)} return calls;`;
    const before = await callsSoFar();
    stopTimers();
    const late = failureOf(evaluating.invoke({ code }));
    mock.timers.tick(5_000);
    const beside = evaluating.invoke({ code });
    mock.timers.tick(5_000);
    expect((await late).errorType).toBe('Sandbox.Timedout');
    writeFileSync(release, '');
    expect(await beside).toBe(before + 2);
    expect(await callsSoFar()).toBe(1);
  });

  test.each([
    ['throws when it is loaded', "throw new Error('cannot be loaded');", 'cannot be loaded'],
    ['is not JavaScript', 'exports.handler = ;', 'SyntaxError'],
    ['exports a handler that is not a function', 'exports.handler = 5;', 'index.handler is not a function'],
  ])('because its module %s fails each time, and has the reason in its log', async (_, source, reason) => {
    const lambda = functionOf(source);
    for (let i = 0; i < 2; i += 1)
      expect((await failureOf(lambda.invoke({}))).errorType).toBe('Runtime.ExitError');
    const message = expect.stringMatching(new RegExp(`^Bark cannot be loaded: [^]*${reason}`));
    expect(logOf(lambda)).toContainEqual(expect.objectContaining({ message }));
  });

  test('because of its memory gets a new environment, and has the reason in its log', async () => {
    const grow = 'if (event.grow) for (const all = []; ; ) all.push({ text: String(Math.random()) });';
    const lambda = handling(`${grow} return calls;`, { memoryMegabytes: 16 });
    expect((await failureOf(lambda.invoke({ grow: true }))).errorType).toBe('Runtime.ExitError');
    expect(await lambda.invoke({})).toBe(1);
    expect(JSON.stringify(logOf(lambda))).toContain('ERR_WORKER_OUT_OF_MEMORY');
  });
});

test('A function is not called before its ES module has finished its initialization', async () => {
  const lambda = functionOf("throw new Error('The ES module takes precedence.');");
  const source = `
    let isReady = false;
    await new Promise((resolve) => setTimeout(resolve, 20));
    isReady = true;
    export const handler = async () => isReady;`;
  writeFileSync(join(lambda.definition.directory, 'index.mjs'), source);
  expect(await lambda.invoke({})).toBe(true);
});

describe('LocalFunction.update', () => {
  test('runs the new code with its environment variables, and completes pending invocations with the old code', async () => {
    const release = join(root, 'release-old');
    const old = `if (event.waits) { ${waitingFor(release)} } return 'old ' + process.env.LIMIT;`;
    const lambda = handling(old, { environment: { LIMIT: '1' } });
    expect(await lambda.invoke({})).toBe('old 1');
    const pending = lambda.invoke({ waits: true });
    const directory = bundleOf("exports.handler = async () => 'new ' + process.env.LIMIT;");
    lambda.update({ ...lambda.definition, directory, environment: { LIMIT: '2' } });
    expect(await lambda.invoke({})).toBe('new 2');
    writeFileSync(release, '');
    expect(await pending).toBe('old 1');
  });

  test('ends the previous thread', async () => {
    const workers: Worker[] = [];
    const add = (message: unknown) => workers.push((message as { worker: Worker }).worker);
    subscribe('worker_threads', add);
    const lambda = handling('return calls;');
    await lambda.invoke({});
    lambda.update({ ...lambda.definition, environment: { VERSION: '2' } });
    expect(await lambda.invoke({})).toBe(1);
    unsubscribe('worker_threads', add);
    expect(workers).toHaveLength(2);
    // A thread ends a moment after its last invocation, and then has no ID.
    const running = () => workers.filter(({ threadId }) => threadId > 0);
    await eventually(async () => expect(running()).toHaveLength(1));
  });
});

describe('The log of a function', () => {
  const stackTrace = expect.arrayContaining([expect.stringMatching(/^ {4}at /)]);

  const line = (level: string, message: unknown, more: object = {}) => ({ level, message, ...more });
  const failure = (errorType: string, errorMessage: string, more: object = {}) => {
    return { errorType, errorMessage, stackTrace, ...more };
  };
  const traced = expect.stringMatching(/^It failed: TypeError: why\n {4}at /);

  test.each<[code: string, line: object]>([
    ['console.info({ dog: { id: 1 } })', line('INFO', { dog: { id: 1 } })],
    ['console.warn()', { level: 'WARN' }],
    ['console.warn(null)', line('WARN', null)],
    ["console.error(new RangeError('why'))", line('ERROR', failure('RangeError', 'why'))],
    ["console.fatal({ a: new Error('why') })", line('FATAL', { a: failure('Error', 'why') })],
    ["console.log('%s barked %d times', 'Rex', 2, { x: 1 })", line('INFO', 'Rex barked 2 times { x: 1 }')],
    ["console.error('It failed:', new TypeError('why'))", line('ERROR', traced, failure('TypeError', 'why'))],
    [
      "console.warn(Object.assign(new Error('why'), { a: 7 }))",
      line('WARN', failure('Error', 'why', { a: 7 })),
    ],
    ['const a = {}; a.self = a; console.log(a)', line('INFO', '<ref *1> { self: [Circular *1] }')],
    ["console.log('two\\nlines')", line('INFO', 'two\nlines')],
  ])("has a line of JSON in the format of Lambda's runtime for %s", async (code, expected) => {
    expect(await logDuring(() => evaluating.invoke({ code }, 'an-id'))).toEqual([
      { timestamp, requestId: 'an-id', ...expected },
      reportWith({ status: 'success' }),
    ]);
  });

  test('omits lines below the log level', async () => {
    const code = "for (const level of ['trace', 'debug', 'info', 'warn']) console[level](level);";
    const levelsOf = async (variables: Record<string, string>) => {
      const lambda = evaluatingWith(variables);
      await lambda.invoke({ code });
      return logOf(lambda).flatMap(({ level }) => level ?? []);
    };
    expect(await levelsOf({ AWS_LAMBDA_LOG_LEVEL: 'INFO' })).toEqual(['INFO', 'WARN']);
    expect(await levelsOf({})).toEqual(['TRACE', 'DEBUG', 'INFO', 'WARN']);
  });

  test('has the request ID in each line, even for concurrent invocations', async () => {
    const lambda = functionOf(`
      console.log('loaded');
      const waiting = [];
      exports.handler = async () => {
        await new Promise((resolve) => {
          waiting.push(resolve);
          if (waiting.length === 2) for (const go of waiting.reverse()) setTimeout(go);
        });
        console.log('ran');
      };`);
    await Promise.all(['one', 'two'].map((id) => lambda.invoke({}, id)));
    const own = logOf(lambda).filter(({ level }) => level);
    expect(own.map(({ requestId, message }) => [message, requestId])).toEqual([
      ['loaded', '-'],
      ['ran', 'two'],
      ['ran', 'one'],
    ]);
  });

  test('has an error and its report', async () => {
    const code = "throw new RangeError('why');";
    expect(await logDuring(() => failureOf(evaluating.invoke({ code }, 'an-id')))).toMatchObject([
      line('ERROR', failure('RangeError', 'why')),
      reportWith({ status: 'error', errorType: 'RangeError' }),
    ]);
  });

  // Only Linux has this file, to which every write fails.
  (existsSync('/dev/full') ? test : test.skip)(
    'that cannot be written does not affect the response',
    async () => {
      const logged = jest.spyOn(console, 'log').mockImplementation(() => {});
      const lambda = handling("return 'ready';", { logFile: '/dev/full' });
      expect(await lambda.invoke({})).toBe('ready');
      expect(await lambda.invoke({})).toBe('ready');
      expect(logged.mock.calls).toEqual([[expect.stringMatching(/^\/dev\/full cannot be written: ENOSPC/)]]);
      logged.mockRestore();
    },
  );
});

const crashing =
  "console.log('one'); setTimeout(() => { throw new Error('two'); }); await new Promise(() => {});";
test.each<[what: string, code: string, requestId: string | undefined, texts: string[]]>([
  ['with the ID of the request', "console.log('one'); console.error('two');", 'abc=', ['"one"', '"two"']],
  ['without an ID if API Gateway has no request', "console.log('one');", undefined, ['"one"']],
  ['even if the environment ends', crashing, 'abc=', ['"one"', 'Bark has ended: Error: two']],
])('What a function logs is reported before its invocation ends, %s', async (_, code, requestId, texts) => {
  const logs: object[] = [];
  const stop = onActivity((activity) => activity.type === 'log' && logs.push(activity));
  const event = { code, ...(requestId && { requestContext: { extendedRequestId: requestId } }) };
  await evaluating.invoke(event).catch(() => {});
  stop();
  const activity = { type: 'log', functionName: 'Bark', requestId };
  expect(logs).toEqual(texts.map((text) => ({ ...activity, text: expect.stringContaining(text) })));
});

test('A function that is stopped fails its pending invocations', async () => {
  const lambda = handling("if (event.wait) await new Promise(() => {}); return 'ready';");
  await lambda.invoke({});
  const failure = failureOf(lambda.invoke({ wait: true }));
  await lambda.stop();
  expect((await failure).errorType).toBe('Runtime.ExitError');
});
