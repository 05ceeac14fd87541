import type { Dog, DogRequest, DogServiceClient } from '../../../client/index.ts';
import { dogId, invalidDogId } from '../../../lambdas/contract/dog-id.ts';
import { type SettingName, settingNames, settingOf } from '../../../lambdas/contract/dog-settings.ts';
import { collect, connect } from '../api.ts';
import type { CommandContext, Run } from '../command.ts';
import { CommandFailed, UsageError } from '../errors.ts';
import { flagOf } from '../flag.ts';
import type { Options } from '../options.ts';
import { check, dataOf, kindOf } from '../problems.ts';
import { DogList, Dog as DogShape } from '../responses.ts';
import { valueIn } from '../setting-values.ts';

export const listDogs: Run = async (context) => {
  const client = await connect(context);
  return collect(context, async (query) => {
    const result = await client.GET('/v1/dogs', { params: { query } });
    return { items: dataOf(result, DogList).dogs, response: result.response };
  });
};

export const getDog: Run = async (context, id) => {
  const params = { path: pathOf(id) };
  const client = await connect(context);
  return dataOf(await client.GET('/v1/dogs/{dog_id}', { params }), DogShape);
};

export const createDog: Run = async (context, id) => {
  const body = settingsIn(context.options) as DogRequest;
  const params = { path: pathOf(id), header: { 'If-None-Match': '*' } };
  const client = await connect(context);
  const result = await client.PUT('/v1/dogs/{dog_id}', { params, body });
  if (kindOf(result) === 'precondition-failed')
    throw new CommandFailed(
      `The dog "${id}" already exists. Change some of its settings with "npx dogs update ${id}", or replace them all with "npx dogs replace ${id}".`,
    );
  check(result);
  return { created: id };
};

export const replaceDog: Run = async (context, id) => {
  const settings = settingsIn(context.options);
  await change(context, id, (dog) => {
    const others = Object.entries(dog).filter(
      ([name]) => !(settingNames as readonly string[]).includes(name),
    );
    return { ...Object.fromEntries(others), ...settings };
  });
  return { replaced: id };
};

export const updateDog: Run = async (context, id) => {
  const { options } = context;
  const settings = settingsIn(options);
  const names = Object.keys(settings) as SettingName[];
  if (names.length === 0)
    throw new UsageError(`Name a setting to change: ${settingNames.map(flagOf).join(', ')}.`);
  for (const name of names)
    if (options[name] === '' && !settingOf(name).isAlwaysSet) settings[name] = undefined;
  await change(context, id, (dog) => ({ ...dog, ...settings }));
  return { updated: id };
};

export const deleteDog: Run = async (context, id) => {
  const params = { path: pathOf(id) };
  const client = await connect(context);
  check(await client.DELETE('/v1/dogs/{dog_id}', { params }));
  return { deleted: id };
};

const attempts = 5;

/**
 * Repeats the read and the write if the dog changes in between.
 *
 * @param changed returns the new document, based on what was read, so that the dog keeps settings that this CLI does not support
 */
async function change(
  context: CommandContext,
  id: string,
  changed: (dog: Dog) => Readonly<Record<string, unknown>>,
): Promise<void> {
  const path = pathOf(id);
  const client = await connect(context);
  for (let attempt = 1; ; attempt++) {
    const result = await putChanged(client, path, changed);
    if (kindOf(result) === 'precondition-failed' && attempt < attempts) continue;
    return check(result);
  }
}

async function putChanged(
  client: DogServiceClient,
  path: { readonly dog_id: string },
  changed: (dog: Dog) => Readonly<Record<string, unknown>>,
) {
  const read = await client.GET('/v1/dogs/{dog_id}', { params: { path } });
  const body = changed(dataOf(read, DogShape)) as DogRequest;
  const header = { 'If-Match': read.response.headers.get('ETag') ?? '*' };
  return client.PUT('/v1/dogs/{dog_id}', { params: { path, header }, body });
}

function settingsIn(options: Options): Partial<Record<SettingName, unknown>> {
  const entries = settingNames.flatMap((name) => {
    const text = options[name];
    return text === undefined ? [] : [[name, valueIn(settingOf(name), text)]];
  });
  return Object.fromEntries(entries);
}

/** @throws UsageError if the ID is not valid, because `..` in a path would lead to another resource */
export function pathOf(id: string): { readonly dog_id: string } {
  if (dogId.test(id)) return { dog_id: id };
  throw new UsageError(invalidDogId(id));
}
