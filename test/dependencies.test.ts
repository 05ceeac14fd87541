import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles } from '../tools/files.ts';
import { withRemedy } from './support/remedy.ts';

const project = join(import.meta.dirname, '..');
const text = (file: string) => readFileSync(join(project, file), 'utf8');

function versionsIn(file: string): Record<string, string> {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(text(file));
  return { ...dependencies, ...devDependencies, ...optionalDependencies };
}

/** The items of the lists: the names of packages, and the reason for them. */
const items = text('docs/dependencies.md').matchAll(/^- ((?:`[^`]+[^`/]`(?:,\s+)?)+): (.+)/gm);

test.each(projectFiles().filter((file) => /(^|\/)package\.json$/.test(file)))(
  'Each version in %s is exact',
  (file) => {
    for (const [name, version] of Object.entries(versionsIn(file)))
      withRemedy(`Pin the exact version of ${name} in ${file}.`, () => {
        expect(version).toMatch(/^\d+\.\d+\.\d+$/);
      });
  },
);

test('The dependencies in package.json are exactly the packages that functions import', () => {
  const imported = globSync('lambdas/**/*.ts', { cwd: project }).flatMap((file) =>
    // Imports of types need no package in the bundle. A module can import a file of a package.
    [...text(file).matchAll(/^(?:import|export) (?!type )[^;'=]* from '((?:@[^/']+\/)?[^/'.:]+)[/']/gm)].map(
      ([, name = '']) => name,
    ),
  );
  const { dependencies } = JSON.parse(text('package.json'));
  withRemedy('In package.json, list under "dependencies" only what lambdas/ imports.', () => {
    expect([...new Set(imported)].sort()).toEqual(Object.keys(dependencies).sort());
  });
});

test('docs/dependencies.md has a reason for each dependency, and for no others', () => {
  const reasons = new Map(
    [...items].flatMap(([, names = '', reason]) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, reason] as const),
    ),
  );
  withRemedy('Give each package of package.json, and no other, a reason in docs/dependencies.md.', () => {
    const named = ['package.json', 'local/package.json'].flatMap((file) => Object.keys(versionsIn(file)));
    expect([...reasons.keys()].sort()).toEqual([...new Set(named)].sort());
  });
  for (const reason of reasons.values()) expect(reason).not.toBe('');
});

test('No dependency runs a script during installation, except those that package.json lists', () => {
  const { packages } = JSON.parse(text('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const scripts = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript && path !== '' ? [path.replace(/.*node_modules\//, '')] : [],
  );
  const { allowScripts } = JSON.parse(text('package.json'));
  withRemedy('State under "allowScripts" in package.json whether these packages may run scripts.', () => {
    expect(Object.keys(allowScripts)).toEqual(expect.arrayContaining(scripts));
  });
});
