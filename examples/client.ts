import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bark, dogInsteadOfBark, dogServiceClient, type Problem } from '../client/index.ts';

const access = JSON.parse(readFileSync(process.env.ACCESS_FILE ?? '.local/access.json', 'utf8'));
const { base_url: baseUrl, username, password } = access;

// #region docs/api.md
const client = dogServiceClient({ baseUrl, credentials: { username, password } });
const dog_id = crypto.randomUUID();
const dog = { params: { path: { dog_id } } };
await client.PUT('/v1/dogs/{dog_id}', { ...dog, body: { barkEffects: ['record'] } });
const { data: bark, error } = await client.POST('/v1/dogs/{dog_id}/barks', dog);
// #endregion

try {
  if (error) throw new Error(JSON.stringify(error));
  console.log(`A: the dog barked, and the bark is ${(bark as Bark).status}.`);
  const key = crypto.randomUUID();
  const [first, repeated] = [await barkOnce(key), await barkOnce(key)];
  if (first.id === repeated.id) console.log('A: two requests with the same key made the dog bark once.');
  await barkAsynchronously();
  await changeSchedule(10);
  await setSchedule(1, 20);
  await setSchedule(1, 30);
  await countBarks(await accessToken());
} finally {
  dataOf(await client.DELETE('/v1/dogs/{dog_id}', dog));
  console.log('The client deleted the dog.');
}

/** Variant A: makes the dog bark once for each key. Repeats the request if it gets no response or may succeed later. */
async function barkOnce(key: string, attempts = 3): Promise<Bark> {
  const header = { 'Idempotency-Key': `"${key}"` };
  const result = await client
    .POST('/v1/dogs/{dog_id}/barks', { params: { ...dog.params, header }, body: { message: 'Woof' } })
    .catch((error: Error) => error);
  const isFinal = !(result instanceof Error) && ![409, 429, 500, 503, 504].includes(result.response.status);
  if (isFinal) return dataOf(result) as Bark;
  if (attempts === 1) throw result instanceof Error ? result : new Error(`Status ${result.response.status}`);
  await sleep(1000);
  return barkOnce(key, attempts - 1);
}

/** Variant A: makes the dog bark asynchronously, and waits until the bark is no longer pending. */
async function barkAsynchronously(): Promise<void> {
  const { response } = await client.POST('/v1/dogs/{dog_id}/barks', {
    params: { ...dog.params, header: { Prefer: 'respond-async' } },
  });
  const bark_id = response.headers.get('Location')?.split('/').at(-1) ?? '';
  const params = { path: { dog_id, bark_id } };
  let status = 'pending';
  while (status === 'pending') {
    await sleep(500);
    const result = await client.GET('/v1/dogs/{dog_id}/barks/{bark_id}', { params });
    // The response for a complete bark redirects to the dog.
    status = dogInsteadOfBark(result) ? 'complete' : (dataOf(result) as Bark).status;
  }
  console.log(`A: the asynchronous bark is ${status}.`);
}

/** Variant B: makes the dog bark now, and then every `frequency` minutes. */
async function changeSchedule(frequency: number): Promise<void> {
  const { response } = await client.GET('/v1/dogs/{dog_id}', dog);
  const header = { 'If-Unmodified-Since': response.headers.get('Last-Modified') ?? '' };
  const body = { barks: { next: 0, frequency } };
  dataOf(await client.PATCH('/v1/dogs/{dog_id}', { params: { ...dog.params, header }, body }));
  console.log(`B: the dog barked, and barks again every ${frequency} minutes.`);
}

/** Variant C: does the same as variant B. If the token belongs to another schedule, uses a new token. */
async function setSchedule(token: number, frequency: number): Promise<void> {
  const body = { token, next: 0, frequency };
  const result = await client.POST('/v1/dogs/{dog_id}/bark-schedule', { ...dog, body });
  if (kindOf(result.error) === 'schedule-token-reused') {
    console.log(`C: token ${token} belongs to another schedule. The client uses token ${token + 1}.`);
    return setSchedule(token + 1, frequency);
  }
  dataOf(result);
  console.log(`C: the dog barked, and barks again every ${frequency} minutes.`);
}

/** Returns an access token in exchange for the refresh token. */
async function accessToken(): Promise<string> {
  const { auth_url, client_id, client_secret, refresh_token } = access;
  const body = { grant_type: 'refresh_token', client_id, client_secret, refresh_token } as const;
  const endpoint = dogServiceClient({ baseUrl: auth_url });
  return dataOf(await endpoint.POST('/oauth2/v4/token', { body })).access_token;
}

async function countBarks(token: string): Promise<void> {
  const clientWithToken = dogServiceClient({ baseUrl, token });
  const { barkCount } = dataOf(await clientWithToken.GET('/v1/dogs/{dog_id}', dog));
  console.log(`The dog has barked ${barkCount} times.`);
}

/**
 * Returns the body of a successful response.
 *
 * @throws Error with the problem if the request failed
 */
function dataOf<Data>({ data, error, response }: Result<Data>): Data {
  if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(error)}`);
  return data as Data;
}

interface Result<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns the kind of a problem: the part of its type that never changes. */
function kindOf(problem: unknown): string | undefined {
  return (problem as Problem | undefined)?.type?.split('#problem-')[1];
}
