import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const project = resolve(import.meta.dirname, '../..');

export const jest = 'node_modules/jest/bin/jest.js';

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Several times as long as the longest run takes. A run that exceeds it is ended, and has failed. */
const limitMs = 60 * 60_000;

/** Runs a module in the root of the project, with the tests in `details` folders. */
export function run(module: string, parameters: readonly string[], output: 'inherit' | 'pipe' = 'inherit') {
  const result = spawnSync(process.execPath, [module, ...parameters], {
    cwd: project,
    env: { ...process.env, TESTS: 'all' },
    stdio: ['ignore', output, 'inherit'],
    encoding: 'utf8',
    timeout: limitMs,
  });
  if (result.error) console.error(`${module}: ${result.error.message}`);
  return result;
}

/** The part of jest's report that the totals need. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/**
 * Runs all test files, of the service by default. A file that cannot be loaded counts as a failure, and so does a run that fails
 * without a failed test or without a report.
 */
export function runFiles(...parameters: string[]): Totals {
  const directory = mkdtempSync(join(tmpdir(), 'report-'));
  const file = join(directory, 'report.json');
  const { status } = run(jest, ['--ci', '--json', `--outputFile=${file}`, ...parameters]);
  const report: Report | undefined = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  rmSync(directory, { recursive: true });
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const skipped = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter((result) => result.status === 'pending')
      .map(({ fullName }) => `${fullName} (${name})`),
  );
  for (const name of skipped) console.log(`skipped: ${name}`);
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  return {
    passed: report.numPassedTests,
    failed: failed || Number(status !== 0),
    skipped: skipped.length,
  };
}

/** Runs a script that prints its totals on the last line. */
export function runScript(module: string): Totals {
  const { stdout } = run(module, [], 'pipe');
  process.stdout.write(stdout);
  const [, passed = 0, failed = 1, skipped = 0] =
    /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/.exec(stdout) ?? [];
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
}

/** Prints the sums on the last line, and sets the exit code. */
export function finish(results: readonly Totals[]): void {
  const totalOf = (name: keyof Totals) => results.reduce((sum, totals) => sum + totals[name], 0);
  const skipped = totalOf('skipped');
  console.log(
    `${totalOf('passed')} passed, ${totalOf('failed')} failed${skipped ? `, ${skipped} skipped` : ''}`,
  );
  process.exitCode = totalOf('failed') > 0 ? 1 : 0;
}
