import { eventually } from '@rest-actions/local-cloud/testing';
import { pageRoutes } from '../../lambdas/contract/pages.ts';
import { type ApiResponse, type Bark, documentOf, dogAt, type Fields, header } from '../support/client.ts';
import { driverName, httpDate, patchBarks, service, stateOf, testDogs } from './service.ts';

const tagOf = (response: ApiResponse) => header(response, 'ETag');
const tagAt = async (path: string) => tagOf(await service.get(path));
const epoch = { 'If-Unmodified-Since': httpDate(0) };

const next = Math.floor(Date.now() / 1000) + 30 * 24 * 3_600;

const setSchedule = (dog: string, token: number, fields: Fields = {}) =>
  service.post(`${dog}bark-schedule`, { token, next, frequency: 10 }, fields);

async function scheduledDog(): Promise<string> {
  const dog = await testDogs.newDog();
  await setSchedule(dog, 1);
  return dog;
}

async function pendingBark(dog: string): Promise<string> {
  const response = await service.post(`${dog}barks`, undefined, { Prefer: 'respond-async' });
  return header(response, 'Location').slice(service.baseUrl.length);
}

const resources = ['', 'bark-schedule', 'barks', 'bark', 'barks/{id}'] as const;
type Resource = (typeof resources)[number];
/** The in-process driver lacks the functions of the pages. */
const pages =
  driverName === 'over HTTP' ? ['/.well-known/jwks.json', ...pageRoutes.map(({ path }) => path)] : [];

/** A dog with a schedule, a recorded bark and a last bark. */
let dog: string;
let bark: string;
beforeAll(async () => {
  dog = await scheduledDog();
  bark = documentOf<Bark>(await service.post(`${dog}barks`)).id;
});

const pathOf = (resource: Resource) => `${dog}${resource.replace('{id}', bark)}`;
const read = (method: string, path: string, fields: Fields) => service.send(method, path, { fields });

describe.each(['GET', 'HEAD'])('%s', (method) => {
  test.each([...resources, '/v1/dogs', ...pages])(
    'of "%s" evaluates the preconditions in the order of RFC 9110',
    async (resource) => {
      const path = resource.startsWith('/') ? resource : pathOf(resource as Resource);
      // Other tests change the list of dogs in the meantime.
      const tries = resource === '/v1/dogs' ? { deadline: 10_000 } : { deadline: 0 };
      await eventually(async () => {
        const current = await read(method, path, {});
        const statusWith = async (fields: Fields) => (await read(method, path, fields)).status;
        expect(current.status).toBe(200);
        expect(await statusWith({ 'If-Match': '"rex"' })).toBe(412);
        expect(await statusWith({ 'If-Match': '"rex"', 'If-None-Match': '*' })).toBe(412);
        expect(await statusWith({ 'If-Match': 'rex' })).toBe(400);
        expect(await statusWith({ 'If-Match': '*' })).toBe(200);
        expect(await statusWith({ 'If-None-Match': '*' })).toBe(304);
        expect(await statusWith({ 'If-None-Match': '"rex"' })).toBe(200);
        const tag = current.headers.get('ETag');
        if (!pages.includes(resource))
          expect(header(current, 'Cache-Control')).toBe(tag ? 'private, no-cache' : 'no-store');
        if (tag) {
          const unchanged = await read(method, path, { 'If-None-Match': `"rex", ${tag}` });
          expect(unchanged.status).toBe(304);
          expect(header(unchanged, 'Cache-Control')).toBe(header(current, 'Cache-Control'));
          expect(await statusWith({ 'If-Match': tag })).toBe(tag.startsWith('W/') ? 412 : 200);
        }
        const date = current.headers.get('Last-Modified');
        expect(await statusWith(epoch)).toBe(date ? 412 : 200);
        expect(await statusWith({ 'If-Modified-Since': httpDate(4e9) })).toBe(date ? 304 : 200);
        expect(await statusWith({ 'If-Modified-Since': httpDate(4e9), 'If-None-Match': '"rex"' })).toBe(200);
        expect(await statusWith({ 'If-Modified-Since': 'Sun, 06 Nov 2033 08:49:99 GMT' })).toBe(200);
      }, tries);
    },
  );

  test('of a bark returns 304 while the bark is pending', async () => {
    const path = await pendingBark(await testDogs.newDog());
    const pending = await read(method, path, {});
    const validators = {
      'If-None-Match': tagOf(pending),
      'If-Modified-Since': header(pending, 'Last-Modified'),
    };
    for (const [name, value] of Object.entries(validators))
      expect((await read(method, path, { [name]: value })).status).toBe(304);
    expect((await service.delete(path)).status).toBe(204);
    for (const [name, value] of Object.entries(validators))
      expect((await read(method, path, { [name]: value })).status).toBe(200);
  });

  test.each(['bark', 'bark-schedule', `barks/s${'0'.repeat(26)}`])(
    'of a %s that does not exist returns 404 with any precondition',
    async (resource) => {
      const path = `${await testDogs.newDog()}${resource}`;
      for (const fields of [{ 'If-Match': '*' }, { 'If-Match': '"rex"' }, { 'If-None-Match': '*' }])
        expect((await read(method, path, fields as Fields)).status).toBe(404);
    },
  );
});

test('GET of a dog with If-Modified-Since returns 200 while a bark is pending, although that does not move Last-Modified', async () => {
  const path = await testDogs.newDog();
  const before = header(await service.get(path), 'Last-Modified');
  await pendingBark(path);
  const response = await service.get(path, { 'If-Modified-Since': before });
  expect([response.status, header(response, 'Last-Modified')]).toEqual([200, before]);
});

const foreignTag = '"01ARZ3NDEKTSV4RRFFQ69G5FAV.1.abcdefghijkl"';

describe.each(['PUT', 'DELETE'])('%s of a dog', (method) => {
  const change = (path: string, fields: Fields) =>
    service.send(method, path, { body: method === 'PUT' ? { barkEffects: ['count'] } : undefined, fields });

  test.each<[string, (tag: string, date: string) => Fields]>([
    ['If-Match with its tag', (tag) => ({ 'If-Match': tag })],
    ['If-Match with its tag in a list', (tag) => ({ 'If-Match': `${foreignTag},${tag}` })],
    ['If-Match: *', () => ({ 'If-Match': '*' })],
    ['If-None-Match with another tag', () => ({ 'If-None-Match': foreignTag })],
    ['If-Unmodified-Since with its Last-Modified', (_, date) => ({ 'If-Unmodified-Since': date })],
    ['If-Unmodified-Since with a leap second', () => ({ 'If-Unmodified-Since': 'Sun Nov  6 08:49:60 2033' })],
  ])('succeeds with %s', async (_, fieldsOf) => {
    const path = await testDogs.newDog();
    const shown = await service.get(path);
    expect((await change(path, fieldsOf(tagOf(shown), header(shown, 'Last-Modified')))).status).toBe(204);
    expect((await service.get(path)).status).toBe(method === 'PUT' ? 200 : 404);
  });

  test.each<[string, (path: string) => Promise<ApiResponse>]>([
    ['a bark', (path) => service.post(`${path}barks`)],
    ['a PUT', (path) => service.put(path, { email: 'changed@example.com' })],
    ['a PATCH', (path) => patchBarks(path, { next: 0 })],
  ])('returns 412 for a tag from before %s', async (_, act) => {
    const path = await testDogs.newDog();
    const stale = await tagAt(path);
    expect((await act(path)).status).toBeLessThan(300);
    const before = await stateOf(path);
    expect((await change(path, { 'If-Match': stale })).status).toBe(412);
    expect(await stateOf(path)).toEqual(before);
  });
});

test('PUT that changes nothing succeeds with the Last-Modified of the dog in If-Unmodified-Since', async () => {
  const path = await testDogs.newDog();
  const date = header(await service.get(path), 'Last-Modified');
  expect((await service.put(path, {}, { 'If-Unmodified-Since': date })).status).toBe(204);
});

test('PUT reads a long list of entity tags completely', async () => {
  const path = await testDogs.newDog();
  const tags = Array.from({ length: 150 }, (_, n) => foreignTag.replace('.1.', `.${n}.`));
  expect((await service.put(path, {}, { 'If-Match': tags.join(', ') })).status).toBe(412);
  const fields = { 'If-Match': [...tags, await tagAt(path)].join(', ') };
  expect((await service.put(path, {}, fields)).status).toBe(204);
});

test('PUT with If-None-Match: * creates a dog that does not exist', async () => {
  expect((await service.put(testDogs.newPath(), {}, { 'If-None-Match': '*' })).status).toBe(201);
});

test('DELETE of bark-schedule ends the schedule with its tag, and not with a tag from before a bark', async () => {
  const dog = await scheduledDog();
  const path = `${dog}bark-schedule`;
  const stale = await tagAt(path);
  await service.post(`${dog}barks`);
  expect((await service.delete(path, { 'If-Match': stale })).status).toBe(412);
  expect((await service.delete(path, { 'If-Match': await tagAt(path) })).status).toBe(204);
  expect(documentOf(await service.get(path))).toMatchObject({ next: null });
});

test('POST to bark-schedule with If-None-Match: * sets only the first schedule of a dog', async () => {
  const path = await testDogs.newDog();
  expect((await setSchedule(path, 2, { 'If-None-Match': '*' })).status).toBe(205);
  expect((await setSchedule(path, 3, { 'If-None-Match': '*' })).status).toBe(412);
});

test('POST to bark-schedule with If-Match returns 205 again if it is repeated', async () => {
  const path = await scheduledDog();
  const fields = { 'If-Match': await tagAt(`${path}bark-schedule`) };
  for (const _ of [1, 2]) expect((await setSchedule(path, 2, fields)).status).toBe(205);
});

describe('DELETE of a pending bark', () => {
  test.each<[string, (tag: string) => Fields]>([
    ['If-Match with another tag', () => ({ 'If-Match': '"x"' })],
    ['If-None-Match: *', () => ({ 'If-None-Match': '*' })],
    ['If-None-Match with the tag', (tag) => ({ 'If-None-Match': tag })],
    ['If-Unmodified-Since in 1970', () => epoch],
  ])('returns 412 with %s, and the bark stays pending', async (_, fieldsOf) => {
    const path = await pendingBark(await testDogs.newDog());
    const tag = await tagAt(path);
    expect((await service.delete(path, fieldsOf(tag))).status).toBe(412);
    expect(documentOf(await service.get(path))).toMatchObject({ status: 'pending' });
    await service.delete(path);
  });

  test('cancels the bark with its tag or its date, and not again with the old tag', async () => {
    const path = await pendingBark(await testDogs.newDog());
    const pending = await service.get(path);
    expect((await service.delete(path, { 'If-Match': tagOf(pending) })).status).toBe(204);
    expect((await service.delete(path, { 'If-Match': 'rex' })).status).toBe(400);
    expect((await service.delete(path, { 'If-Match': tagOf(pending) })).status).toBe(412);
    expect((await service.delete(path, { 'If-Match': await tagAt(path) })).status).toBe(204);
    const other = await pendingBark(await testDogs.newDog());
    const date = header(await service.get(other), 'Last-Modified');
    expect((await service.delete(other, { 'If-Unmodified-Since': date })).status).toBe(204);
  });
});

test.each(['barks', 'bark'])(
  'POST to %s makes the dog bark with If-Match: *, with another tag in If-None-Match, and with any date',
  async (resource) => {
    const path = await testDogs.newDog();
    await service.post(`${path}barks`);
    for (const fields of [{ 'If-Match': '*' }, { 'If-None-Match': '"rex"' }, epoch])
      expect((await service.post(`${path}${resource}`, undefined, fields as Fields)).status).toBe(201);
    expect((await dogAt(service, path)).barkCount).toBe(4);
  },
);

test('The last bark exists only if the dog has barked', async () => {
  const path = `${await testDogs.newDog()}bark`;
  expect((await service.post(path, undefined, { 'If-None-Match': '*' })).status).toBe(201);
  expect((await service.post(path, undefined, { 'If-None-Match': '*' })).status).toBe(412);
  expect((await service.delete(path, { 'If-Match': '*' })).status).toBe(204);
});
