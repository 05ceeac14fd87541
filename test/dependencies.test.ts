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

test.each(projectFiles().filter((file) => /(^|\/)package\.json$/.test(file)))(
  'Each version in %s is exact',
  (file) => {
    for (const [name, version] of Object.entries(versionsIn(file)))
      withRemedy(`Pin the exact version of ${name} in ${file}.`, () => {
        expect(version).toMatch(/^(?:\d+\.\d+\.\d+|file:\S+)$/);
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
