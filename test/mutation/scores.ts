import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { transformSync } from 'esbuild';

const project = resolve(import.meta.dirname, '../..');
const file = join(import.meta.dirname, 'scores.json');

/** The result of the last run for a file. */
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

/** Returns the paths of all files to mutate. */
export function mutatedFiles(): string[] {
  return globSync('lambdas/{domain,http}/**/*.ts', { cwd: project })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

/** Returns the paths of the files whose code has changed since their last run, or that have not been tested yet. */
export function changedFiles(scores: Scores): string[] {
  return mutatedFiles().filter((path) => scores[path]?.digest !== digestOf(path));
}

/** Returns the scores of the files in a report. */
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

/** Returns the share of the mutants that were killed, from 0 to 1. */
export function shareKilled(scores: Scores): number {
  const all = Object.values(scores);
  const mutants = all.reduce((sum, score) => sum + score.mutants, 0);
  return mutants === 0 ? 1 : all.reduce((sum, { killed }) => sum + killed, 0) / mutants;
}

/** Returns the digest of the code of a file, without its comments and types. */
function digestOf(path: string): string {
  const { code } = transformSync(readFileSync(join(project, path), 'utf8'), { loader: 'ts', minify: true });
  return createHash('sha256').update(code).digest('hex').slice(0, 16);
}
