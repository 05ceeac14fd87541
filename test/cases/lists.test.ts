import { allOf, type Bark, type Dog, documentOf, header, nextOf } from '../support/client.ts';
import { service, settled, testDogs, timeOfService } from './service.ts';

interface DogList {
  readonly dogs: readonly Dog[];
}
interface BarkList {
  readonly barks: readonly Bark[];
}

describe('GET /v1/dogs', () => {
  test('returns each dog once, on linked pages', async () => {
    const paths = await Promise.all(Array.from({ length: 11 }, () => testDogs.newDog()));
    const dogs = await allOf<Dog>(service, '/v1/dogs/?limit=5');
    const listed = dogs.map(({ id }) => `/v1/dogs/${id}/`).filter((path) => paths.includes(path));
    expect(listed.sort()).toEqual(paths.sort());
    expect(new Set(dogs.map(({ id }) => id)).size).toBe(dogs.length);
  });

  test('returns the settings and the bark count of each dog', async () => {
    const path = await testDogs.newDog({ email: 'rex@example.com', barkEffects: ['count'] });
    await service.post(`${path}barks`);
    const dogs = await allOf<Dog>(service, '/v1/dogs/?limit=100');
    expect(dogs.find(({ id }) => `/v1/dogs/${id}/` === path)).toMatchObject({
      email: 'rex@example.com',
      barkCount: 1,
      barkEffects: ['count'],
      barkHandling: 'sync',
    });
  });

  test('returns at most as many dogs as the limit', async () => {
    await Promise.all([1, 2, 3].map(() => testDogs.newDog()));
    const response = await service.get('/v1/dogs/?limit=2');
    expect(documentOf<DogList>(response).dogs.length).toBeLessThanOrEqual(2);
    expect(nextOf(response)).toMatch(`${service.baseUrl}/v1/dogs/?`);
  });

  test('accepts a limit of 100', async () => {
    expect((await service.get('/v1/dogs/?limit=100')).status).toBe(200);
  });

  test('continues after a dog that has been deleted', async () => {
    const path = await testDogs.newDog();
    await service.delete(path);
    expect((await service.get(`/v1/dogs/?after=${path.split('/').at(-2)}`)).status).toBe(200);
  });
});

describe('GET /v1/dogs/{id}/barks', () => {
  /** Makes a dog bark and returns the URLs of the barks, the newest first. */
  async function barkTimes(path: string, times: number): Promise<string[]> {
    const locations: string[] = [];
    for (let i = 0; i < times; i++) locations.unshift(header(await service.post(`${path}barks`), 'Location'));
    return locations;
  }
  const urlsOf = (path: string, barks: readonly Bark[]) =>
    barks.map(({ id }) => `${service.baseUrl}${path}barks/${id}`);

  test('returns an empty list for a dog that has not barked', async () => {
    const response = await service.get(`${await testDogs.newDog()}barks`);
    expect([response.status, documentOf(response), nextOf(response)]).toEqual([
      200,
      { barks: [] },
      undefined,
    ]);
  });

  test('returns each bark once, the newest first, in pages of any size', async () => {
    const path = await testDogs.newDog();
    const locations = await barkTimes(path, 5);
    for (const limit of [1, 2, 3, 100]) {
      const barks = await allOf<Bark>(service, `${path}barks?limit=${limit}`);
      expect([limit, urlsOf(path, barks)]).toEqual([limit, locations]);
    }
  });

  test('returns the same documents as GET of each bark', async () => {
    const path = await testDogs.newDog();
    const [location = ''] = await barkTimes(path, 1);
    expect(await allOf<Bark>(service, `${path}barks`)).toEqual([documentOf(await service.get(location))]);
  });

  test('returns 20 barks on a page by default', async () => {
    const path = await testDogs.newDog();
    await barkTimes(path, 21);
    const response = await service.get(`${path}barks`);
    expect(documentOf<BarkList>(response).barks).toHaveLength(20);
    expect(nextOf(response)).toMatch(`${service.baseUrl}${path}barks?`);
    expect(await allOf(service, `${path}barks`)).toHaveLength(21);
  });

  test('omits barks that only counted, wherever a page ends', async () => {
    const path = await testDogs.newDog();
    const older = await barkTimes(path, 2);
    await service.put(path, { barkEffects: ['count'] });
    for (const _ of [1, 2, 3]) await service.post(`${path}barks`);
    await service.put(path, { barkEffects: ['record'] });
    const newer = await barkTimes(path, 2);
    const barks = await allOf<Bark>(service, `${path}barks?limit=2`);
    expect(urlsOf(path, barks)).toEqual([...newer, ...older]);
  });

  test('continues at the same bark if the dog has barked between two pages', async () => {
    const path = await testDogs.newDog();
    const locations = await barkTimes(path, 4);
    const first = await service.get(`${path}barks?limit=2`);
    await barkTimes(path, 1);
    const rest = await allOf<Bark>(service, nextOf(first) ?? '');
    expect(urlsOf(path, [...documentOf<BarkList>(first).barks, ...rest])).toEqual(locations);
  });
});

describe('GET /v1/dogs/{id}/barks for a dog with barks of every kind', () => {
  let path: string;
  /** The URLs of the barks that requests created. The list has one more bark, which a schedule created. */
  let own: string[];

  async function barkAsync(): Promise<string> {
    const bark = header(
      await service.post(`${path}barks`, undefined, { Prefer: 'respond-async' }),
      'Location',
    );
    await settled(bark);
    return bark;
  }

  async function barkSync(): Promise<string> {
    return header(await service.post(`${path}barks`), 'Location');
  }

  beforeAll(async () => {
    path = await testDogs.newDog();
    own = [await barkSync(), await barkAsync(), await barkAsync()];
    await service.put(path, { barkEffects: ['count'] });
    for (const resource of ['barks', 'bark']) await service.post(`${path}${resource}`);
    await service.put(path, { barkEffects: ['record'] });
    const next = await timeOfService();
    const scheduled = await service.post(`${path}bark-schedule`, { token: 1, next, frequency: 0 });
    expect(scheduled.status).toBe(205);
    own.push(await barkAsync(), await barkSync());
  });

  test.each([1, 2, 3, 100])('returns each bark once, in pages of %i', async (limit) => {
    const barks = await allOf<Bark>(service, `${path}barks?limit=${limit}`);
    const urls = barks.map(({ id }) => `${service.baseUrl}${path}barks/${id}`);
    expect(new Set(urls).size).toBe(urls.length);
    expect(urls).toEqual(expect.arrayContaining(own));
    expect(urls).toHaveLength(own.length + 1);
  });

  test('returns 400 for the id of a bark as the cursor', async () => {
    const barks = await allOf<Bark>(service, `${path}barks`);
    expect(new Set(barks.map(({ id }) => id.charAt(0)))).toEqual(new Set(['a', 's']));
    for (const { id } of barks) {
      const response = await service.get(`${path}barks?after=${id}`);
      expect([id, response.status]).toEqual([id, 400]);
    }
  });

  test('returns 400 for a cursor of another dog', async () => {
    const other = await testDogs.newDog();
    for (const _ of [1, 2]) await service.post(`${other}barks`);
    const [, query = ''] = nextOf(await service.get(`${other}barks?limit=1`))?.split('?') ?? [];
    expect((await service.get(`${other}barks?${query}`)).status).toBe(200);
    expect((await service.get(`${path}barks?${query}`)).status).toBe(400);
  });
});
