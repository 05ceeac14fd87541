import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventually } from '@rest-actions/local-cloud/testing';
import type { Service } from '../../../tools/service.ts';
import { Client, dogAt, header } from '../../support/client.ts';
import { start, temporaryDirectory } from '../support.ts';

const repository = resolve(import.meta.dirname, '../../..');
const sources = ['bin', 'cdk.json', 'client', 'docs', 'lambdas', 'lib', 'openapi', 'stages'].concat([
  'web', // @extension console|docs
]);
const linked = ['node_modules', 'tools', 'package-lock.json', 'package.json', 'tsconfig.json'];

const getDog = 'lambdas/api/dogs/get.ts';
const api = 'lib/api.ts';
const dog = '/v1/dogs/rex/';

const project = temporaryDirectory();
let service: Service;
let client: Client;

beforeAll(async () => {
  const isOwn = (path: string) => !path.endsWith('node_modules');
  for (const name of sources)
    cpSync(join(repository, name), join(project, name), { recursive: true, filter: isOwn });
  for (const name of linked) symlinkSync(join(repository, name), join(project, name));
  const main = join(project, 'bin/start.mjs');
  service = await start(temporaryDirectory(), {
    settings: [],
    command: [process.execPath, main],
    environment: { CI: '' },
  });
  client = new Client(service.access);
  await client.put(dog, {});
});

/** Replaces text in a file. Waits until the service has printed a line that matches, and returns the new output. */
async function change(file: string, text: string, replacement: string, printed: RegExp): Promise<string> {
  const { length } = service.output();
  const path = join(project, file);
  const before = readFileSync(path, 'utf8');
  if (!before.includes(text)) throw new Error(`${file} does not contain ${text}.`);
  writeFileSync(path, before.replace(text, replacement));
  await eventually(async () => expect(service.output().slice(length)).toMatch(printed));
  return service.output().slice(length);
}

async function cacheControl(): Promise<string> {
  const response = await client.get(dog);
  expect(response.status).toBe(200);
  return header(response, 'Cache-Control');
}

test('a change of a function is in the next response', async () => {
  expect(await cacheControl()).toBe('private, no-cache');
  await client.post(`${dog}barks`);
  const validators = 'validatorsOf(shown.dog, body)';
  const changed = `{ 'Cache-Control': 'private, no-store', ...${validators} }`;
  await change(getDog, validators, changed, /reloaded {5}GetDog in \d+ ms/);
  expect(await cacheControl()).toBe('private, no-store');
});

test('an error in a function is printed, and the previous code still runs until it is corrected', async () => {
  const output = await change(getDog, "'private, no-store'", "'private' 'public'", /cannot run/);
  expect(output).toMatch(/lambdas\/api\/dogs\/get\.ts:\d+:\d+: ERROR: Expected/);
  expect(await cacheControl()).toBe('private, no-store');
  await change(getDog, "'private' 'public'", "'private, max-age=2'", /reloaded {5}GetDog/);
  expect(await cacheControl()).toBe('private, max-age=2');
});

test('the stack trace of a request that the previous code handles shows the position in the source', async () => {
  const gate = join(project, 'gate');
  const waits = `while (!process.getBuiltinModule('node:fs').existsSync('${gate}')) await new Promise(setImmediate); throw new Error('late');`;
  const start = 'export const handler = endpoint(async (request) => {';
  await change(getDog, start, `${start} ${waits}`, /reloaded {5}GetDog/);
  const { length } = service.output();
  const late = client.get(dog);
  await eventually(async () => expect(service.output().slice(length)).toContain('cold start   GetDog'));
  await change(getDog, `${start} ${waits}`, start, /reloaded {5}GetDog/);
  writeFileSync(gate, '');
  expect((await late).status).toBe(500);
  await eventually(async () =>
    expect(service.output().slice(length)).toMatch(
      /Error: late\n +at \S*lambdas\/api\/dogs\/get\.ts:\d+:\d+\n/,
    ),
  );
});

test('an error in the stack is printed, and the previous stack still runs', async () => {
  const route =
    "api.root.addResource('packs').addMethod('GET', new LambdaIntegration(missing.entryPoint), forUsers);";
  const output = await change(
    api,
    '    const functions =',
    `    ${route}\n    const functions =`,
    /cannot run/,
  );
  expect(output).toMatch(/missing is not defined\n.*\(lib\/api\.ts:\d+:\d+\)/);
  expect(await cacheControl()).toBe('private, max-age=2');
  expect((await client.get('/packs')).status).toBe(404);
});

test('a change of the stack adds a route', async () => {
  await change(api, 'missing.entryPoint', 'authorizer.entryPoint', /reloaded .*packs/);
  // The function is not one for a route, so API Gateway refuses its response.
  expect((await client.get('/packs')).status).toBe(502);
});

test('a new table is created', async () => {
  const cats = "new Table(this, 'Cats', { ...common, partitionKey: key('id') });";
  const dogs = '    this.dogs = new';
  await change('lib/tables.ts', dogs, `    ${cats}\n${dogs}`, /reloaded .*Cats/);
});

test('the dog and its barks are still there', async () => {
  expect(await dogAt(client, dog)).toMatchObject({ barkCount: 1 });
});
