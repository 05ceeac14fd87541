import { type ApiResponse, type Bark, documentOf, dogAt, header } from '../support/client.ts';
import { driverName, httpDate, publicPaths, service, testDogs } from './service.ts';

const tagOf = (response: ApiResponse) => header(response, 'ETag');
const tagAt = async (path: string) => tagOf(await service.get(path));
const epoch = { 'If-Unmodified-Since': httpDate(0) };

async function scheduledDog(): Promise<string> {
  const dog = await testDogs.newDog();
  const next = Math.floor(Date.now() / 1000) + 30 * 24 * 3_600;
  await service.post(`${dog}bark-schedule`, { token: 1, next, frequency: 10 });
  return dog;
}

/** Makes a dog bark asynchronously, and returns the path of the bark. */
async function pendingBark(dog: string): Promise<string> {
  const response = await service.post(`${dog}barks`, undefined, { Prefer: 'respond-async' });
  return new URL(header(response, 'Location')).pathname.slice(new URL(service.baseUrl).pathname.length - 1);
}

const resources = ['', 'bark-schedule', 'barks', 'bark', 'barks/{id}'] as const;
type Resource = (typeof resources)[number];
/** The in-process driver lacks the functions of the pages. */
const pages = ['/v1/dogs', ...(driverName === 'over HTTP' ? publicPaths : [])];

/** A dog with a schedule, a recorded bark and a last bark. */
let dog: string;
let bark: string;
beforeAll(async () => {
  dog = await scheduledDog();
  bark = documentOf<Bark>(await service.post(`${dog}barks`)).id;
});

const pathOf = (resource: Resource) => `${dog}${resource.replace('{id}', bark)}`;
const read = (method: string, path: string, fields: Record<string, string>) =>
  service.send(method, path, { fields });

describe.each(['GET', 'HEAD'])('%s', (method) => {
  test.each([...resources, ...pages])(
    'of "%s" evaluates the preconditions in the order of RFC 9110',
    async (resource) => {
      const path = resource.startsWith('/') ? resource : pathOf(resource as Resource);
      const current = await read(method, path, {});
      const statusWith = async (fields: Record<string, string>) => (await read(method, path, fields)).status;
      expect(current.status).toBe(200);
      expect(await statusWith({ 'If-Match': '"rex"' })).toBe(412);
      expect(await statusWith({ 'If-Match': '"rex"', 'If-None-Match': '*' })).toBe(412);
      expect(await statusWith({ 'If-Match': 'rex' })).toBe(400);
      expect(await statusWith({ 'If-Match': '*' })).toBe(200);
      expect(await statusWith({ 'If-None-Match': '*' })).toBe(304);
      expect(await statusWith({ 'If-None-Match': '"rex"' })).toBe(200);
      const tag = current.headers.get('ETag');
      if (tag) {
        expect(await statusWith({ 'If-None-Match': `"rex", ${tag}` })).toBe(304);
        expect(await statusWith({ 'If-Match': tag })).toBe(tag.startsWith('W/') ? 412 : 200);
      }
      const date = current.headers.get('Last-Modified');
      expect(await statusWith(epoch)).toBe(date ? 412 : 200);
      expect(await statusWith({ 'If-Modified-Since': httpDate(4e9) })).toBe(date ? 304 : 200);
      expect(await statusWith({ 'If-Modified-Since': httpDate(4e9), 'If-None-Match': '"rex"' })).toBe(200);
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
        expect((await read(method, path, fields as Record<string, string>)).status).toBe(404);
    },
  );
});

describe('DELETE of bark-schedule', () => {
  const end = (path: string, fields: Record<string, string>) =>
    service.delete(`${path}bark-schedule`, fields);

  test('ends the schedule with its tag, and not with a tag from before a bark', async () => {
    const path = await scheduledDog();
    const stale = await tagAt(`${path}bark-schedule`);
    await service.post(`${path}barks`);
    expect((await end(path, { 'If-Match': stale })).status).toBe(412);
    expect((await end(path, { 'If-Match': 'rex' })).status).toBe(400);
    expect((await end(path, { 'If-Match': await tagAt(`${path}bark-schedule`) })).status).toBe(204);
    expect(documentOf(await service.get(`${path}bark-schedule`))).toMatchObject({ next: null });
  });
});

describe('POST to bark-schedule', () => {
  const later = (token: number) => ({
    token,
    next: Math.floor(Date.now() / 1000) + 40 * 24 * 3_600,
    frequency: 20,
  });
  const set = (path: string, token: number, fields: Record<string, string>) =>
    service.post(`${path}bark-schedule`, later(token), fields);

  test('with If-None-Match: * sets only the first schedule of a dog', async () => {
    const path = await testDogs.newDog();
    expect((await set(path, 1, { 'If-Match': '*' })).status).toBe(412);
    expect((await set(path, 2, { 'If-None-Match': '*' })).status).toBe(205);
    expect((await set(path, 3, { 'If-None-Match': '*' })).status).toBe(412);
  });

  test('with If-Match returns 205 again if it is repeated', async () => {
    const path = await scheduledDog();
    const fields = { 'If-Match': await tagAt(`${path}bark-schedule`) };
    const document = later(2);
    for (const _ of [1, 2])
      expect((await service.post(`${path}bark-schedule`, document, fields)).status).toBe(205);
    expect((await service.post(`${path}bark-schedule`, later(3), { 'If-Match': 'rex' })).status).toBe(400);
  });
});

describe('DELETE of a pending bark', () => {
  test.each<[string, (tag: string) => Record<string, string>]>([
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

describe.each(['barks', 'bark'])('POST to %s', (resource) => {
  const post = (path: string, fields: Record<string, string>) =>
    service.post(`${path}${resource}`, undefined, fields);

  test('has no entity tag, so it never meets If-Match with a tag', async () => {
    const path = await testDogs.newDog();
    await service.post(`${path}barks`);
    for (const fields of [{ 'If-Match': await tagAt(path) }, { 'If-None-Match': '*' }])
      expect((await post(path, fields as Record<string, string>)).status).toBe(412);
    expect((await post(path, { 'If-Match': 'rex' })).status).toBe(400);
    expect((await dogAt(service, path)).barkCount).toBe(1);
  });

  test('makes the dog bark with If-Match: *, with another tag in If-None-Match, and with any date', async () => {
    const path = await testDogs.newDog();
    await service.post(`${path}barks`);
    for (const fields of [{ 'If-Match': '*' }, { 'If-None-Match': '"rex"' }, epoch])
      expect((await post(path, fields as Record<string, string>)).status).toBe(201);
    expect((await dogAt(service, path)).barkCount).toBe(4);
  });
});

test('The last bark exists only if the dog has barked', async () => {
  const path = await testDogs.newDog();
  const fields = { 'If-Match': '*' };
  expect((await service.post(`${path}bark`, undefined, fields)).status).toBe(412);
  expect((await service.delete(`${path}bark`, fields)).status).toBe(412);
  expect((await service.delete(`${path}bark`, { 'If-Match': 'rex' })).status).toBe(400);
  expect((await service.post(`${path}bark`, undefined, { 'If-None-Match': '*' })).status).toBe(201);
  expect((await service.post(`${path}bark`, undefined, { 'If-None-Match': '*' })).status).toBe(412);
  expect((await service.delete(`${path}bark`, fields)).status).toBe(204);
});
