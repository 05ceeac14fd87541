import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { transformSync } from 'esbuild';

const project = resolve(import.meta.dirname, '../..');
const file = join(import.meta.dirname, 'scores.json');

/**
 * The files to mutate, and the tests of which one must fail for each mutant, by the folder of the files. The last tests take long, so
 * they run only for the mutants that the others let survive. `share` is the share of the other tests' duration that those of one mutant
 * may take. The nearest tests run first, so a small share is enough for `local`, which has its tests in folders of the same names.
 */
export const areas = {
  lambdas: {
    files: 'lambdas/{api,domain,http,jobs}/**/*.ts',
    tests: [
      'test/lambdas/**/*.test.ts',
      'test/cases/*.test.ts',
      'test/faults/tables.test.ts',
      'test/openapi/document.test.ts',
    ],
    lastTests: ['test/faults/faults.test.ts', 'test/faults/races.test.ts'],
    share: 0.5,
  },
  lib: { files: 'lib/**/*.ts', tests: ['test/lib/**/*.test.ts'], lastTests: [], share: 0.5 },
  local: {
    files: 'local/{*,!(test)/**/*}.ts',
    tests: ['local/test/**/*.test.ts'],
    lastTests: [],
    share: 0.1,
  },
} as const;
export type Area = keyof typeof areas;

interface Score {
  /** The digest of the code at the time of the run. */
  readonly digest: string;
  readonly mutants: number;
  /** The mutants that made a test fail or exceed its time limit. */
  readonly killed: number;
}

/** The scores by the path of the file, relative to the project. */
export type Scores = Readonly<Record<string, Score>>;

/** The part of Stryker's report that the scores need. @see {@link https://github.com/stryker-mutator/mutation-testing-elements} */
export interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
}

export function readScores(): Scores {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Writes the scores of the files that exist, in the order of their paths. */
export function writeScores(scores: Scores): void {
  const existing = mutatedFiles().flatMap((path) => (scores[path] ? [[path, scores[path]]] : []));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(existing), undefined, 2)}\n`);
}

/** Returns the paths of the files to mutate. A file of types has no code to mutate. */
export function mutatedFiles(area?: Area): string[] {
  const patterns = area ? [areas[area].files] : Object.values(areas).map(({ files }) => files);
  return globSync(patterns, { cwd: project })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => codeOf(path) !== '')
    .sort();
}

/** Returns true if the code of a file has changed since its last run, or if the file has not been tested yet. */
export function isChanged(path: string, scores: Scores): boolean {
  return scores[path]?.digest !== digestOf(path);
}

export function scoresOf({ files }: Report): Scores {
  const scored = Object.entries(files).map(([path, { mutants }]) => {
    const counted = mutants.filter(({ status }) =>
      ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status),
    );
    const killed = counted.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
    return [path, { digest: digestOf(path), mutants: counted.length, killed }];
  });
  return Object.fromEntries(scored);
}

/** Returns the share of the mutants of an area that were killed, from 0 to 1. */
export function shareKilled(scores: Scores, area: Area): number {
  const all = Object.entries(scores).filter(([path]) => path.startsWith(`${area}/`));
  const sumOf = (name: 'mutants' | 'killed') => all.reduce((sum, [, score]) => sum + score[name], 0);
  return sumOf('killed') / sumOf('mutants');
}

function digestOf(path: string): string {
  return createHash('sha256').update(codeOf(path)).digest('hex').slice(0, 16);
}

/** Returns the code of a file, without its comments and types. */
function codeOf(path: string): string {
  return transformSync(readFileSync(join(project, path), 'utf8'), { loader: 'ts', minify: true }).code;
}
