import {
  allOf,
  type Bark,
  type Dog,
  documentOf,
  dogAt,
  type Fields,
  header,
  nextOf,
} from '../support/client.ts';
import { service, settled, simulatedAddress, testDogs } from './service.ts';

interface DogList {
  readonly dogs: readonly Dog[];
}
interface BarkList {
  readonly barks: readonly Bark[];
}

describe('GET /v1/dogs', () => {
  test('returns each dog once, on linked pages with at most as many dogs as the limit', async () => {
    const paths = await Promise.all(Array.from({ length: 11 }, () => testDogs.newDog()));
    const first = await service.get('/v1/dogs/?limit=5');
    expect(documentOf<DogList>(first).dogs.length).toBeLessThanOrEqual(5);
    expect(nextOf(first)).toMatch(`${service.baseUrl}/v1/dogs/?`);
    const dogs = await allOf<Dog>(service, '/v1/dogs/?limit=5');
    const listed = dogs.map(({ id }) => `/v1/dogs/${id}/`).filter((path) => paths.includes(path));
    expect(listed.sort()).toEqual(paths.sort());
    expect(new Set(dogs.map(({ id }) => id)).size).toBe(dogs.length);
  });

  test('returns the settings and the bark count of each dog', async () => {
    const path = await testDogs.newDog({ email: 'rex@example.com', barkEffects: ['count'] });
    await service.post(`${path}barks`);
    const dogs = await allOf<Dog>(service, '/v1/dogs/?limit=100');
    const { barks: _, barking: __, ...shown } = await dogAt(service, path);
    expect(dogs.find(({ id }) => `/v1/dogs/${id}/` === path)).toEqual(shown);
  });

  test('continues after a dog that has been deleted', async () => {
    const path = await testDogs.newDog();
    await service.delete(path);
    expect((await service.get(`/v1/dogs/?after=${path.split('/').at(-2)}`)).status).toBe(200);
  });
});

describe('GET /v1/dogs/{id}/barks', () => {
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

  test('returns 20 barks on a page by default', async () => {
    const path = await testDogs.newDog();
    await barkTimes(path, 21);
    const response = await service.get(`${path}barks`);
    expect(documentOf<BarkList>(response).barks).toHaveLength(20);
    expect(nextOf(response)).toMatch(`${service.baseUrl}${path}barks?`);
    expect(await allOf(service, `${path}barks`)).toHaveLength(21);
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
  /** The URLs of the barks that requests created, the newest first. The list contains one more bark, which a schedule created. */
  let own: string[];

  async function bark(dog: string, fields: Fields = {}): Promise<string> {
    const location = header(await service.post(`${dog}barks`, undefined, fields), 'Location');
    if (fields.Prefer) await settled(location);
    return location;
  }
  const barkAsync = (dog: string) => bark(dog, { Prefer: 'respond-async' });

  /** Creates a dog with barks of every kind. An earlier dog with the same ID has barked too. */
  async function busyDog(): Promise<[dog: string, own: string[]]> {
    const dog = await testDogs.newDog();
    for (const _ of [1, 2, 3]) await bark(dog);
    await service.delete(dog);
    await service.put(dog, {});
    const barks = [await bark(dog), await barkAsync(dog), await barkAsync(dog)];
    for (const effect of ['emailDog', 'count']) {
      await service.put(dog, { email: simulatedAddress(), barkEffects: [effect] });
      for (const resource of ['barks', 'bark']) await service.post(`${dog}${resource}`);
    }
    await service.put(dog, { barkEffects: ['record'] });
    expect((await service.post(`${dog}bark-schedule`, { token: 1, next: 0 })).status).toBe(205);
    barks.push(await barkAsync(dog), await bark(dog));
    return [dog, barks.toReversed()];
  }

  /** Returns the cursors that a client gets when it follows the links, two barks at a time. */
  async function cursorsOf(dog: string): Promise<string[]> {
    const cursors: string[] = [];
    for (let next: string | undefined = `${dog}barks?limit=2`; next; ) {
      next = nextOf(await service.get(next));
      if (next) cursors.push(new URL(next).searchParams.get('after') ?? '');
    }
    return cursors;
  }

  const statusOf = async (dog: string, after: string) =>
    (await service.get(`${dog}barks?${new URLSearchParams({ after })}`)).status;

  beforeAll(async () => {
    [path, own] = await busyDog();
  });

  test.each([1, 2, 100])('returns each bark once, the newest first, in pages of %i', async (limit) => {
    const barks = await allOf<Bark>(service, `${path}barks?limit=${limit}`);
    const urls = barks.map(({ id }) => `${service.baseUrl}${path}barks/${id}`);
    expect(urls.filter((url) => own.includes(url))).toEqual(own);
    expect(urls).toHaveLength(own.length + 1);
    const times = barks.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  test('returns 400 for the id of a bark as the cursor', async () => {
    const ids = (await allOf<Bark>(service, `${path}barks`)).map(({ id }) => id);
    expect(new Set(ids.map((id) => id.charAt(0)))).toEqual(new Set(['a', 's']));
    for (const id of ids) expect([id, await statusOf(path, id)]).toEqual([id, 400]);
  });

  test('returns 400 for a cursor of another dog, or of an earlier dog with the same ID', async () => {
    const [other] = await busyDog();
    const [cursor = ''] = await cursorsOf(other);
    expect([await statusOf(other, cursor), await statusOf(path, cursor)]).toEqual([200, 400]);
    await service.delete(other);
    await service.put(other, {});
    expect(await statusOf(other, cursor)).toBe(400);
  });

  test('returns 400 for a cursor with any changed character', async () => {
    const [cursor = ''] = await cursorsOf(path);
    expect(cursor.length).toBeGreaterThan(26);
    for (let i = 0; i < cursor.length; i++) {
      const after = `${cursor.slice(0, i)}${cursor[i] === 'A' ? 'B' : 'A'}${cursor.slice(i + 1)}`;
      expect([after, await statusOf(path, after)]).toEqual([after, 400]);
    }
  });
});
