import { isDeepStrictEqual } from 'node:util';
import { type Dog, type DogRequest, dogServiceClient, type ListedDog } from '../../client/index.ts';
import { mapSettings, type SettingName, settingNames } from '../../lambdas/contract/dog-settings.ts';
import { driver } from '../cases/in-process.ts';
import { newDogId } from './dogs.ts';
import { otherValue } from './setting-values.ts';

// The settings in the types of the client. If one is missing, this file does not compile: run `npm run openapi`.
type ClientSettings = Required<Pick<DogRequest, SettingName>>;
type ShownSettings = Pick<Dog, SettingName> | Pick<ListedDog, SettingName>;

const { base_url: baseUrl } = driver.access;

/** Replaces the network, the gateway and the authorizer. */
async function respond(request: Request): Promise<Response> {
  const { method, url, headers } = request;
  return driver.send(url, { method, headers: [...headers], body: await request.text() });
}

export const client = dogServiceClient({ baseUrl, fetch: respond });

export const pathOf = (id: string) => ({ params: { path: { dog_id: id } } });

/** The settings of a dog for which the client sets none. */
export let defaults: Partial<ClientSettings>;

/** A value for each setting that is not its default. */
export let values: ClientSettings;

/** @param place where to add a setting that the document lacks */
export function expectAll(shown: ShownSettings | object | undefined, place: string): void {
  const document = shown as Readonly<Partial<Record<SettingName, unknown>>> | undefined;
  const lost = settingNames.filter((name) => !isDeepStrictEqual(document?.[name], values[name]));
  expect(lost.map((name) => `${name} is lost. See ${place}.`)).toEqual([]);
}

export async function newDog(): Promise<string> {
  const id = newDogId();
  const { response } = await client.PUT('/v1/dogs/{dog_id}', { ...pathOf(id), body: values });
  expect(response.status).toBe(201);
  return id;
}

/** Replaces the network of the client, and finds the values before the tests. */
export function useEachSetting(): void {
  beforeEach(() => {
    jest.spyOn(globalThis, 'fetch').mockImplementation((input) => respond(input as Request));
  });

  beforeAll(async () => {
    const { data } = await client.PUT('/v1/dogs/{dog_id}', { ...pathOf('plain'), body: {} });
    defaults = data as Partial<ClientSettings>;
    values = mapSettings((name) => otherValue(name, defaults[name])) as ClientSettings;
  });
}
