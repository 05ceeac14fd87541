import { type DogServiceClient, dogInsteadOfBark, dogServiceClient } from '../../client/index.ts';
import { keepSecrets } from '../support/secrets.ts';
import { access, testDogs, testWithTokens } from './support.ts';

const { username, password, base_url: baseUrl } = access;
const withTokens = testWithTokens('the authentication of the client with access tokens');

const client = dogServiceClient({ baseUrl, credentials: { username, password } });
const withoutCredentials = dogServiceClient({ baseUrl });

/** Returns the id of a new dog, which the suite deletes at its end. */
const newId = () => testDogs.newPath().split('/').at(-2) ?? '';
const at = (dog_id: string) => ({ params: { path: { dog_id } } });

async function newDog(settings: NonNullable<Parameters<typeof put>[2]> = {}): Promise<string> {
  const id = newId();
  expect((await put(client, id, settings)).response.status).toBe(201);
  return id;
}

const put = (
  from: DogServiceClient,
  id: string,
  body: { barkEffects?: ('count' | 'emailDog' | 'record')[]; barkHandling?: 'async'; email?: string } = {},
) => from.PUT('/v1/dogs/{dog_id}', { ...at(id), body });

describe('The client', () => {
  test('returns the bark of a dog that records', async () => {
    const id = await newDog();
    const { data, response } = await client.POST('/v1/dogs/{dog_id}/barks', {
      ...at(id),
      body: { message: 'Woof' },
    });
    expect([response.status, data]).toEqual([201, expect.objectContaining({ status: 'complete' })]);
    expect(dogInsteadOfBark({ data, response })).toBeUndefined();
  });

  test('returns the dog if a bark only changes the dog', async () => {
    const id = await newDog({ barkEffects: ['count'] });
    const response = await client.POST('/v1/dogs/{dog_id}/barks', at(id));
    expect(dogInsteadOfBark(response)).toMatchObject({ id, barkCount: 1 });
  });

  test('returns the problem document of a refused request', async () => {
    const { error, response } = await put(client, newId(), { barkEffects: ['emailDog'] });
    expect([response.status, error?.errors]).toEqual([422, [expect.objectContaining({ pointer: '/email' })]]);
    const { error: unknown } = await withoutCredentials.GET('/v1/dogs');
    expect(unknown).toMatchObject({ status: 401, title: 'Unauthorized' });
  });

  test('sends its requests with the given fetch function', async () => {
    const sent: string[] = [];
    const other = dogServiceClient({
      baseUrl,
      credentials: { username, password },
      fetch: (request) => {
        sent.push(`${request.method} ${request.url}`);
        return fetch(request);
      },
    });
    await other.GET('/v1/dogs', { params: { query: { limit: 1 } } });
    expect(sent).toEqual([`GET ${baseUrl.replace(/\/$/, '')}/v1/dogs?limit=1`]);
  });

  withTokens('exchanges a refresh token and calls with the access token', async () => {
    const { auth_url = '', client_id = '', client_secret = '', refresh_token = '' } = access;
    const endpoint = dogServiceClient({ baseUrl: auth_url, credentials: { username, password } });
    const body = { grant_type: 'refresh_token', client_id, client_secret, refresh_token } as const;
    const { data } = await endpoint.POST('/oauth2/v4/token', { body });
    const token = data?.access_token ?? '';
    keepSecrets(token);
    for (const one of [token, () => token, async () => token]) {
      const user = dogServiceClient({ baseUrl, token: one });
      expect((await user.GET('/v1/dogs', { params: { query: { limit: 1 } } })).response.status).toBe(200);
    }
    const { error } = await endpoint.POST('/oauth2/v4/token', {
      body: { ...body, refresh_token: 'unknown' },
    });
    expect(error).toMatchObject({ error: 'invalid_grant' });
  });
});
