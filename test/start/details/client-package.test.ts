import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { service, useService } from '../support.ts';

const project = resolve(import.meta.dirname, '../../..');
const root = mkdtempSync(join(tmpdir(), 'client-'));
const app = join(root, 'app');

useService();
afterAll(() => rmSync(root, { recursive: true }));

const npm = (cwd: string, ...parameters: string[]) =>
  execFileSync('npm', parameters, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
const node = (...parameters: string[]) =>
  execFileSync(process.execPath, parameters, { cwd: app, encoding: 'utf8' });

/** Packs a copy, because npm changes the folder while it packs. Returns the path of the tarball. */
function pack(): string {
  const copy = join(root, 'copy');
  for (const name of ['LICENSE', 'tsconfig.json', 'tools/pack.ts', 'client'])
    cpSync(join(project, name), join(copy, name), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'), 'junction');
  npm(copy, 'pack', './client', '--loglevel=error', '--pack-destination', root);
  return join(root, String(readdirSync(root).find((name) => name.endsWith('.tgz'))));
}

const program = `import { type Bark, dogServiceClient, type Problem } from 'dog-service-client';

const [baseUrl = '', username = '', password = ''] = process.argv.slice(2);
const client = dogServiceClient({ baseUrl, credentials: { username, password } });
const dog = { params: { path: { dog_id: crypto.randomUUID() } } };
await client.PUT('/v1/dogs/{dog_id}', { ...dog, body: { barkEffects: ['record'] } });
const { data, error } = await client.POST('/v1/dogs/{dog_id}/barks', dog);
const problem: Problem | undefined = error;
console.log((data as Bark).status, problem?.title);
// @ts-expect-error The effect does not exist.
const { response } = await client.PUT('/v1/dogs/{dog_id}', { ...dog, body: { barkEffects: ['fetch'] } });
console.log(response.status);
`;

test('the tarball of the client is typed, and calls the service from another project', () => {
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(app, 'app.ts'), program);
  npm(app, 'install', '--prefer-offline', '--no-audit', '--no-fund', pack());

  const { base_url: baseUrl, username, password } = service.access;
  expect(node('app.ts', baseUrl, username, password)).toBe('complete undefined\n422\n');

  const types = ['--types', 'node', '--typeRoots', join(project, 'node_modules/@types')];
  const options = ['--noEmit', '--strict', '--target', 'es2024', ...types];
  const compile = (...modules: string[]) =>
    node(join(project, 'node_modules/typescript/bin/tsc'), ...options, ...modules, 'app.ts');
  expect(compile('--module', 'nodenext')).toBe('');
  expect(compile('--module', 'preserve', '--moduleResolution', 'bundler')).toBe('');

  const installed = readdirSync(join(app, 'node_modules/dog-service-client'));
  expect(installed.sort()).toEqual([
    'LICENSE',
    'dist',
    'events.schema.json', // @extension events
    'package.json',
  ]);
});
