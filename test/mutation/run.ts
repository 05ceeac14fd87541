import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import prepare from '../support/prepare.ts';

/**
 * Runs Stryker, which changes the code of the functions in one place after another, and checks that a unit test fails. The
 * arguments are passed to Stryker, for example `--mutate lambdas/http/patch.ts`. The variable TESTS selects the tests, for
 * example `domain/schedules/schedule` or `{http,api}/*`. A run of all tests on all code takes many hours. Stryker keeps its
 * results, even if the run is stopped.
 */

const folder = import.meta.dirname;
const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');

if (!existsSync(stryker)) run('npm', ['ci'], folder);
await prepare();
run(
  process.execPath,
  [stryker, 'run', join(folder, 'stryker.config.json'), ...process.argv.slice(2)],
  resolve(folder, '../..'),
);

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
