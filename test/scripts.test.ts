import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import semver from 'semver';
import { projectFiles } from '../tools/files.ts';

const project = join(import.meta.dirname, '..');
const readJson = (file: string) => JSON.parse(readFileSync(join(project, file), 'utf8'));

const { engines } = readJson('package.json') as { engines: { node: string } };
const manifests = projectFiles().filter((path) => /(^|\/)package\.json$/.test(path));

/** What only a POSIX shell understands: variables, `exec`, single quotes, redirections, and all operators except `&&`. */
const posixSyntax = /(?:^|\s)\w+=|\bexec\b|['`$;<>\\*()]|(?<!&)&(?!&)|\|/;

describe('The npm scripts', () => {
  const scripts = manifests.flatMap((path) =>
    Object.entries<string>(readJson(path).scripts ?? {}).map(([name, script]) => [name, path, script]),
  );

  test.each(scripts)('%s of %s runs in the shells of Windows, macOS and Linux', (_, __, script) => {
    expect(script).not.toMatch(posixSyntax);
  });
});

describe('The Node options of .npmrc', () => {
  const [, options = ''] = /^node-options=(.*)$/m.exec(readFileSync(join(project, '.npmrc'), 'utf8')) ?? [];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: npm replaces the variable.
  const inherited = '${NODE_OPTIONS?}';

  test.each([
    ['npm replaces the variable', options.replace(inherited, '--no-deprecation')],
    ['npm before 11.6 leaves the variable', options],
  ])('let jest load ES modules without a warning if %s', (_, NODE_OPTIONS) => {
    const code = "new (require('node:vm').SourceTextModule)('')";
    const { status, stderr } = spawnSync(process.execPath, ['--eval', code], {
      env: { ...process.env, NODE_OPTIONS },
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('keep those of the environment', () => {
    expect(options).toContain(inherited);
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

test.each(['start', 'cli'])('bin/%s.mjs states what to do if a package is not installed', (program) => {
  const directory = mkdtempSync(join(tmpdir(), 'packages-'));
  for (const path of [`bin/${program}.mjs`, 'tools/node'])
    cpSync(join(project, path), join(directory, path), {
      recursive: true,
      filter: (source) => !source.endsWith('node_modules'),
    });
  mkdirSync(join(directory, 'bin', program));
  writeFileSync(join(directory, 'bin', program, 'main.ts'), "import 'commander';");
  const { status, stderr } = spawnSync(process.execPath, [join(directory, `bin/${program}.mjs`)], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, 'The packages of the project are not installed. Run npm ci.\n']);
  rmSync(directory, { recursive: true });
});

describe('npm ci installs all packages,', () => {
  test('even if NODE_ENV is production and the user omits the optional ones', () => {
    const { stdout } = spawnSync('npm', ['config', 'get', 'include', 'omit'], {
      cwd: project,
      env: { ...process.env, NODE_ENV: 'production', npm_config_omit: 'optional' },
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    expect(stdout.trim().split('\n')).toEqual(['include=dev,optional', 'omit=']);
  });

  const installed = manifests.filter((path) => existsSync(join(project, dirname(path), 'package-lock.json')));
  test.each(installed)('also the optional ones of %s', (path) => {
    const configuration = readFileSync(join(project, dirname(path), '.npmrc'), 'utf8');
    expect(configuration).toContain('\ninclude[]=optional\n');
  });
});
