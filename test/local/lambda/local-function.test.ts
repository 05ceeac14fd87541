import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { FunctionError } from '../../../local/lambda/errors.ts';
import { type FunctionDefinition, LocalFunction } from '../../../local/lambda/local-function.ts';
import { onActivity } from '../../../local/platform/activity.ts';
import type { Clock } from '../../../local/platform/clock.ts';
import { AdjustableClock } from '../../../local/platform/clock.ts';
import { eventually } from '../../support/client.ts';

const root = mkdtempSync(join(tmpdir(), 'functions-'));
const started: LocalFunction[] = [];

afterEach(() => mock.timers.reset());
afterAll(async () => {
  await Promise.all(started.map((lambda) => lambda.stop()));
  rmSync(root, { recursive: true });
});

type Settings = Partial<Omit<FunctionDefinition, 'name' | 'arn' | 'directory'>>;

/** Returns a function whose module has the given source. */
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

/** Returns a new folder with a module. */
function bundleOf(source: string): string {
  const directory = mkdtempSync(join(root, 'bundle-'));
  writeFileSync(join(directory, 'index.cjs'), source);
  return directory;
}

/** Returns a function whose handler has the given body. */
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

/** Stops the timers of this process. `mock.timers.tick` advances them. */
const stopTimers = () => mock.timers.enable({ apis: ['setTimeout'] });

/** Returns code that waits until the file exists. */
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

function logOf({ definition }: LocalFunction): string {
  return readFileSync(definition.logFile, 'utf8');
}

type LogLine = Record<string, unknown>;

/** Waits until the log has all output of a function that evaluates code. Returns the function's own lines, and the reports. */
async function logAfter(lambda: LocalFunction): Promise<Record<'own' | 'reports', LogLine[]>> {
  // The output of the function arrives separately, in order and possibly later.
  const marker = `marker-${randomUUID()}`;
  await lambda.invoke({ code: `console.fatal('${marker}');` }, marker);
  await expectLogged(lambda, `"message":"${marker}"`);
  const lines: LogLine[] = logOf(lambda)
    .trimEnd()
    .split('\n')
    .filter((line) => !line.includes('"requestId":"marker-'))
    .map((line) => JSON.parse(line));
  const isReport = ({ type }: LogLine) => type === 'platform.report';
  return { own: lines.filter((line) => !isReport(line)), reports: lines.filter(isReport) };
}

/** Invokes the shared function, even if it fails. Returns the lines that the invocation adds to the log. */
async function logOfInvocation(code: string, requestId: string): ReturnType<typeof logAfter> {
  const before = await logAfter(evaluating);
  await evaluating.invoke({ code }, requestId).catch(() => {});
  const { own, reports } = await logAfter(evaluating);
  return { own: own.slice(before.own.length), reports: reports.slice(before.reports.length) };
}

async function expectLogged(lambda: LocalFunction, text: string): Promise<void> {
  await eventually(async () => expect(logOf(lambda)).toContain(text), { interval: 2 });
}

/** Invokes a function that creates a file when it runs. Advances the time to the function's timeout after that. */
async function invokeUntilTimeout(lambda: LocalFunction, code: string): Promise<unknown> {
  const started = join(root, randomUUID());
  const create = `require('node:fs').writeFileSync(${JSON.stringify(started)}, '');`;
  stopTimers();
  try {
    const invocation = lambda.invoke({ code: `${create} ${code}` }, 'an-id');
    while (!existsSync(started)) await turn();
    mock.timers.tick(lambda.definition.timeoutSeconds * 1_000);
    return await invocation;
  } finally {
    mock.timers.reset();
  }
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
  [
    'The heap has the memory of the function and a small young generation',
    { code: limits },
    expect.objectContaining(memory),
  ],
  ['The input consists of the event and the context, as on Lambda', complete, { event: complete, context }],
  [
    'The request ID is that of the caller',
    { code: 'return context.awsRequestId;', requestId: 'mine' },
    'mine',
  ],
  ...Object.entries({
    '{ a: [1, true, null] }': { a: [1, true, null] },
    "'woof'": 'woof',
    null: null,
    undefined: null,
    '() => 1': null,
    'new Date(0)': '1970-01-01T00:00:00.000Z',
    '{ a: undefined, b: () => 1, c: 1 }': { c: 1 },
    "{ toJSON: () => 'mine' }": 'mine',
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

describe('The result of a function', () => {
  test.each(['1n', '(() => { const a = {}; a.a = a; return a; })()'])(
    'that JSON cannot represent is an error: %s',
    async (expression) => {
      const failure = await failureOf(evaluating.invoke({ code: `return ${expression};` }));
      expect(failure.errorType).toBe('TypeError');
      expect(await evaluating.invoke({ code: "return 'well';" })).toBe('well');
    },
  );
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
    ["throw new RangeError('too loud');", 'RangeError', 'too loud'],
    ["throw Object.assign(new Error('gone'), { name: 'NotFound' });", 'NotFound', 'gone'],
    ["throw 'just text';", 'Error', 'just text'],
    ['throw undefined;', 'Error', 'undefined'],
    ["throw new Error('Unauthorized');", 'Error', 'Unauthorized'],
    ['null.bark;', 'TypeError', "Cannot read properties of null (reading 'bark')"],
  ])('with %s has the error %s: %s', async (body, errorType, message) => {
    expect(await failureOf(evaluating.invoke({ code: body }))).toEqual({ errorType, message });
  });

  const exited = { errorType: 'Runtime.ExitError', message: 'Bark: Runtime exited' };
  test.each([
    ['a timeout while it waits', timedOut, 'await new Promise(() => {});'],
    ['a timeout while it computes', timedOut, 'for (;;);'],
    ['process.exit(0)', exited, 'process.exit(0);'],
    ['process.exit(1)', exited, 'process.exit(1);'],
    [
      'an uncaught error',
      exited,
      "setTimeout(() => { throw new Error('late'); }); await new Promise(() => {});",
    ],
    ['an unhandled rejection', exited, "Promise.reject(new Error('late')); await new Promise(() => {});"],
  ])('because of %s gets a new environment', async (_, expected, code) => {
    await callsSoFar();
    const invoke = () =>
      expected === timedOut ? invokeUntilTimeout(evaluating, code) : evaluating.invoke({ code });
    expect(await failureOf(invoke())).toEqual(expected);
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
    ['needs a module that is missing', "require('not-in-it');", 'not-in-it'],
    ['exports no handler', 'exports.other = () => {};', 'index.handler is not a function'],
    ['exports a handler that is not a function', 'exports.handler = 5;', 'index.handler is not a function'],
  ])('because its module %s fails each time, and has the reason in its log', async (_, source, reason) => {
    const lambda = functionOf(source);
    for (let i = 0; i < 2; i += 1)
      expect((await failureOf(lambda.invoke({}))).errorType).toBe('Runtime.ExitError');
    await expectLogged(lambda, reason);
    await expectLogged(lambda, 'Bark cannot be loaded: ');
  });

  test('because of its memory gets a new environment, and has the reason in its log', async () => {
    const grow = 'if (event.grow) for (const all = []; ; ) all.push({ text: String(Math.random()) });';
    const lambda = handling(`${grow} return calls;`, { memoryMegabytes: 16 });
    expect((await failureOf(lambda.invoke({ grow: true }))).errorType).toBe('Runtime.ExitError');
    expect(await lambda.invoke({})).toBe(1);
    await expectLogged(lambda, 'ERR_WORKER_OUT_OF_MEMORY');
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
    let running = 0;
    const count = (message: unknown) => {
      running += 1;
      (message as { worker: Worker }).worker.once('exit', () => {
        running -= 1;
      });
    };
    subscribe('worker_threads', count);
    const lambda = handling('return calls;');
    await lambda.invoke({});
    for (let version = 1; version <= 4; version += 1) {
      lambda.update({ ...lambda.definition, environment: { VERSION: String(version) } });
      expect(await lambda.invoke({})).toBe(1);
    }
    // A thread ends a moment after its last invocation.
    await eventually(async () => expect(running).toBe(1));
    unsubscribe('worker_threads', count);
  });
});

describe('The log of a function', () => {
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
  const metrics = { durationMs: expect.any(Number), memorySizeMB: 128 };
  const reportWith = (outcome: object) => ({
    time: timestamp,
    type: 'platform.report',
    record: { requestId: 'an-id', ...outcome, metrics },
  });
  const stackTrace = expect.arrayContaining([expect.stringMatching(/^ {4}at /)]);

  const line = (level: string, message: unknown, more: object = {}) => ({ level, message, ...more });
  const failure = (errorType: string, errorMessage: string, more: object = {}) => ({
    ...{ errorType, errorMessage, stackTrace },
    ...more,
  });
  const tooLoud = "Object.assign(new RangeError('too loud'), { code: 7 })";
  const traced = expect.stringMatching(/^It failed: TypeError: why\n {4}at /);

  test.each<[string, string, object]>([
    ['a text', "console.log('woof')", line('INFO', 'woof')],
    ['an object', 'console.info({ dog: { id: 1 } })', line('INFO', { dog: { id: 1 } })],
    ['nothing', 'console.warn()', { level: 'WARN' }],
    ['null', 'console.warn(null)', line('WARN', null)],
    ['an error', `console.error(${tooLoud})`, line('ERROR', failure('RangeError', 'too loud', { code: 7 }))],
    [
      'an error in an object',
      "console.fatal({ a: new Error('why') })",
      line('FATAL', { a: failure('Error', 'why') }),
    ],
    [
      'several values',
      "console.log('%s barked %d times', 'Rex', 2, { x: 1 })",
      line('INFO', 'Rex barked 2 times { x: 1 }'),
    ],
    [
      'several values, an error among them',
      "console.error('It failed:', new TypeError('why'))",
      line('ERROR', traced, failure('TypeError', 'why')),
    ],
    [
      'a value that JSON cannot represent',
      'const dog = {}; dog.self = dog; console.log(dog)',
      line('INFO', '<ref *1> { self: [Circular *1] }'),
    ],
    ['a line break', "console.log('two\\nlines')", line('INFO', 'two\nlines')],
  ])("has lines of JSON in the format of Lambda's runtime for %s", async (_, code, expected) => {
    const { own } = await logOfInvocation(`${code};`, 'an-id');
    expect(own).toEqual([{ timestamp, requestId: 'an-id', ...expected }]);
  });

  test('omits lines below the log level', async () => {
    const code = "for (const level of ['trace', 'debug', 'info', 'warn']) console[level](level);";
    const levelsOf = async (variables: Record<string, string>) => {
      const lambda = evaluatingWith(variables);
      await lambda.invoke({ code });
      return (await logAfter(lambda)).own.map(({ level }) => level);
    };
    expect(await levelsOf({ AWS_LAMBDA_LOG_LEVEL: 'INFO' })).toEqual(['INFO', 'WARN']);
    expect(await levelsOf({ AWS_LAMBDA_LOG_LEVEL: 'DEBUG' })).toEqual(['DEBUG', 'INFO', 'WARN']);
    expect(await levelsOf({})).toEqual(['TRACE', 'DEBUG', 'INFO', 'WARN']);
  });

  test('has the request ID in each line, even for concurrent invocations', async () => {
    const lambda = functionOf(`
      console.log('loaded');
      const waiting = [];
      exports.handler = async ({ code }) => {
        if (code) return eval(code);
        await new Promise((resolve) => {
          waiting.push(resolve);
          if (waiting.length === 2) for (const go of waiting.reverse()) setTimeout(go);
        });
        console.log('ran');
      };`);
    await Promise.all(['one', 'two'].map((id) => lambda.invoke({}, id)));
    const { own } = await logAfter(lambda);
    expect(own.map(({ requestId, message }) => [message, requestId])).toEqual([
      ['loaded', '-'],
      ['ran', 'two'],
      ['ran', 'one'],
    ]);
  });

  test.each([
    ['a success', 'return 1;', { status: 'success' }],
    ['an error', "throw new RangeError('why');", { status: 'error', errorType: 'RangeError' }],
    ['an exit of the environment', 'process.exit(1);', { status: 'failure', errorType: 'Runtime.ExitError' }],
  ])('has a report of each invocation: %s', async (_, code, expected) => {
    const { own, reports } = await logOfInvocation(code, 'an-id');
    expect(reports).toEqual([reportWith(expected)]);
    if (expected.status === 'error') expect(own).toMatchObject([{ message: { errorMessage: 'why' } }]);
  });

  test('has a report of each invocation: a timeout', async () => {
    await failureOf(invokeUntilTimeout(evaluating, 'await new Promise(() => {});'));
    const { own, reports } = await logAfter(evaluating);
    expect(own.at(-1)).toMatchObject({ level: 'ERROR', message: timedOut.message });
    expect(reports.at(-1)).toEqual(reportWith({ status: 'timeout' }));
  });

  // Only Linux has this file, to which every write fails.
  (existsSync('/dev/full') ? test : test.skip)(
    'that cannot be written does not affect the response',
    async () => {
      const logged = jest.spyOn(console, 'log').mockImplementation(() => {});
      const lambda = handling("return 'ready';", { logFile: '/dev/full' });
      expect(await lambda.invoke({})).toBe('ready');
      expect(logged).toHaveBeenCalledWith(
        expect.stringMatching(/^The log of Bark cannot be written: ENOSPC/),
      );
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

describe('A function that is stopped', () => {
  test('fails its pending invocations', async () => {
    const lambda = handling("if (event.wait) await new Promise(() => {}); return 'ready';");
    await lambda.invoke({});
    const failure = failureOf(lambda.invoke({ wait: true }));
    await lambda.stop();
    expect((await failure).errorType).toBe('Runtime.ExitError');
  });
});
