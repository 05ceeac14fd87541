import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fail, readCommandLine } from '../../lib/command-line.ts';
import { type Kind, kinds } from './kinds.ts';

const usage = `npm run test:planted --prefix proof [-- [--seed <number>] … [--only <text>]]

Plants one fault of each kind into a copy of the last commit, and checks that npm test fails. First runs only those tests of
npm test that import the changed file, because most faults fail one of them.

--seed  selects the places of the faults, to repeat a run; once or several times
--only  plants only the kinds whose names contain this text`;

const project = resolve(import.meta.dirname, '../..');
const { values: options } = readCommandLine(usage, {
  seed: { type: 'string', multiple: true },
  only: { type: 'string', default: '' },
});
const seeds = options.seed?.map(Number) ?? [Math.floor(Math.random() * 2 ** 31)];
if (!seeds.every(Number.isSafeInteger)) fail('A seed must be a whole number.');
const chosen = kinds.filter(({ name }) => name.includes(options.only));
if (chosen.length === 0)
  fail(
    `The name of no kind contains "${options.only}". The kinds are: ${kinds.map(({ name }) => name).join(', ')}.`,
  );

interface Place {
  readonly file: string;
  readonly index: number;
  readonly before: string;
  readonly after: string;
}

/** A pseudorandom number from 0 (inclusive) to 1 (exclusive) that depends only on the seed and a name. */
function randomOf(seed: number, name: string): number {
  let state = seed;
  for (const character of `${name}    `)
    state = (Math.imul(state ^ character.charCodeAt(0), 0x5bd1e995) ^ (state >>> 13)) >>> 0;
  return state / 2 ** 32;
}

function placesOf(kind: Kind): Place[] {
  return globSync(kind.files, { cwd: project, exclude: ['local/test/**'] })
    .sort()
    .flatMap((file) =>
      readFileSync(join(project, file), 'utf8')
        .split('\n')
        .map((before, index) => ({ file, index, before, after: kind.plant(before) })),
    )
    .filter(({ before, after }) => before !== after && !/^\s*(?:\*|\/[/*])/.test(before));
}

/** Several times as long as all tests take. */
const limitMs = 60 * 60_000;

function npm(directory: string, ...words: string[]) {
  return spawnSync(process.execPath, [process.env.npm_execpath ?? 'npm', ...words], {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    timeout: limitMs,
  });
}

/** The folders through which jest follows the imports from a changed file to the tests. */
const roots = ['bin', 'lambdas', 'lib', 'local', 'openapi', 'test', 'tools', 'web'];

/** Selects the tests in this process's modules that import a file, directly or not. The other projects start services. */
const testsOf = (file: string) => [
  ...['--selectProjects', 'unit', 'local', 'faults', '--passWithNoTests'],
  ...roots.map((folder) => `--roots=<rootDir>/${folder}`),
  // The copy lacks the linters' packages, so their tests would fail even without a fault.
  ...['/node_modules/', '/tools/lint/'].map((pattern) => `--testPathIgnorePatterns=${pattern}`),
  ...['--findRelatedTests', file],
];

/** Runs tests in the copy until the first failure. Returns what failed, or undefined if all tests passed. */
function failureIn(copy: string, selection: readonly string[] = []): string | undefined {
  const { status, stdout, stderr } = npm(copy, 'test', '--', '--bail', '--no-color', ...selection);
  if (status === 0) return undefined;
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  const failed = lines.findIndex((line) => /^FAIL |Error: /.test(line));
  // A failed setup ends the process without a failed test.
  if (failed < 0) return `the end of the process with status ${status}`;
  return lines
    .slice(failed, failed + 30)
    .join('\n')
    .replace(/^FAIL /, '');
}

/** Plants a fault into the copy, and removes it after the tests. Returns true if a test failed. */
function isCaught(kind: Kind, seed: number): boolean {
  const places = placesOf(kind);
  const place = places[Math.floor(randomOf(seed, kind.name) * places.length)];
  if (!place) throw new Error(`There is no place for ${kind.name}.`);
  const file = join(copy, place.file);
  const original = readFileSync(file, 'utf8');
  console.log(`\n${kind.name} (one of ${places.length} places): ${place.file}:${place.index + 1}`);
  console.log(`- ${place.before.trim()}\n+ ${place.after.trim()}`);
  writeFileSync(file, original.split('\n').toSpliced(place.index, 1, place.after).join('\n'));
  const began = performance.now();
  const caught = failureIn(copy, testsOf(place.file)) ?? failureIn(copy);
  const seconds = Math.round((performance.now() - began) / 1000);
  writeFileSync(file, original);
  const outcome = caught ? `caught by ${caught.split('\n', 2).join(': ')}` : 'NOT CAUGHT';
  console.log(`${outcome} (after ${seconds} s)`);
  return caught !== undefined;
}

const copy = mkdtempSync(join(tmpdir(), 'planted-'));
const git = (...words: string[]) => spawnSync('git', words, { cwd: project, stdio: 'ignore' });
git('worktree', 'add', '--detach', copy);
console.log(`Repeat with ${seeds.map((seed) => `--seed ${seed}`).join(' ')}.`);
let missed = 0;
try {
  // Links to the packages would lead some tests out of the copy.
  if (npm(copy, 'ci').status !== 0) throw new Error('npm ci failed.');
  const failure = failureIn(copy);
  if (failure) throw new Error(`The tests fail without a fault:\n${failure}`);
  for (const seed of seeds) for (const kind of chosen) missed += Number(!isCaught(kind, seed));
} finally {
  git('worktree', 'remove', '--force', copy);
}
console.log(`\n${missed} of the faults not caught.`);
process.exitCode = missed > 0 ? 1 : 0;
