import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { install } from '../../tools/install.ts';
import { startService } from '../../tools/service.ts';
import type { Access, Observations } from './programs/observations.ts';

/*
 * Makes dogs bark with clients that generators make from the API description, and with an OAuth 2.0 library. It requires Python and,
 * for the first run, a network.
 */

const folder = import.meta.dirname;
const programs = join(folder, 'programs');
const output = resolve(folder, '../../.build/clients');
const description = join(output, 'openapi.json');
const environment = join(output, 'python');

async function run(cwd: string, program: string, ...parameters: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, parameters, { cwd });
  return stdout;
}

function runModule(cwd: string, module: string, ...parameters: string[]): Promise<string> {
  return run(cwd, process.execPath, join(folder, 'node_modules', module), ...parameters);
}

/** Runs a Python module in the environment of the generator. */
function runPython(cwd: string, ...parameters: string[]): Promise<string> {
  const python = process.platform === 'win32' ? 'Scripts/python' : 'bin/python';
  return run(cwd, join(environment, python), ...parameters);
}

function isStale(file: string, source: string): boolean {
  return !existsSync(file) || statSync(file).mtimeMs < statSync(source).mtimeMs;
}

async function installPythonGenerator(): Promise<void> {
  const requirements = join(folder, 'requirements.txt');
  const installed = join(environment, 'requirements.txt');
  if (!isStale(installed, requirements)) return;
  const python = process.platform === 'win32' ? 'python' : 'python3';
  await run(folder, python, '-m', 'venv', '--clear', environment);
  await runPython(folder, '-m', 'pip', 'install', '--quiet', '--requirement', requirements);
  copyFileSync(requirements, installed);
}

/** A generator of clients. Its functions work in a folder of its own, and the client is in the subfolder `client`. */
interface Generator {
  readonly name: string;
  generate(work: string, baseUrl: string): Promise<unknown>;
  /** Checks the types of the client, and makes dogs bark with it. */
  observe(work: string, accessFile: string): Promise<Observations>;
}

async function observeWithTypeScript(
  work: string,
  program: string,
  accessFile: string,
): Promise<Observations> {
  for (const file of [`${program}.ts`, 'observations.ts'])
    copyFileSync(join(programs, file), join(work, file));
  const compilerOptions = {
    strict: true,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: [],
    outDir: 'compiled',
  };
  writeFileSync(
    join(work, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: [`${program}.ts`] }, null, 2),
  );
  await runModule(work, 'typescript/bin/tsc');
  const { observe } = await import(pathToFileURL(join(work, 'compiled', `${program}.js`)).href);
  const access: Access = JSON.parse(readFileSync(accessFile, 'utf8'));
  return observe(access);
}

const generators: readonly Generator[] = [
  {
    name: '@hey-api/openapi-ts',
    generate: (work) =>
      runModule(work, '@hey-api/openapi-ts/bin/run.js', '--input', description, '--output', 'client'),
    observe: (work, accessFile) => observeWithTypeScript(work, 'hey-api', accessFile),
  },
  {
    name: 'orval',
    generate: (work, baseUrl) => {
      const client = { target: 'client/index.ts', client: 'fetch', baseUrl };
      const configuration = { dogs: { input: description, output: client } };
      writeFileSync(join(work, 'orval.config.mjs'), `export default ${JSON.stringify(configuration)};\n`);
      return runModule(work, 'orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs');
    },
    observe: (work, accessFile) => observeWithTypeScript(work, 'orval', accessFile),
  },
  {
    name: 'openapi-python-client',
    generate: async (work) => {
      const parameters = ['generate', '--path', description, '--meta', 'none', '--output-path', 'client'];
      await runPython(work, '-m', 'openapi_python_client', ...parameters);
      // The generator omits an import: https://github.com/openapi-generators/openapi-python-client/issues/1451
      const module = join(work, 'client/api/tokens/issue_token.py');
      writeFileSync(module, readFileSync(module, 'utf8').replace(/ UNSET$/m, ' UNSET, Unset'));
    },
    observe: async (work, accessFile) => {
      const program = 'program.py';
      copyFileSync(join(programs, 'openapi-python-client.py'), join(work, program));
      await runPython(work, '-m', 'mypy', '--strict', 'client', program);
      return JSON.parse(await runPython(work, program, accessFile));
    },
  },
];

function check(observations: Observations): void {
  const { created, mailed, recorded, counted, accepted, performed, dog, token } = observations;
  assert.deepEqual(created, [201, 201, 201]);
  const barks = [mailed, recorded, counted, performed].map(([status, body]) => {
    const bark = body as { status?: string; timestamp?: number } | undefined;
    return [status, bark?.status, typeof bark?.timestamp];
  });
  assert.deepEqual(
    barks,
    [200, 201, 303, 303].map((status) => [status, 'complete', 'number']),
  );
  assert.equal(accepted[0], 202);
  assert.match(JSON.stringify(accepted[1]), /\/barks\/a[0-9A-Z]{26}/);
  assert.deepEqual(
    [dog, token],
    [
      [200, 2],
      [200, 'Bearer'],
    ],
  );
}

install(folder);
await installPythonGenerator();
const { bark } = await import('./programs/google-auth-library.ts');
const service = await startService();
try {
  const baseUrl = service.access.base_url.replace(/\/$/, '');
  writeFileSync(description, await (await fetch(`${baseUrl}/openapi.json`)).text());
  const accessFile = join(service.directory, 'access.json');
  const testGenerator = async ({ name, generate, observe }: Generator) => {
    const work = join(output, name.replace('/', '-'));
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
    await generate(work, baseUrl);
    check(await observe(work, accessFile));
  };
  const test = async (name: string, work: Promise<void>): Promise<boolean> => {
    try {
      await work;
      console.log(`✓ ${name}`);
      return true;
    } catch (error) {
      console.log(`✕ ${name}`);
      console.error(error);
      return false;
    }
  };
  const results = await Promise.all([
    ...generators.map((generator) => test(generator.name, testGenerator(generator))),
    test('google-auth-library', bark(JSON.parse(readFileSync(accessFile, 'utf8')))),
  ]);
  const failed = results.filter((passed) => !passed).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  await service.stop();
  rmSync(service.directory, { recursive: true });
}
