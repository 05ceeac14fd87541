import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withRemedy } from './support/remedy.ts';

const text = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8');
const { version } = JSON.parse(text('package.json'));
const command = `Run npm version ${version} --workspaces --include-workspace-root --no-git-tag-version --allow-same-version.`;

test('The local cloud and the lock file have the version of the project', () => {
  const { version: locked, packages } = JSON.parse(text('package-lock.json'));
  const versions = [JSON.parse(text('local/package.json')).version, locked];
  for (const path of ['', 'local']) versions.push(packages[path].version);
  withRemedy(command, () => expect([...new Set(versions)]).toEqual([version]));
});

test('The latest release in CHANGELOG.md and the citation have the version of the project, and the same date', () => {
  const [, released, date] = /^## (\d+\.\d+\.\d+) – (\d{4}-\d{2}-\d{2})$/m.exec(text('CHANGELOG.md')) ?? [];
  withRemedy(`Replace "Unreleased" in CHANGELOG.md with ${version} and the date.`, () =>
    expect(released).toBe(version),
  );
  withRemedy('Correct the version and the date in CITATION.cff.', () =>
    expect(text('CITATION.cff')).toContain(`\nversion: ${version}\ndate-released: ${date}\n`),
  );
});
