import './support/settings-of-each-kind.ts';

import { isDeepStrictEqual } from 'node:util';
import { flagOf } from '../bin/cli/flag.ts';
import { type Dog, type DogRequest, dogServiceClient, type ListedDog } from '../client/index.ts';
import {
  mapSettings,
  type SettingName,
  settingNames,
  settingOf,
  settingTexts,
} from '../lambdas/contract/dog-settings.ts';
import { readDog } from '../lambdas/domain/dogs/read.ts';
import { openApiDocument } from '../openapi/document.ts';
import { dogs } from '../openapi/examples.ts';
import { driver } from './cases/in-process.ts';
import { runInProcess } from './support/command-line.ts';
import { newContext } from './support/context.ts';
import { newDogId } from './support/dogs.ts';
import { withRemedy } from './support/remedy.ts';
import { otherValue } from './support/setting-values.ts';

// The settings in the types of the client. If one is missing, this file does not compile: run `npm run openapi`.
type ClientSettings = Required<Pick<DogRequest, SettingName>>;
type ShownSettings = Pick<Dog, SettingName> | Pick<ListedDog, SettingName>;

const { base_url: baseUrl, username } = driver.access;

/** Replaces the network, the gateway and the authorizer. */
async function respond(request: Request): Promise<Response> {
  const { method, url, headers } = request;
  return driver.send(url, { method, headers: [...headers], body: await request.text() });
}

const client = dogServiceClient({ baseUrl, fetch: respond });

const commands = 'bin/cli/commands/dogs.ts';

const pathOf = (id: string) => ({ params: { path: { dog_id: id } } });

/** Runs a command, which fails unless another exit code is expected. @returns what it prints */
async function printedBy(args: readonly string[], exitCode = 0): Promise<string> {
  const { code, stdout, stderr } = await runInProcess([...args, '--url', baseUrl]);
  withRemedy(`See ${commands}, and for the kinds of settings bin/cli/setting-values.ts.`, () =>
    expect({ args, code, stderr }).toEqual({
      args,
      code: exitCode,
      stderr: exitCode === 0 ? '' : expect.any(String),
    }),
  );
  return stdout + stderr;
}

async function cli(...args: string[]): Promise<object> {
  return JSON.parse(await printedBy([...args, '--json']));
}

/** The settings of a dog for which the client sets none. */
let defaults: Partial<ClientSettings>;

/** A value for each setting that is not its default. */
let values: ClientSettings;

function optionOf(name: SettingName, value: unknown = values[name]): string {
  return `${flagOf(name)}=${value}`;
}

/** @param place where to add a setting that the document lacks */
function expectAll(shown: ShownSettings | object | undefined, place: string): void {
  const document = shown as Readonly<Partial<Record<SettingName, unknown>>> | undefined;
  const lost = settingNames.filter((name) => !isDeepStrictEqual(document?.[name], values[name]));
  expect(lost.map((name) => `${name} is lost. See ${place}.`)).toEqual([]);
}

beforeEach(() => {
  jest.spyOn(globalThis, 'fetch').mockImplementation((input) => respond(input as Request));
});

beforeAll(async () => {
  Object.assign(process.env, { DOGS_USER: username, DOGS_PASSWORD: 'correct horse' });
  const { data } = await client.PUT('/v1/dogs/{dog_id}', { ...pathOf('plain'), body: {} });
  defaults = data as Partial<ClientSettings>;
  values = mapSettings((name) => otherValue(name, defaults[name])) as ClientSettings;
});

async function newDog(): Promise<string> {
  const id = newDogId();
  const { response } = await client.PUT('/v1/dogs/{dog_id}', { ...pathOf(id), body: values });
  expect(response.status).toBe(201);
  return id;
}

describe('Each setting of a dog', () => {
  test('has an example in lambdas/contract/dog-settings.ts that is not its default', () => {
    expect(settingNames.filter((name) => isDeepStrictEqual(values[name], defaults[name]))).toEqual([]);
  });

  test('is stored by PUT, and is in its response', async () => {
    const id = newDogId();
    const { data } = await client.PUT('/v1/dogs/{dog_id}', { ...pathOf(id), body: values });
    expectAll((await readDog(id, newContext())).settings, 'dogPutDocument in lambdas/domain/dogs/schema.ts');
    expectAll(data, 'dogFields in lambdas/http/representations.ts');
  });

  test('is replaced by PUT, and is in the responses to GET of the dog and of the list', async () => {
    const { response } = await client.PUT('/v1/dogs/{dog_id}', { ...pathOf('plain'), body: values });
    expect(response.status).toBe(204);
    const { settings } = await readDog('plain', newContext());
    expectAll(settings, 'settingsPart in lambdas/domain/dogs/change.ts');
    const { data } = await client.GET('/v1/dogs/{dog_id}', pathOf('plain'));
    expectAll(data, 'dogDocument in lambdas/http/representations.ts');
    const list = await client.GET('/v1/dogs');
    const listed = list.data?.dogs.find(({ id }) => id === 'plain');
    expectAll(listed, 'dogFields in lambdas/http/representations.ts');
  });

  test('is accepted if a client sends back the dog that it has read', async () => {
    const id = await newDog();
    const { data } = await client.GET('/v1/dogs/{dog_id}', pathOf(id));
    const { response } = await client.PUT('/v1/dogs/{dog_id}', { ...pathOf(id), body: data as DogRequest });
    expect(response.status).toBe(204);
    expect((await readDog(id, newContext())).version).toBe(1);
  });

  test('is in the schemas and the examples of the API description', () => {
    const { schemas = {} } = openApiDocument().components ?? {};
    for (const name of ['DogRequest', 'Dog', 'ListedDog'])
      expect(schemas[name]?.properties).toEqual(
        expect.objectContaining(mapSettings(() => expect.anything())),
      );
    for (const example of [dogs.listed, dogs.created, dogs.scheduled])
      expect(example).toMatchObject(mapSettings((name) => settingTexts[name].example));
  });
});

describe('Each setting of a dog, in the CLI,', () => {
  test('is shown by get and list', async () => {
    const dog = await newDog();
    expectAll(await cli('get', dog), `getDog in ${commands}`);
    const listed = ((await cli('list')) as { id: string }[]).find(({ id }) => id === dog);
    expectAll(listed, `listDogs in ${commands}`);
  });

  test('is shown as text, unless the dog lacks it', async () => {
    const lineOf = (name: SettingName, value: unknown) => `${name}: ${value}`;
    const linesFor = async (id: string) => {
      const lines = (await printedBy(['get', id])).split('\n').map((line) => line.replace(/ +/, ' '));
      return lines.filter((line) => (settingNames as readonly string[]).includes(line.split(':')[0] ?? ''));
    };
    const id = newDogId();
    await cli('create', id);
    const always = settingNames.filter((name) => name in defaults);
    const [all, few] = [await linesFor(await newDog()), await linesFor(id)];
    withRemedy('See asText in bin/cli/output.ts.', () => {
      expect(all.sort()).toEqual(settingNames.map((name) => lineOf(name, values[name])).sort());
      expect(few.sort()).toEqual(always.map((name) => lineOf(name, defaults[name])).sort());
    });
  });

  test.each(['create', 'replace', 'update'])('is set by %s', async (command) => {
    const id = newDogId();
    if (command !== 'create') await cli('create', id);
    await cli(command, id, ...settingNames.map((name) => optionOf(name)));
    expectAll((await readDog(id, newContext())).settings, commands);
  });

  test('is changed by update alone, and kept by the updates of the others', async () => {
    const id = newDogId();
    await cli('create', id);
    const expected: Record<string, unknown> = { ...(await readDog(id, newContext())).settings };
    const expectChanged = async (name: SettingName, text: unknown, value: unknown) => {
      await cli('update', id, optionOf(name, text));
      if (value === undefined) delete expected[name];
      else expected[name] = value;
      const { settings } = await readDog(id, newContext());
      withRemedy(`See the kind of ${name} in bin/cli/setting-values.ts.`, () =>
        expect(settings).toEqual(expected),
      );
    };
    for (const name of settingNames) await expectChanged(name, values[name], values[name]);
    const always = settingNames.filter((name) => name in defaults);
    for (const name of always) await expectChanged(name, defaults[name], defaults[name]);
    for (const name of settingNames.filter((one) => !settingOf(one).isAlwaysSet)) {
      await expectChanged(name, values[name], values[name]);
      await expectChanged(name, '', defaults[name]);
    }
  });

  test.each(['create', 'replace'])(
    'is not set to an empty value by %s, which sets only what it names',
    async (command) => {
      for (const name of settingNames) {
        const id = newDogId();
        if (command === 'replace') await cli('create', id);
        expect(await printedBy([command, id, optionOf(name, '')], 2)).toMatch(
          RegExp(`/${name}|${flagOf(name)}`),
        );
      }
    },
  );
});
