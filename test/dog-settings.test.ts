import './support/settings-of-each-kind.ts';

import { isDeepStrictEqual } from 'node:util';
import type { DogRequest } from '../client/index.ts';
import { mapSettings, settingNames, settingTexts } from '../lambdas/contract/dog-settings.ts';
import { readDog } from '../lambdas/domain/dogs/read.ts';
import { openApiDocument } from '../openapi/document.ts';
import { dogs } from '../openapi/examples.ts';
import { newContext } from './support/context.ts';
import { newDogId } from './support/dogs.ts';
import {
  client,
  defaults,
  expectAll,
  newDog,
  pathOf,
  useEachSetting,
  values,
} from './support/each-setting.ts';

useEachSetting();

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
