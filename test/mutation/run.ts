import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { markdown } from '../../tools/table.ts';
import prepare from '../support/prepare.ts';
import {
  changedFiles,
  mutatedFiles,
  type Report,
  readScores,
  scoresOf,
  shareKilled,
  writeScores,
} from './scores.ts';

/**
 * Runs Stryker, which changes the code of the functions in one place after another, and checks that a unit test fails. Then
 * records the scores in `scores.json`. The arguments select files or folders, for example `lambdas/http/patch.ts`. With
 * `--changed`, runs only the files that have changed since their last run. Fails if the tests kill too few mutants of all files.
 */

const requiredShare = 0.9;

const folder = import.meta.dirname;
const project = resolve(folder, '../..');
const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const report = join(project, '.build/mutation-report/mutation.json');

/** Runs a module of Node with its arguments. Ends this process if it fails. */
function run(command: readonly string[], cwd: string): void {
  const { status } = spawnSync(process.execPath, command, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { changed: { type: 'boolean' } },
});
const candidates = values.changed ? changedFiles(readScores()) : mutatedFiles();
const selected = candidates.filter(
  (file) =>
    positionals.length === 0 ||
    positionals.some((path) => `${file}/`.startsWith(`${path.replace(/\/$/, '')}/`)),
);

if (selected.length > 0) {
  if (!existsSync(stryker)) run([process.env.npm_execpath ?? '', 'ci'], folder);
  await prepare();
  run([stryker, 'run', join(folder, 'stryker.config.json'), '--mutate', selected.join(',')], project);
  const scores = scoresOf(JSON.parse(readFileSync(report, 'utf8')) as Report);
  writeScores({ ...readScores(), ...scores });
  const rows = Object.entries(scores).map(([file, { mutants, killed }]) => [file, mutants, killed]);
  console.log(`\n${markdown({ title: 'Mutants', columns: ['file', 'mutants', 'killed'], rows })}`);
}
const share = shareKilled(readScores());
console.log(
  `\n${selected.length} files tested. The tests kill ${(share * 100).toFixed(1)}% of the mutants of all files.`,
);
if (share < requiredShare) {
  console.error(
    `They must kill ${requiredShare * 100}%. Add tests for the files with the most surviving mutants. To see the mutants, run npm run test:mutation -- <file>`,
  );
  process.exitCode = 1;
}
