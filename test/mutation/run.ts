import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import prepare from '../support/prepare.ts';

/**
 * Changes the functions' code, place by place, to see whether a unit test notices. What is given is Stryker's, such as
 * `--mutate lambdas/http/patch.ts`; the variable TESTS names those that judge, such as `domain/schedules/schedule` or `{http,api}/*`.
 * All of it, judged by all, takes many hours; what has been judged is kept, also where it is stopped.
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

function run(command: string, parameters: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, parameters, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
