import { allOf, type Bark, dogAt, header, sendRaw } from '../support/client.ts';
import { patchBarks, service, stateOf, testDogs } from './support.ts';

/** A dog that has barked once, and that no test changes. */
let quiet: { readonly dog: string; readonly bark: string };
beforeAll(async () => {
  quiet = await dogWithBark();
});

/** Creates a dog that has barked and returns its path and the path of its bark. */
async function dogWithBark(): Promise<{ dog: string; bark: string }> {
  const dog = await testDogs.newDog();
  const location = header(await service.post(`${dog}barks`), 'Location');
  return { dog, bark: location.slice(service.baseUrl.length) };
}

describe('A path with and without a trailing slash', () => {
  test('is one resource for reads, without a redirect', async () => {
    const { dog, bark } = quiet;
    for (const path of ['/v1/dogs', dog.slice(0, -1), `${dog}barks`, bark]) {
      const [without, within] = await Promise.all([service.get(path), service.get(`${path}/`)]);
      expect([path, without.status, within.status]).toEqual([path, 200, 200]);
      if (path !== '/v1/dogs') expect(within.text).toBe(without.text);
    }
  });

  test('is one resource for changes', async () => {
    const dog = testDogs.newPath();
    expect((await service.put(dog.slice(0, -1), {})).status).toBe(201);
    expect((await service.put(dog, {})).status).toBe(204);
    for (const path of [`${dog}barks`, `${dog}barks/`]) expect((await service.post(path)).status).toBe(201);
    expect((await dogAt(service, dog)).barkCount).toBe(2);
    expect((await service.delete(dog.slice(0, -1))).status).toBe(204);
    expect((await service.get(dog)).status).toBe(404);
  });

  test('has one URL in responses', async () => {
    const dog = testDogs.newPath();
    const response = await service.put(dog.slice(0, -1), {});
    expect(header(response, 'Location')).toBe(`${service.baseUrl}${dog}`);
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

describe('GET and HEAD', () => {
  test('change nothing', async () => {
    const { dog, bark } = quiet;
    const before = await stateOf(dog);
    for (const path of [dog, `${dog}barks`, bark, `${dog}bark`, `${dog}bark-schedule`, `${dog}?action=bark`])
      await Promise.all([service.get(path), service.head(path)]);
    expect(await stateOf(dog)).toEqual(before);
  });
});

describe('Resources that do not exist', () => {
  test.each([
    '/v1',
    '/v1/cats/',
    '/v2/dogs/',
    '/V1/dogs/',
    '/v1/dogs/rex/paws',
    '/v1/dogs/rex/barks/s01/echo',
    '/dogs/rex/',
    '/constructor',
  ])('%s returns 404 for every method', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'])
      expect([method, (await service.send(method, path)).status]).toEqual([method, 404]);
  });

  const ids = ['no-such-dog', 'a.b', 'a%20b', 'x'.repeat(41), '%C3%A4', '%E2%80%A6'];

  test.each(ids)('the dog %s returns 404', async (id) => {
    const requests = [
      service.get(`/v1/dogs/${id}/`),
      service.head(`/v1/dogs/${id}/`),
      service.delete(`/v1/dogs/${id}/`),
      service.get(`/v1/dogs/${id}/barks`),
      service.post(`/v1/dogs/${id}/barks`),
      service.get(`/v1/dogs/${id}/barks/s01ARZ3NDEKTSV4RRFFQ69G5FAV`),
      service.get(`/v1/dogs/${id}/bark`),
      service.post(`/v1/dogs/${id}/bark`),
      service.delete(`/v1/dogs/${id}/bark`),
      service.get(`/v1/dogs/${id}/bark-schedule`),
      service.post(`/v1/dogs/${id}/bark-schedule`, { token: 1, next: 0 }),
      service.delete(`/v1/dogs/${id}/bark-schedule`),
      patchBarks(`/v1/dogs/${id}/`, { next: 0 }),
    ];
    for (const { method, url, status } of await Promise.all(requests))
      expect([method, url, status]).toEqual([method, url, 404]);
  });

  test.each(ids.slice(1))('PUT returns 422 for the id %s', async (id) => {
    expect((await service.put(`/v1/dogs/${id}/`, {})).status).toBe(422);
  });

  test.each([
    's01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'a01ARZ3NDEKTSV4RRFFQ69G5FAV',
    's01ARZ3NDEKTSV4RRFFQ69G5FAVX',
    'x',
    '%23',
    'b%2301ARZ3NDEKTSV4RRFFQ69G5FAV',
  ])('the bark %s returns 404', async (id) => {
    expect((await service.get(`${quiet.dog}barks/${id}`)).status).toBe(404);
  });

  test('the id of a bark in lower case returns 404', async () => {
    expect((await service.get(quiet.bark.toLowerCase())).status).toBe(404);
  });
});

describe('A method that a path does not support returns 405 with the supported methods in Allow', () => {
  test.each([
    ['/', ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'], ['GET', 'HEAD']],
    ['/v1/dogs/', ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'], ['GET', 'HEAD']],
    ['/v1/dogs/no-such-dog/', ['POST', 'OPTIONS'], ['DELETE', 'GET', 'HEAD', 'PATCH', 'PUT']],
    ['/v1/dogs/no-such-dog/bark', ['PUT', 'PATCH', 'OPTIONS'], ['DELETE', 'GET', 'HEAD', 'POST']],
    ['/v1/dogs/no-such-dog/bark-schedule', ['PUT', 'PATCH', 'OPTIONS'], ['DELETE', 'GET', 'HEAD', 'POST']],
    ['/v1/dogs/no-such-dog/barks', ['PUT', 'DELETE', 'PATCH', 'OPTIONS'], ['GET', 'HEAD', 'POST']],
    ['/v1/dogs/no-such-dog/barks/x', ['POST', 'PUT', 'PATCH', 'OPTIONS'], ['GET', 'HEAD']],
  ])('%s', async (path, refused, responded) => {
    for (const method of refused) {
      const response = await service.send(method, path);
      const allowed = header(response, 'Allow').split(', ');
      expect([method, response.status]).toEqual([method, 405]);
      expect(allowed).toEqual(expect.arrayContaining(responded));
      expect(allowed).not.toContain(method);
    }
    for (const method of responded)
      expect([method, (await service.send(method, path)).status]).not.toEqual([method, 405]);
  });

  test('and does not change the dog', async () => {
    const { dog, bark } = quiet;
    const before = await stateOf(dog);
    for (const [method, path] of [
      ['POST', dog],
      ['DELETE', `${dog}barks`],
      ['PUT', `${dog}barks`],
      ['PUT', bark],
      ['PATCH', `${dog}bark`],
      ['PUT', `${dog}bark-schedule`],
    ] as const)
      expect((await service.send(method, path, { body: {} })).status).toBe(405);
    expect(await stateOf(dog)).toEqual(before);
  });
});

// The response of API Gateway to these methods is unknown, so the test checks only the status.
describe('TRACE and custom methods', () => {
  test.each(['TRACE', 'ACTION', 'BARK', 'action', 'PROPFIND'])(
    '%s is refused and changes nothing',
    async (method) => {
      const { dog, bark } = quiet;
      const before = await stateOf(dog);
      const fields = { Authorization: service.authorization, 'Content-Type': 'application/json' };
      for (const path of [dog, `${dog}barks`, bark, `${dog}bark`, `${dog}bark-schedule`]) {
        const response = await sendRaw(`${service.baseUrl}${path}`, { method, fields, body: '{}' });
        expect([400, 403, 405, 501]).toContain(response.status);
      }
      expect(await stateOf(dog)).toEqual(before);
    },
  );
});

describe('every response', () => {
  const request = {
    200: (dog: string) => service.get(dog),
    201: (dog: string) => service.post(`${dog}barks`),
    204: (dog: string) => service.put(dog, {}),
    303: (_: string, counting: string) => service.post(`${counting}barks`),
    205: (dog: string) => service.post(`${dog}bark-schedule`, { token: 1, next: 0 }),
    304: (dog: string) => service.get(dog, { 'If-None-Match': '*' }),
    400: (dog: string) =>
      service.post(`${dog}barks`, Buffer.from('{'), { 'Content-Type': 'application/json' }),
    401: (dog: string) => service.get(dog, { Authorization: '' }),
    403: (dog: string) => service.patch(dog, {}),
    404: (dog: string) => service.get(`${dog}barks/x`),
    405: (dog: string) => service.post(dog, {}),
    412: (dog: string) => service.put(dog, {}, { 'If-Match': '"x"' }),
    413: (dog: string) => service.put(dog, { message: 'x'.repeat(70_000) }),
    415: (dog: string) => service.put(dog, Buffer.from('x')),
    422: (dog: string) => service.put(dog, []),
  };

  let dog: string;
  let counting: string;
  beforeAll(async () => {
    dog = await testDogs.newDog();
    counting = await testDogs.newDog({ barkEffects: ['count'] });
  });

  test.each(Object.entries(request))(
    'with status %s passes the checks of the test client and has a unique X-Request-Id',
    async (status, ask) => {
      const responses = [await ask(dog, counting), await ask(dog, counting)];
      expect(responses.map((response) => response.status)).toEqual([Number(status), Number(status)]);
      expect(new Set(responses.map((response) => header(response, 'X-Request-Id'))).size).toBe(2);
    },
  );

  test('contains absolute URLs below the base URL of the service', async () => {
    const { dog, bark } = await dogWithBark();
    await service.post(`${dog}barks`);
    const [shown] = await allOf<Bark>(service, `${dog}barks`);
    expect(shown?.dog).toBe(service.urlOf(dog));
    expect(header(await service.get(`${dog}barks?limit=1`), 'Link')).toContain(
      `<${service.urlOf(dog)}barks?`,
    );
    expect((await service.get(service.urlOf(bark))).status).toBe(200);
  });
});
