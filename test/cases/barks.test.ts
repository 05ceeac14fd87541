import { allOf, type Bark, type Dog, documentOf, dogAt, header } from '../support/client.ts';
import { addresses, service, testDogs, testEach, testWithMail, timeOfService } from './service.ts';

const bytes = (text: string) => Buffer.from(text);

const barksOf = (dog: string) => allOf<Bark>(service, `${dog}barks`);

describe('POST /v1/dogs/{id}/barks for a dog that counts', () => {
  test('returns 303 with the URL of the dog, and the dog has barked once more', async () => {
    const dog = await testDogs.newDog({ barkEffects: ['count'] });
    const response = await service.post(`${dog}barks`);
    expect([response.status, header(response, 'Location')]).toEqual([303, `${service.baseUrl}${dog}`]);
    const { timestamp } = documentOf<Bark>(response);
    const url = `${service.baseUrl}${dog}`;
    expect(documentOf(response)).toEqual({ dog: url, timestamp, status: 'complete' });
    const { barkCount, barks } = await dogAt(service, header(response, 'Location'));
    expect([barkCount, barks]).toEqual([1, { previous: [timestamp] }]);
  });
});

describe('POST /v1/dogs/{id}/barks for a dog that records', () => {
  test('returns 201 with the URL of the bark, and GET returns the same bark', async () => {
    const dog = await testDogs.newDog({ barkEffects: ['record'] });
    const response = await service.post(`${dog}barks`);
    const bark = documentOf<Bark>(response);
    expect(response.status).toBe(201);
    expect(bark).toEqual({
      id: expect.any(String),
      dog: `${service.baseUrl}${dog}`,
      timestamp: expect.any(Number),
      status: 'complete',
    });
    expect(header(response, 'Location')).toBe(`${service.baseUrl}${dog}barks/${bark.id}`);
    const shown = await service.get(header(response, 'Location'));
    expect([shown.status, documentOf(shown)]).toEqual([200, bark]);
  });

  test('records the second of the bark by the clock of the service', async () => {
    const dog = await testDogs.newDog();
    const response = await service.post(`${dog}barks`);
    const { timestamp } = documentOf<Bark>(response);
    expect(Number.isInteger(timestamp)).toBe(true);
    expect(Math.abs(timestamp - (await timeOfService()))).toBeLessThan(30);
  });

  test('adds the time of each bark to the history, the oldest first', async () => {
    const dog = await testDogs.newDog();
    const times: number[] = [];
    for (const _ of [1, 2, 3]) times.push(documentOf<Bark>(await service.post(`${dog}barks`)).timestamp);
    const { barkCount, barks } = await dogAt(service, dog);
    expect([barkCount, barks]).toEqual([3, { previous: times }]);
  });

  test('does not add the bark to another dog', async () => {
    const [dog, other] = [await testDogs.newDog(), await testDogs.newDog()];
    const { id } = documentOf<Bark>(await service.post(`${dog}barks`));
    expect((await service.get(`${other}barks/${id}`)).status).toBe(404);
    expect(await barksOf(other)).toEqual([]);
  });

  test('keeps the recorded barks when the dog no longer records', async () => {
    const dog = await testDogs.newDog();
    const location = header(await service.post(`${dog}barks`), 'Location');
    await service.put(dog, { barkEffects: ['count'] });
    expect((await service.post(`${dog}barks`)).status).toBe(303);
    expect((await service.get(location)).status).toBe(200);
    expect(await barksOf(dog)).toHaveLength(1);
    const { barkCount, barks } = await dogAt(service, dog);
    expect([barkCount, barks?.previous.length]).toEqual([2, 2]);
  });
});

describe('POST /v1/dogs/{id}/barks for a dog with the effects', () => {
  testEach([
    [['emailDog', 'emailOwner'], 200, 0, 0],
    [['emailDog', 'count'], 303, 1, 0],
    [['emailOwner', 'count'], 303, 1, 0],
    [['emailDog', 'emailOwner', 'count'], 303, 1, 0],
    [['count', 'record'], 201, 1, 1],
    [['emailDog', 'record'], 201, 1, 1],
    [['record', 'emailOwner'], 201, 1, 1],
    [['record', 'count', 'emailOwner', 'emailDog'], 201, 1, 1],
  ])('%j returns %i, counts %i and records %i', async (barkEffects, status, counted, recorded) => {
    const dog = await testDogs.newDog({ ...addresses(), barkEffects, barkHandling: 'sync' });
    const response = await service.post(`${dog}barks`);
    expect(response.status).toBe(status);
    expect((await dogAt(service, dog)).barkCount).toBe(counted);
    expect(await barksOf(dog)).toHaveLength(recorded);
  });
});

describe('POST /v1/dogs/{id}/barks for a dog that notifies its owner', () => {
  test.each([
    ['only notifies', ['emailOwner']],
    ['notifies and counts', ['emailOwner', 'count']],
  ])('returns 202 with the bark to poll by default, if the dog %s', async (_, barkEffects) => {
    const dog = await testDogs.newDog({ ...addresses(), barkEffects });
    const response = await service.post(`${dog}barks`);
    expect(response.status).toBe(202);
    expect(documentOf(await service.get(header(response, 'Location')))).toMatchObject({ status: 'pending' });
  });
});

describe('the document of a bark', () => {
  testWithMail.each([
    ['no body', undefined, {}],
    ['an empty body with a text content type', bytes(''), { 'Content-Type': 'text/plain' }],
    ['an empty object', {}, {}],
    ['a message', { message: 'Woof' }, {}],
    ['a message of 1000 characters outside the Basic Multilingual Plane', { message: '🐶'.repeat(1000) }, {}],
    ['a message of several lines', { message: 'one\r\ntwo\n\u0000three' }, {}],
    ['a charset', bytes('{}'), { 'Content-Type': 'application/json; charset=utf-8' }],
    ['a content type in capitals', bytes('{}'), { 'Content-Type': 'APPLICATION/JSON' }],
    ['exactly 64 KiB', bytes(`{}${' '.repeat(65_534)}`), { 'Content-Type': 'application/json' }],
  ])('may be %s', async (_, body, fields) => {
    const dog = await testDogs.newDog({ ...addresses(), barkEffects: ['emailDog', 'record'] });
    expect((await service.post(`${dog}barks`, body, fields)).status).toBe(201);
  });
});

test.each(['?action=bark', '?action=delete', '?barkEffects=emailDog', '?id=other&limit=0&after=.', '?'])(
  'a POST ignores a query string such as %s',
  async (query) => {
    const dog = await testDogs.newDog();
    const response = await service.post(`${dog}barks${query}`);
    expect(response.status).toBe(201);
    expect(header(response, 'Location')).toBe(
      `${service.baseUrl}${dog}barks/${documentOf<Bark>(response).id}`,
    );
    const { barkCount, barkEffects } = documentOf<Dog>(await service.get(`${dog}?action=bark`));
    expect([barkCount, barkEffects]).toEqual([1, ['record']]);
  },
);
