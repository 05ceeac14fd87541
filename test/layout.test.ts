import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { projectFiles } from '../tools/files.ts';
import { withRemedy } from './support/remedy.ts';

const project = resolve(import.meta.dirname, '..');

/** Returns the paths of the TypeScript files below a folder, relative to the root of the project. */
function filesOf(folder: string): string[] {
  const names = readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .sort();
}

/** The files that read and write items. */
const items = [
  'lambdas/domain/access/grants.ts',
  'lambdas/domain/access/items.ts',
  'lambdas/domain/barks/async-bark.ts',
  'lambdas/domain/barks/barks-table.ts',
  'lambdas/domain/barks/history-entry.ts',
  'lambdas/domain/barks/idempotency-record.ts',
  'lambdas/domain/dogs/change.ts',
  'lambdas/domain/platform/commit.ts',
  'lambdas/domain/dogs/delete.ts',
  'lambdas/domain/limits/usage.ts',
  'lambdas/domain/removal/orphans.ts',
  'lambdas/domain/removal/purge.ts',
  'lambdas/domain/schedules/applied-change.ts',
  'lambdas/domain/suspensions/subscription.ts',
  'lambdas/domain/tokens/published-keys.ts',
];

/** Returns the lines that match a pattern in the code of the functions. Skips items and keys. */
function linesOutsideItems(pattern: RegExp): string[] {
  return filesOf('lambdas')
    .filter((file) => basename(file) !== 'keys.ts' && !items.includes(file))
    .flatMap((file) => {
      const lines = readFileSync(join(project, file), 'utf8').split('\n');
      return lines.filter((line) => pattern.test(line)).map((line) => `${file}: ${line.trim()}`);
    });
}

/** Returns what `schedule`, `schedules`, `scheduler` and `scheduling` have in common. */
function stemOf(name: string): string {
  return name.replace(/(?:ings?|ers?|ed|es|s|e)$/, '');
}

/** Returns the groups of files in one folder whose names have the same stem. */
function similarNames(files: readonly string[]): string[][] {
  const groups = Map.groupBy(files, (file) => join(dirname(file), stemOf(basename(file, '.ts'))));
  return [...groups.values()].filter((group) => group.length > 1);
}

describe('the functions', () => {
  const move =
    'Move the expressions to the file of their item, or add a new file of an item to the list in test/layout.test.ts.';

  test('have DynamoDB expressions only in the files of items', () => {
    withRemedy(move, () => {
      expect(linesOutsideItems(/\b(?:Update|Condition|Filter)Expression\b/)).toEqual([]);
    });
  });

  test('have sort key prefixes only in keys', () => {
    withRemedy('Take these prefixes from the keys.ts of their folder.', () => {
      expect(linesOutsideItems(/['"`][a-z]#/)).toEqual([]);
    });
  });
});

describe('the files of a folder', () => {
  test.each(['lambdas', 'lib', 'local', 'bin'].filter((folder) => existsSync(join(project, folder))))(
    'of %s have names that differ in more than their endings',
    (folder) => {
      withRemedy('Rename one file of each group by what only it contains.', () => {
        expect(similarNames(filesOf(folder))).toEqual([]);
      });
    },
  );
});

test('the local cloud is imported only by its name, as if it were installed', () => {
  const sources = projectFiles().filter(
    (path) => /\.(tsx?|[cm]?js)$/.test(path) && !path.startsWith('local/'),
  );
  withRemedy('Export what these files need from an entry point of local/package.json.', () => {
    expect(
      sources.filter((path) => /'(\.\.?\/)+local\//.test(readFileSync(join(project, path), 'utf8'))),
    ).toEqual([]);
  });
});

test('the project has no type expressions with import(…), which the check of the imports does not detect', () => {
  const sources = projectFiles().filter((path) => /\/.*\.tsx?$/.test(path));
  expect(sources.length).toBeGreaterThan(400);
  const found = sources.filter((path) =>
    /(?:typeof |[:<|&] ?)import\(/.test(readFileSync(join(project, path), 'utf8')),
  );
  expect(found).toEqual([]);
});
