import { dogAt, header } from '../support/client.ts';
import { patchBarks, service, stateOf, testDogs, timeOfService } from './service.ts';

/** A dog that has barked twice, and that no test changes. */
let quiet: { readonly dog: string; readonly bark: string };
beforeAll(async () => {
  const dog = await testDogs.newDog();
  const bark = header(await service.post(`${dog}barks`), 'Location').slice(service.baseUrl.length);
  await service.post(`${dog}barks`);
  const next = (await timeOfService()) + 30 * 24 * 3600;
  await service.post(`${dog}bark-schedule`, { token: 1, next });
  quiet = { dog, bark };
});

describe('A path with and without a trailing slash', () => {
  test('is one resource for reads, without a redirect', async () => {
    const { dog, bark } = quiet;
    for (const path of [
      '/v1/dogs',
      dog.slice(0, -1),
      `${dog}barks`,
      bark,
      `${dog}bark`,
      `${dog}bark-schedule`,
    ]) {
      const [without, within] = await Promise.all([service.get(path), service.get(`${path}/`)]);
      expect([path, without.status, within.status]).toEqual([path, 200, 200]);
      if (path !== '/v1/dogs') expect(within.text).toBe(without.text);
    }
  });

  test('is one resource for changes', async () => {
    const dog = testDogs.newPath();
    const created = await service.put(dog.slice(0, -1), {});
    expect([created.status, header(created, 'Location')]).toEqual([201, `${service.baseUrl}${dog}`]);
    expect((await service.put(dog, {})).status).toBe(204);
    for (const path of [`${dog}barks`, `${dog}barks/`]) expect((await service.post(path)).status).toBe(201);
    expect((await dogAt(service, dog)).barkCount).toBe(2);
    expect((await patchBarks(dog.slice(0, -1), { next: 0 })).status).toBe(205);
    expect((await dogAt(service, dog)).barkCount).toBe(3);
    expect((await service.delete(dog.slice(0, -1))).status).toBe(204);
    expect((await service.get(dog)).status).toBe(404);
  });
});

describe('HEAD', () => {
  const alike = [
    'Content-Type',
    'Cache-Control',
    'ETag',
    'Last-Modified',
    'Link',
    'X-Content-Type-Options',
    'Allow',
  ];
  const comparable = (response: { status: number; headers: Headers }) => [
    response.status,
    ...alike.map((name) => [name, response.headers.get(name)]),
  ];

  test.each([
    ['a dog', (dog: string) => dog],
    ['the barks of a dog', (dog: string) => `${dog}barks?limit=1`],
    ['a bark', (_: string, bark: string) => bark],
    ['the last bark', (dog: string) => `${dog}bark`],
    ['the schedule of a dog', (dog: string) => `${dog}bark-schedule`],
    ['a dog that does not exist', () => '/v1/dogs/no-such-dog/'],
    ['a path that does not exist', () => '/v1/cats/'],
    ['an invalid page', () => '/v1/dogs/?limit=0'],
  ])('of %s returns the headers of GET, without the body', async (_, pathOf) => {
    const { dog, bark } = quiet;
    const path = pathOf(dog, bark);
    const [get, head] = [await service.get(path), await service.head(path)];
    expect(comparable(head)).toEqual(comparable(get));
    expect(head.text).toBe('');
  });

  test('of the list of dogs returns the headers of GET, without the body', async () => {
    const head = await service.head('/v1/dogs/?limit=1');
    expect([head.status, head.text, header(head, 'Content-Type')]).toEqual([200, '', 'application/json']);
  });
});

test('GET and HEAD change nothing', async () => {
  const { dog, bark } = quiet;
  const before = await stateOf(dog);
  for (const path of [dog, `${dog}barks`, bark, `${dog}bark`, `${dog}bark-schedule`, `${dog}?action=bark`])
    await Promise.all([service.get(path), service.head(path)]);
  expect(await stateOf(dog)).toEqual(before);
});

test('The ID of a bark in lower case returns 404', async () => {
  expect((await service.get(quiet.bark.toLowerCase())).status).toBe(404);
});
