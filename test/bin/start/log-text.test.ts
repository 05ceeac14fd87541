import { pathToFileURL } from 'node:url';
import { logLine } from '@rest-actions/local-cloud/parts';
import { linesOfLog, logTextOf } from '../../../bin/start/log-text.ts';

const stack = ['RangeError: too loud', '    at a.ts:1:2'];
const error = { errorType: 'RangeError', errorMessage: 'too loud', stackTrace: stack };
const trace = stack.join('\n');
const cause = { ...error, stackTrace: ['Error: why', '    at b.ts:1:2'] };

describe('The text of a log line', () => {
  test.each<[string, unknown, string]>([
    ['is a message that is a text', 'woof', 'woof'],
    ['shows an object as Node does', { a: [{ b: { c: { d: 1 } } }] }, '{ a: [ { b: { c: { d: 1 } } } ] }'],
    ['is null for null', null, 'null'],
    ['is the stack trace of an error', error, trace],
    ['has the trace of an error after other fields', { event: 'No', error }, `{ event: 'No' }\n${trace}`],
    ['has the cause of an error', { ...error, cause }, `${trace}\nCaused by: Error: why\n    at b.ts:1:2`],
    ['names an error without a stack trace', { ...error, stackTrace: [] }, 'RangeError: too loud'],
  ])('%s', (_, message, text) => {
    expect(logTextOf(JSON.stringify({ level: 'INFO', requestId: '-', message })).text).toBe(text);
  });

  test('has each value that the function passed to the console', () => {
    expect(logTextOf(logLine('WARN', ['%s:', 'Rex', { id: 1 }]))).toEqual({
      level: 'WARN',
      isError: false,
      text: 'Rex: { id: 1 }',
      isRoutine: false,
    });
  });

  test.each(['not JSON', '"JSON"', '{"a": 1}', ''])(
    'is the output %j that did not come from the console',
    (text) => {
      expect(logTextOf(text)).toEqual({ level: 'INFO', isError: false, text, isRoutine: false });
    },
  );
});

describe('A log line', () => {
  const entry = (message: unknown) => ({ requestId: '-', message });
  const refused = { ...error, errorMessage: 'Unauthorized' };

  test.each<[string, boolean, string, object]>([
    ['of the console', false, 'INFO', entry('woof')],
    ['of the console with an object', false, 'INFO', entry({ a: 1 })],
    ['with an event of the service', true, 'INFO', entry({ event: 'Barked' })],
    ['with a warning of the service', false, 'WARN', entry({ event: 'Barked' })],
    ['of a structured logger', true, 'INFO', { service: 'dogs', message: 'barked' }],
    ['with an error of a structured logger', false, 'ERROR', { service: 'dogs', message: 'failed' }],
    ['with refused credentials', true, 'ERROR', entry(refused)],
  ])('%s: routine is %j', (_, isRoutine, level, fields) => {
    expect(logTextOf(JSON.stringify({ level, ...fields })).isRoutine).toBe(isRoutine);
  });
});

describe('A stack trace in a log', () => {
  const frames = (...texts: string[]) => texts.map((text) => `    at ${text}`).join('\n');

  test('has the positions in the sources', () => {
    const text = frames('async e (/b/main.cjs:1:20)', '/b/main.cjs:1:30', 'file:///b/index.mjs:2:1');
    const lines = linesOfLog(text, (file, line, column) => `${file}|${line}|${column}`);
    expect(lines).toEqual(['    at /b/main.cjs|1|20', '    at /b/main.cjs|1|30', '    at /b/index.mjs|2|1']);
  });

  test.each([
    'my dogs',
    'dogs (1)',
    "rex's",
    '[a]',
    'a#b',
    'a%20b',
    'a?b',
    'a:1:2',
    'local/lambda',
    'hündin',
  ])('has the positions in the sources if a folder is called %s', (folder) => {
    const path = `/${folder}/main.cjs`;
    const url = pathToFileURL(path).href;
    const text = frames(
      `e (${path}:1:20)`,
      `async Promise.all (${path}:1:20)`,
      `${path}:1:20`,
      `e (${url}:1:20)`,
    );
    const lines = linesOfLog(text, (file, line, column) => `${file}|${line}|${column}`);
    expect(lines).toEqual(Array(4).fill(`    at ${path}|1|20`));
  });

  test('keeps a frame whose position is unknown', () => {
    const text = `Error: why\n${frames('e (/b/main.cjs:1:20)', 'new Promise (<anonymous>)', 'file:///%zz:1:2')}`;
    expect(linesOfLog(text, () => undefined)).toEqual(text.split('\n'));
  });

  test('has no frames of Node and of the emulator', () => {
    const text = frames(
      'run (node:async_hooks:1:2)',
      'node:timers:1:2',
      'complete (file:///p/local/lambda/worker.ts:1:2)',
      '[nodejs.internal.kHybridDispatch] (node:internal/event_target:8:2)',
    );
    expect(linesOfLog(text, () => 'a.ts')).toEqual([]);
  });
});
