import { type ApiResponse, documentOf, dogAt, header } from '../support/client.ts';
import {
  httpDate,
  service,
  simulatedAddress,
  stateOf,
  testDogs,
  testWithMail,
  timeOfService,
} from './service.ts';

const tagOf = (response: ApiResponse) => header(response, 'ETag');
const tagAt = async (path: string) => tagOf(await service.get(path));
const changedAt = async (path: string) => Date.parse(header(await service.get(path), 'Last-Modified'));

/** A tag that no dog ever had. */
const foreignTag = '"01ARZ3NDEKTSV4RRFFQ69G5FAV.1.abcdefghijkl"';

describe('the validators of a dog', () => {
  test('are a strong entity tag and the date of the last change', async () => {
    const response = await service.get(await testDogs.newDog());
    expect(tagOf(response)).toMatch(/^"[^"]+"$/);
    const changed = Date.parse(header(response, 'Last-Modified')) / 1000;
    expect(Math.abs(changed - (await timeOfService()))).toBeLessThan(30);
  });

  test('change with each bark that counts and with each PUT', async () => {
    const path = await testDogs.newDog();
    const tags = [await tagAt(path)];
    for (const _ of [1, 2]) {
      await service.post(`${path}barks`);
      tags.push(await tagAt(path));
      await service.put(path, { email: `${tags.length}@example.com` });
      tags.push(await tagAt(path));
    }
    expect(new Set(tags).size).toBe(tags.length);
  });

  test('do not change with a PUT of the settings that the dog already has', async () => {
    const path = await testDogs.newDog();
    const before = await service.get(path);
    expect((await service.put(path, documentOf<object>(before))).status).toBe(204);
    const after = await service.get(path);
    for (const name of ['ETag', 'Last-Modified']) expect(header(after, name)).toBe(header(before, name));
  });

  testWithMail('do not change with a bark that only sends mail', async () => {
    const path = await testDogs.newDog({ email: simulatedAddress(), barkEffects: ['emailDog'] });
    const before = await tagAt(path);
    await service.post(`${path}barks`);
    expect(await tagAt(path)).toBe(before);
  });

  test('never go back in time', async () => {
    const path = await testDogs.newDog();
    let last = await changedAt(path);
    for (let round = 0; round < 4; round++) {
      await Promise.all([service.post(`${path}barks`), service.put(path, {}), service.post(`${path}barks`)]);
      const next = await changedAt(path);
      expect(next).toBeGreaterThanOrEqual(last);
      last = next;
    }
  });
});

test('GET /v1/dogs/{id} returns 304 with the tag of the dog in If-None-Match, and 200 again after a bark', async () => {
  const path = await testDogs.newDog();
  const tag = await tagAt(path);
  const unchanged = await service.get(path, { 'If-None-Match': tag });
  expect([unchanged.status, tagOf(unchanged)]).toEqual([304, tag]);
  await service.post(`${path}barks`);
  expect((await service.get(path, { 'If-None-Match': tag })).status).toBe(200);
});

/** Returns the header field with the date of a dog's last change. */
async function dated(name: string, path: string): Promise<Record<string, string>> {
  return { [name]: httpDate((await changedAt(path)) / 1000) };
}

test('GET /v1/dogs/{id} with If-Modified-Since returns 200 while a bark is pending, although that does not move Last-Modified', async () => {
  const path = await testDogs.newDog({ barkHandling: 'async' });
  await service.post(`${path}barks`);
  const response = await service.get(path, await dated('If-Modified-Since', path));
  expect(response.status).toBe(200);
});

/** The two requests that change a dog under a precondition. */
const changes = ['PUT', 'DELETE'] as const;

function change(method: (typeof changes)[number], path: string, fields: Record<string, string>) {
  return method === 'PUT'
    ? service.put(path, { email: 'changed@example.com' }, fields)
    : service.delete(path, fields);
}

describe.each(changes)('%s /v1/dogs/{id}', (method) => {
  test.each([
    ['If-Match with the tag of the dog', 'If-Match', (tag: string) => tag],
    ['If-Match with the tag of the dog in a list', 'If-Match', (tag: string) => `${foreignTag},${tag}`],
    ['If-Match: *', 'If-Match', () => '*'],
    ['If-None-Match with another tag', 'If-None-Match', () => foreignTag],
  ])('succeeds with %s', async (_, name, fieldOf) => {
    const path = await testDogs.newDog();
    const response = await change(method, path, { [name]: fieldOf(await tagAt(path)) });
    expect(response.status).toBe(204);
    const after = await service.get(path);
    expect(after.status).toBe(method === 'PUT' ? 200 : 404);
  });

  test('succeeds if If-Unmodified-Since is the Last-Modified of the dog', async () => {
    const path = await testDogs.newDog();
    expect((await change(method, path, await dated('If-Unmodified-Since', path))).status).toBe(204);
  });

  test('returns 412 for a tag from before a bark', async () => {
    const path = await testDogs.newDog();
    const stale = await tagAt(path);
    await service.post(`${path}barks`);
    const before = await stateOf(path);
    expect((await change(method, path, { 'If-Match': stale })).status).toBe(412);
    expect(await stateOf(path)).toEqual(before);
  });
});

test('PUT with If-None-Match: * creates a dog that does not exist', async () => {
  const path = testDogs.newPath();
  expect((await service.put(path, {}, { 'If-None-Match': '*' })).status).toBe(201);
  expect((await dogAt(service, path)).barkCount).toBe(0);
});

describe('a long list of entity tags', () => {
  const tags = Array.from({ length: 150 }, (_, n) => `"01ARZ3NDEKTSV4RRFFQ69G5FAV.${n}.abcdefghijkl"`);

  test('is read completely by GET', async () => {
    const path = await testDogs.newDog();
    const fields = { 'If-None-Match': [...tags, await tagAt(path)].join(', ') };
    expect((await service.get(path, fields)).status).toBe(304);
  });

  test('is read completely by PUT', async () => {
    const path = await testDogs.newDog();
    expect((await service.put(path, {}, { 'If-Match': tags.join(', ') })).status).toBe(412);
    const fields = { 'If-Match': [...tags, await tagAt(path)].join(', ') };
    expect((await service.put(path, {}, fields)).status).toBe(204);
  });

  test('may have empty elements', async () => {
    const path = await testDogs.newDog();
    const fields = { 'If-Match': `, ${await tagAt(path)},, ` };
    expect((await service.put(path, {}, fields)).status).toBe(204);
  });
});
