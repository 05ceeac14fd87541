import { execFile } from 'node:child_process';
import { basename, resolve } from 'node:path';

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const project = resolve(import.meta.dirname, '..');

/** By the name of the file. */
let results: Record<string, Report['testResults'][number]>;

beforeAll(async () => {
  const config = {
    rootDir: project,
    roots: ['<rootDir>/test/fixtures/runner'],
    runner: '<rootDir>/test/runner/index.mjs',
    setupFiles: ['<rootDir>/test/runner/isolation.ts'],
    transform: {},
    testRegex: String.raw`\.test\.ts$`,
  };
  const jest = ['node_modules/jest/bin/jest.js', '--json', '--config', JSON.stringify(config)];
  const output = await new Promise<string>((done) => {
    execFile(process.execPath, jest, { cwd: project }, (_, stdout) => done(stdout));
  });
  const report: Report = JSON.parse(output);
  results = Object.fromEntries(report.testResults.map((one) => [basename(one.name, '.test.ts'), one]));
});

/** Returns the status of each test and hook of a file, with the first line of its error. */
function outcomesOf(file: string): string[][] {
  return (results[file]?.assertionResults ?? []).map(({ title, status, failureMessages: [message = ''] }) => [
    title,
    status,
    message.split('\n')[1]?.trim() ?? '',
  ]);
}

test('A test that waits for ever fails, even under fake timers, and so do the later tests of its file', () => {
  const late = 'Error: a block > waits for ever did not end within 0.2 seconds.';
  expect(outcomesOf('waits')).toEqual([
    ['passes', 'passed', ''],
    ['waits for ever', 'failed', late],
    ['is later', 'failed', late],
  ]);
});

test('A hook that waits for ever fails, and so do its tests', () => {
  const late = 'Error: a block > (beforeAll) did not end within 0.2 seconds.';
  expect(outcomesOf('hook-waits')).toEqual([
    ['(beforeAll)', 'failed', late],
    ['needs the hook', 'failed', late],
  ]);
});

test('After a failed beforeAll, only the tests of its block fail, with the same error', () => {
  const cause = 'Error: There is no service.';
  expect(outcomesOf('hook-fails')).toEqual([
    ['(beforeAll)', 'failed', cause],
    ['needs the hook', 'failed', cause],
    ['is in no block', 'passed', ''],
  ]);
});

test('After tests have failed for long enough, the later ones of the file fail at once', () => {
  const errors = outcomesOf('slow').map(([, , error]) => error);
  expect(errors).toHaveLength(7);
  expect(new Set(errors).size).toBeLessThan(7);
  expect(errors[6]).toBe(errors[5]);
});

test('A file can declare the names of what the runner adds to it', () => {
  expect(outcomesOf('names')).toEqual([['uses its own names', 'passed', '']]);
});

test('A test that blocks its thread makes its file fail with the name of the test', () => {
  expect(results.blocks?.message).toContain('searches for ever did not end.');
});
