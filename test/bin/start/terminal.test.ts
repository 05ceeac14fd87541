import { PassThrough, Writable } from 'node:stream';
import { mock } from 'node:test';
import { WriteStream } from 'node:tty';
import { type Activity, type LogActivity, log, report } from '@rest-actions/local-cloud/platform';
import { type Output, Terminal } from '../../../bin/start/terminal.ts';

const request: Activity = {
  type: 'request',
  method: 'POST',
  path: '/v1/dogs/rex/barks',
  status: 201,
  durationMs: 33.6,
  requestId: 'abc=',
  functionName: 'PostBarks',
};

const stops: (() => void)[] = [];
let written: string;

beforeEach(() => {
  written = '';
  process.env.FORCE_COLOR = '0';
});

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function listen(output: Output, { isTTY = false, columns = 80, ready = true } = {}): Terminal {
  const stream = new Writable({
    write(chunk, _, done) {
      written += chunk;
      done();
    },
  });
  const { getColorDepth } = WriteStream.prototype;
  const terminal = new Terminal(output, {
    stream: Object.assign(stream, { isTTY, columns, getColorDepth }),
    logFileOf: (name) => `.local/logs/${name}.log`,
    sourcePosition: () => undefined,
  });
  stops.push(terminal.listen());
  if (ready) terminal.ready();
  return terminal;
}

function lines(): string[] {
  return written
    .replace(/^\d\d:\d\d:\d\d /gm, '')
    .trimEnd()
    .split('\n');
}

describe('The terminal of npm start', () => {
  test('prints the status, duration, method and path of a request in columns', () => {
    listen('lines');
    report(request);
    report({ ...request, method: 'OPTIONS', path: `/${'x'.repeat(100)}`, status: 204, durationMs: 12_345 });
    expect(written).toMatch(
      /^\d\d:\d\d:\d\d 201 {4}34 ms POST {4}\/v1\/dogs\/rex\/barks\n.{9}204 12345 ms OPTIONS \/x+\n$/,
    );
  });

  test('also prints the function of a request if it is verbose', () => {
    listen('verbose');
    report(request);
    report(ownRequest);
    expect(lines()).toEqual([
      expect.stringMatching(/barks PostBarks$/),
      expect.stringMatching(/barks API Gateway$/),
    ]);
  });

  const { functionName: _, ...ownRequest } = request as Activity & { type: 'request' };
  const input = { dog: 'rex' };
  const purge = { type: 'invocation', functionName: 'PurgeDog', event: {} } as const;
  const mail = { type: 'mail', messageId: '1', to: ['rex@example.com'] } as const;
  const reload = { type: 'reload', durationMs: 312.4 } as const;
  const schedule = 'arn:aws:scheduler:us-east-1:000000000000:schedule/dogs/rex.1';
  const indent = ' '.repeat(11);

  const shown = (text: string) => expect.stringContaining(text);

  test.each<[string, Activity, ...unknown[]]>([
    ['the detail of a problem', { ...request, status: 404, detail: 'No.' }, shown('404'), `${indent}→ No.`],
    [
      'where to look after a server error',
      { ...request, status: 500, detail: 'It failed.' },
      shown('500'),
      `${indent}→ It failed. Look for abc= in .local/logs/PostBarks.log.`,
    ],
    [
      'nothing to look for after an error of the gateway, which has no log',
      { ...ownRequest, status: 503 },
      shown('503'),
    ],
    [
      'a cold start',
      { type: 'coldStart', functionName: 'PostBarks', durationMs: 120.2 },
      'cold start   PostBarks in 120 ms',
    ],
    [
      'an occurrence',
      { type: 'occurrence', schedule, scheduledAt: '2030-01-01T00:00:00Z', input },
      'occurrence   rex.1 at 2030-01-01T00:00:00Z',
    ],
    ['a mail', { ...mail, subject: 'rex barked' }, 'mail         to rex@example.com: rex barked'],
    [
      'a mail from a client without its control characters',
      { ...mail, subject: 'a\u001b[2Jb\nc' },
      'mail         to rex@example.com: a\u{fffd}[2Jb\u{fffd}c',
    ],
    ['an invocation', purge, 'invocation   PurgeDog'],
    ['a failed invocation', { ...purge, error: 'no' }, 'invocation   PurgeDog failed: no'],
    [
      'a state of a workflow',
      { type: 'workflow', execution: 'a1', state: 'PerformBark', input },
      'workflow     a1 PerformBark',
    ],
    [
      'nothing for an event of the service, because another line shows its cause',
      { type: 'event', source: 'dogs', detailType: 'dogs.dog.created', detail: {} },
      '',
    ],
    [
      'the resources that a reload changed',
      { ...reload, changed: ['A', 'B'] },
      'reloaded     A, B in 312 ms',
    ],
    [
      'at most six of the changed resources',
      { ...reload, changed: [...'ABCDEFGH'] },
      'reloaded     A, B, C, D, E, F, 2 more in 312 ms',
    ],
    ['a reload without changes', { ...reload, changed: [] }, 'reloaded     no changes in 312 ms'],
  ])('prints %s', (...[, activity, ...expected]) => {
    listen('lines');
    report(activity);
    expect(lines()).toEqual(expected);
  });

  test('prints why changed code cannot run, even if it is quiet', () => {
    listen('quiet');
    report({ ...reload, changed: ['GetDog'] });
    report({ type: 'reloadError', text: 'Build failed:\nlambdas/api/dogs/get.ts:3:5: ERROR: Expected ";"' });
    expect(lines()).toEqual([
      'The changed code cannot run. The service still runs the previous code.',
      '         Build failed:',
      '         lambdas/api/dogs/get.ts:3:5: ERROR: Expected ";"',
    ]);
  });

  test('prints only messages and server errors before the service is ready, without the time', () => {
    listen('lines', { ready: false });
    report(request);
    report({ ...request, status: 404 });
    log('Synthesizing …');
    expect(written).toBe('Synthesizing …\n');
  });

  test('prints only messages and server errors if it is quiet', () => {
    listen('quiet');
    report(request);
    report({ type: 'coldStart', functionName: 'PostBarks', durationMs: 1 });
    report({ ...request, status: 503 });
    log('The queue BarkDlq has 1 message.');
    expect(lines()).toEqual([shown('503'), shown('Look for'), 'The queue BarkDlq has 1 message.']);
  });

  test.each<Output>(['lines', 'json'])('prints no control characters of others: %s', (output) => {
    listen(output);
    const evil = '\u001b[2J\u009b31m\u202e\u2028\u007f';
    report({ ...request, status: 400, path: `/${evil}`, detail: evil });
    report({ type: 'mail', messageId: 'm', to: [evil], subject: evil });
    report({
      type: 'log',
      functionName: 'PostBarks',
      text: JSON.stringify({ level: 'ERROR', message: evil }),
    });
    log(`${evil}\n${evil}`);
    expect(lines()).toHaveLength(output === 'json' ? 4 : 6);
    expect(written).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}]/u);
  });

  test('continues if its reader has ended', async () => {
    const stream = new PassThrough();
    stops.push(
      new Terminal('lines', { stream, logFileOf: String, sourcePosition: () => undefined }).listen(),
    );
    stream.destroy(new Error('EPIPE'));
    await new Promise((closed) => stream.once('close', closed));
    expect(() => log('a message')).not.toThrow();
  });

  test('prints each activity as one JSON document in a line', () => {
    const terminal = listen('json');
    terminal.print(() => 'for people', { type: 'ready' });
    report(request);
    log('a message\nof two lines');
    const documents = lines().map((line) => JSON.parse(line));
    expect(documents).toEqual([
      { time: expect.stringMatching(/^\d{4}-.*Z$/), type: 'ready' },
      { time: expect.any(String), ...request },
      { time: expect.any(String), type: 'message', text: 'a message\nof two lines' },
    ]);
  });
});

describe('The log of a function', () => {
  /** Returns a line that the function of the request has logged. */
  const logged = (level: string, message: unknown): LogActivity => ({
    type: 'log',
    functionName: 'PostBarks',
    requestId: 'abc=',
    text: JSON.stringify({ timestamp: '', level, requestId: 'an-id', message }),
  });
  const barked = expect.stringMatching(/201.*barks$/);
  const indent = ' '.repeat(11);

  afterEach(() => mock.timers.reset());

  test('is below the line of its request', () => {
    listen('lines');
    report(logged('INFO', 'one\n\ttwo'));
    report({ ...request, requestId: 'other=' });
    report(logged('WARN', 'three'));
    expect(lines()).toEqual([barked]);
    report(request);
    expect(lines()).toEqual([barked, barked, `${indent}one`, `${indent}  two`, `${indent}three`]);
  });

  test('is shown after a second if its request has no response', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    listen('lines');
    report(logged('INFO', 'one'));
    mock.timers.tick(999);
    expect(written).toBe('');
    mock.timers.tick(1);
    expect(lines()).toEqual([expect.stringMatching(/^PostBarks +one$/)]);
    report(request);
    expect(lines()).toEqual([expect.stringMatching(/^PostBarks +one$/), barked]);
  });

  test('is shown at once if no request caused the invocation', () => {
    listen('lines');
    report({ ...logged('INFO', 'one'), requestId: undefined });
    expect(lines()).toEqual([expect.stringMatching(/^PostBarks +one$/)]);
  });

  test('replaces the name of the log file if it has an error', () => {
    listen('lines');
    report(logged('ERROR', { errorType: 'Error', errorMessage: 'why', stackTrace: ['Error: why'] }));
    report({ ...request, status: 500, detail: 'The service failed.' });
    expect(lines().slice(1)).toEqual([`${indent}→ The service failed.`, `${indent}Error: why`]);
  });

  const routine = logged('INFO', { event: 'CredentialRefreshed' });

  test('has its routine lines only if the terminal is verbose', () => {
    listen('lines');
    report(routine);
    report(request);
    expect(lines()).toEqual([barked]);
    listen('verbose');
    written = '';
    report(routine);
    report(request);
    expect(written).toContain("{ event: 'CredentialRefreshed' }");
  });

  test('has only its errors if the terminal is quiet, even if the request succeeds', () => {
    listen('quiet');
    for (const level of ['INFO', 'WARN', 'ERROR', 'FATAL']) report(logged(level, level));
    report(request);
    expect(lines()).toEqual([
      expect.stringMatching(/^PostBarks +ERROR$/),
      expect.stringMatching(/^PostBarks +FATAL$/),
    ]);
  });

  test('makes equal reads have a line each', () => {
    listen('lines');
    for (let i = 0; i < 2; i += 1) {
      report(logged('INFO', 'one'));
      report({ ...request, method: 'GET', status: 200 });
    }
    expect(lines()).toHaveLength(4);
  });
});

describe('Equal reads in a row', () => {
  const read: Activity = { ...request, method: 'GET', path: '/v1/dogs/rex/', status: 304 };
  /** Returns the lines without their colors. ↑1⌫ replaces the sequences that move the cursor up by one row and clear the screen. */
  const screen = () =>
    lines().map((line) =>
      line
        .replaceAll('\u001b', '')
        .replace(/\[(\d)A\[J\d\d:\d\d:\d\d /, '↑$1⌫')
        .replace(/\[\d+m/g, ''),
    );
  const shown = '304    34 ms GET     /v1/dogs/rex/';

  test('become one line of a terminal, which counts them', () => {
    listen('lines', { isTTY: true });
    for (let i = 0; i < 3; i += 1) report(read);
    expect(screen()).toEqual([shown, `↑1⌫${shown} ×2`, `↑1⌫${shown} ×3`]);
  });

  test('replace all rows of a line that is longer than the terminal is wide', () => {
    listen('lines', { isTTY: true, columns: 20 });
    report(read);
    report(read);
    expect(screen()).toEqual([shown, `↑3⌫${shown} ×2`]);
  });

  test('become their first line and, when the run ends, a line with their number without a terminal', () => {
    listen('lines');
    for (let i = 0; i < 3; i += 1) report(read);
    expect(lines()).toEqual([shown]);
    log('a message');
    report(read);
    log('a message');
    expect(lines()).toEqual([shown, `${shown} ×3`, 'a message', shown, 'a message']);
  });

  test.each<[string, Activity[]]>([
    ['another path', [read, { ...read, path: '/v1/dogs/' }, read]],
    ['another status', [read, { ...read, status: 200 }, read]],
    ['a method that changes something', [request, request, request]],
    ['an error', Array(3).fill({ ...read, status: 404 })],
  ])('do not include requests with %s', (_, requests) => {
    listen('lines');
    for (const one of requests) report(one);
    expect(lines()).toHaveLength(3);
    expect(written).not.toContain('×');
  });

  test('have a line each if the terminal is verbose', () => {
    listen('verbose', { isTTY: true });
    report(read);
    report(read);
    expect(screen()).toEqual([`${shown} PostBarks`, `${shown} PostBarks`]);
  });

  test('end where the user has typed something', () => {
    const terminal = listen('lines', { isTTY: true });
    report(read);
    terminal.typed();
    report(read);
    expect(screen()).toEqual([shown, shown]);
  });
});

describe('The colors of the terminal', () => {
  beforeEach(() => {
    for (const name of ['NO_COLOR', 'FORCE_COLOR', 'NODE_DISABLE_COLORS', 'CI']) delete process.env[name];
    process.env.TERM = 'xterm';
  });

  test.each([
    [200, 32],
    [303, 36],
    [404, 33],
    [500, 31],
  ])('show the status %i in color %i', (status, color) => {
    listen('lines', { isTTY: true });
    report({ ...request, status });
    expect(written).toContain(`\u001b[${color}m${status}\u001b[39m`);
  });

  test('are absent if NO_COLOR is set', () => {
    process.env.NO_COLOR = '1';
    listen('lines', { isTTY: true });
    report(request);
    expect(written).not.toContain('\u001b');
  });
});
