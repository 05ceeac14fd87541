import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { removeAwsConfiguration } from '@rest-actions/local-cloud/platform';
import { fail, readCommandLine } from '../../lib/command-line.ts';
import { install } from '../../tools/install.ts';
import { markdown } from '../../tools/table.ts';
import {
  type Area,
  areas,
  isChanged,
  mutatedFiles,
  type Report,
  readScores,
  scoresOf,
  shareKilled,
  writeScores,
} from './scores.ts';

const usage = `npm run test:mutation --prefix proof [-- [--changed] [file or folder …]]

Runs Stryker, which changes the code in one place after another, and checks that a test fails. Then records the scores in
proof/mutation/scores.json. The arguments select files or folders, for example lambdas/http/patch.ts or local/ses. Without
arguments, runs all files of lambdas. Those of lib and local take an hour. Fails if the tests kill too few mutants of lambdas.

--changed  leaves out the files that have not changed since their last run`;

const requiredShare = 0.9;

const folder = import.meta.dirname;
const project = resolve(folder, '../..');
const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const report = join(project, '.build/mutation-report/mutation.json');

/** Runs a Node module with its arguments. Ends this process if it fails. */
function run(command: readonly string[], cwd: string, variables: NodeJS.ProcessEnv = {}): void {
  const env = { ...process.env, ...variables };
  const { status } = spawnSync(process.execPath, command, { cwd, env, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Tests the mutants of the selected files of an area, and records their scores. */
async function test(area: Area, files: readonly string[]): Promise<void> {
  install(folder);
  const command = [stryker, 'run', join(folder, 'stryker.config.json'), '--mutate', files.join(',')];
  const { tests, lastTests, share } = areas[area];
  run(command, project, {
    MUTATION_TESTS: tests.join(),
    MUTATION_LAST_TESTS: lastTests.join(),
    MUTATION_SHARE: String(share),
    // The samples of the faults and races must be the same for each mutant.
    FAULTS_SEED: '1',
    RACES_SEED: '1',
  });
  const scores = scoresOf(JSON.parse(readFileSync(report, 'utf8')) as Report);
  writeScores({ ...readScores(), ...scores });
  const rows = Object.entries(scores).map(([file, { mutants, killed }]) => [file, mutants, killed]);
  console.log(`\n${markdown({ title: 'Mutants', columns: ['file', 'mutants', 'killed'], rows })}`);
}

const { values, positionals } = readCommandLine(usage, { changed: { type: 'boolean' } }, true);
const paths = positionals.length > 0 ? positionals.map((path) => path.replace(/\/$/, '')) : ['lambdas'];
const isSelected = (file: string, path: string) => `${file}/`.startsWith(`${path}/`);
const all = (Object.keys(areas) as Area[]).flatMap(mutatedFiles);
const unknown = paths.filter((path) => !all.some((file) => isSelected(file, path)));
if (unknown.length > 0) fail(`No mutated file is in ${unknown.join(' or ')}.`);
const scored = readScores();
removeAwsConfiguration();
for (const area of Object.keys(areas) as Area[]) {
  const selected = mutatedFiles(area).filter(
    (file) => paths.some((path) => isSelected(file, path)) && (!values.changed || isChanged(file, scored)),
  );
  if (selected.length > 0) await test(area, selected);
}

const scores = readScores();
console.log();
for (const area of Object.keys(areas) as Area[]) {
  const files = mutatedFiles(area);
  if (!files.some((file) => scores[file])) continue;
  const current = files.filter((file) => !isChanged(file, scores));
  const share = shareKilled(scores, area);
  console.log(
    `${area}: ${current.length} of ${files.length} files tested since their last change. The tests kill ${(share * 100).toFixed(1)}% of the mutants.`,
  );
}
if (shareKilled(scores, 'lambdas') < requiredShare) {
  console.error(
    `The tests must kill ${requiredShare * 100}% of the mutants of lambdas. Add tests for the files with the most surviving mutants. To see the mutants, run npm run test:mutation --prefix proof -- <file>`,
  );
  process.exitCode = 1;
}
