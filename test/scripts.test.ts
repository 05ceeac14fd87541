import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';

const project = join(import.meta.dirname, '..');
const readJson = (file: string) => JSON.parse(readFileSync(join(project, file), 'utf8'));

const { engines, scripts } = readJson('package.json') as {
  engines: { node: string };
  scripts: Record<string, string>;
};

/** What only a POSIX shell understands: variables, `exec`, single quotes, redirections, and all operators except `&&`. */
const posixSyntax = /(?:^|\s)\w+=|\bexec\b|['`$;<>\\*()]|(?<!&)&(?!&)|\|/;

describe('The npm scripts', () => {
  test.each(Object.entries(scripts))('%s runs in the shells of Windows, macOS and Linux', (_, script) => {
    expect(script).not.toMatch(posixSyntax);
  });

  test.each([
    'VAR=x node bin/start.ts',
    'exec node bin/start.ts',
    "node -p '1'",
    'node bin/start.ts &',
    'node bin/start.ts; node bin/invoke.ts',
    'node bin/start.ts | cat',
    'rm $FILE',
  ])('must not be "%s"', (script) => {
    expect(script).toMatch(posixSyntax);
  });

  test('run no module before the version of Node is checked', () => {
    const withoutCheck = Object.entries(scripts).filter(
      ([, script]) => /\bnode /.test(script) && !script.startsWith('node --import ./bin/npm-script.mjs '),
    );
    expect(withoutCheck.map(([name]) => name)).toEqual(['postinstall']);
  });
});

describe('The packages', () => {
  const { packages } = readJson('package-lock.json') as {
    packages: Record<string, { engines?: { node?: string } }>;
  };

  test.each(engines.node.split(' || '))('support Node %s, so that npm ci prints no warning', (range) => {
    const oldest = semver.minVersion(range)?.version ?? '';
    const unsupported = Object.entries(packages).filter(
      ([, { engines }]) => engines?.node && !semver.satisfies(oldest, engines.node),
    );
    expect(unsupported.map(([path]) => path)).toEqual([]);
  });
});

test('npm ci installs the major version of Node whose types the project uses', () => {
  const { dependencies } = readJson('tools/node/package.json');
  const { devDependencies } = readJson('package.json');
  expect(semver.major(dependencies.node)).toBe(semver.major(devDependencies['@types/node']));
});
