import { type ApiResponse, allOf, type Bark, documentOf, dogAt, header } from '../support/client.ts';
import {
  addresses,
  service,
  settled,
  stateOf,
  testDogs,
  testEach,
  testWithMail,
  timeOfService,
} from './service.ts';

const linkOf = (response: ApiResponse) =>
  /^<([^>]+)>; *rel="?bookmark"?$/.exec(header(response, 'Link'))?.[1];
const lastBarkOf = (dog: string) => service.get(`${dog}bark`);

describe('POST /v1/dogs/{id}/bark', () => {
  testEach([
    ['records', ['record'], 1, 1],
    ['records and sends mail', ['emailDog', 'emailOwner', 'record'], 1, 1],
    ['counts', ['count'], 1, 0],
    ['counts and sends mail', ['emailOwner', 'count'], 1, 0],
    ['only sends mail', ['emailDog'], 0, 0],
  ])(
    'for a dog that %s returns 201 and adds the bark to the history',
    async (_, barkEffects, count, recorded) => {
      const dog = await testDogs.newDog({ ...addresses(), barkEffects, barkHandling: 'sync' });
      const response = await service.post(`${dog}bark`);
      expect([response.status, header(response, 'Location')]).toEqual([201, `${service.baseUrl}${dog}bark`]);
      const shown = await service.get(header(response, 'Location'));
      const { timestamp } = documentOf<Bark>(shown);
      expect([shown.status, documentOf(shown)]).toEqual([200, { timestamp: expect.any(Number) }]);
      expect(Math.abs(timestamp - (await timeOfService()))).toBeLessThan(30);
      expect(await dogAt(service, dog)).toMatchObject({ barkCount: count, barks: { previous: [timestamp] } });
      const barks = await allOf<Bark>(service, `${dog}barks`);
      expect(barks.map((bark) => bark.timestamp)).toEqual(recorded ? [timestamp] : []);
      expect(linkOf(response)).toBe(recorded ? `${service.baseUrl}${dog}barks/${barks[0]?.id}` : undefined);
    },
  );

  test('links to the recorded bark', async () => {
    const dog = await testDogs.newDog();
    const response = await service.post(`${dog}bark`);
    const record = await service.get(linkOf(response) ?? '');
    const last = await lastBarkOf(dog);
    const { timestamp } = documentOf<Bark>(last);
    expect([linkOf(last), documentOf(response)]).toEqual([linkOf(response), { timestamp }]);
    expect([record.status, documentOf(record)]).toEqual([
      200,
      expect.objectContaining({ dog: `${service.baseUrl}${dog}`, timestamp, status: 'complete' }),
    ]);
  });

  test('makes the dog bark twice when it is repeated', async () => {
    const dog = await testDogs.newDog();
    for (const _ of [1, 2]) expect((await service.post(`${dog}bark`)).status).toBe(201);
    expect((await dogAt(service, dog)).barkCount).toBe(2);
    expect(await allOf(service, `${dog}barks`)).toHaveLength(2);
  });

  testWithMail('accepts a message', async () => {
    const dog = await testDogs.newDog({ ...addresses(), barkEffects: ['emailDog', 'count'] });
    expect((await service.post(`${dog}bark`, { message: 'Woof' })).status).toBe(201);
    expect((await service.post(`${dog}bark`, {})).status).toBe(201);
    expect((await dogAt(service, dog)).barkCount).toBe(2);
  });

  test.each([
    ['for an asynchronous dog', 'async', {}, ''],
    ['with Prefer: respond-async', 'sync', { Prefer: 'respond-async' }, 'respond-async'],
  ])(
    '%s returns 202, and the history has the bark once it is complete',
    async (_, barkHandling, fields, applied) => {
      const dog = await testDogs.newDog({ barkHandling });
      const response = await service.post(`${dog}bark`, undefined, fields);
      const bark = header(response, 'Location');
      expect(response.status).toBe(202);
      expect(bark).toMatch(`${service.baseUrl}${dog}barks/`);
      if (applied) expect(header(response, 'Preference-Applied')).toBe(applied);
      expect((await lastBarkOf(dog)).status).toBe(404);
      const end = await settled(bark);
      expect([end.status, header(end, 'Location')]).toEqual([303, `${service.baseUrl}${dog}`]);
      const { timestamp } = documentOf<Bark>(end);
      expect(documentOf(await lastBarkOf(dog))).toEqual({ timestamp });
      expect(await dogAt(service, dog)).toMatchObject({ barkCount: 1, barks: { previous: [timestamp] } });
    },
  );

  testWithMail(
    'for an asynchronous dog that only sends mail adds the bark to the history and does not count it',
    async () => {
      const dog = await testDogs.newDog({ ...addresses(), barkEffects: ['emailDog'], barkHandling: 'async' });
      const end = await settled(header(await service.post(`${dog}bark`), 'Location'));
      const { timestamp } = documentOf<Bark>(end);
      expect(end.status).toBe(200);
      expect(documentOf(await lastBarkOf(dog))).toEqual({ timestamp });
      expect(await dogAt(service, dog)).toMatchObject({ barkCount: 0, barks: { previous: [timestamp] } });
    },
  );

  test('ignores the query string', async () => {
    const dog = await testDogs.newDog();
    expect((await service.post(`${dog}bark?action=delete`)).status).toBe(201);
    expect((await service.delete(`${dog}bark?action=bark`)).status).toBe(204);
    expect((await service.get(`${dog}bark?action=bark`)).status).toBe(200);
    expect((await dogAt(service, dog)).barkCount).toBe(1);
  });
});

describe('GET /v1/dogs/{id}/bark', () => {
  test('returns the last bark of any kind', async () => {
    const dog = await testDogs.newDog();
    const { timestamp } = documentOf<Bark>(await service.post(`${dog}barks`));
    expect(documentOf(await lastBarkOf(dog))).toEqual({ timestamp });
    await service.post(`${dog}bark-schedule`, { token: 1, next: 0 });
    await service.post(`${dog}bark`);
    const { previous = [] } = (await dogAt(service, dog)).barks ?? {};
    expect(previous).toHaveLength(3);
    expect(documentOf(await lastBarkOf(dog))).toEqual({ timestamp: previous.at(-1) });
  });

  testWithMail('does not return a bark that only sent mail and is not in the history', async () => {
    const dog = await testDogs.newDog({ ...addresses(), barkEffects: ['emailDog'] });
    expect((await service.post(`${dog}barks`)).status).toBe(200);
    expect((await lastBarkOf(dog)).status).toBe(404);
    expect((await service.post(`${dog}bark`)).status).toBe(201);
    expect((await lastBarkOf(dog)).status).toBe(200);
  });
});

describe('DELETE /v1/dogs/{id}/bark', () => {
  test('returns 204 and changes nothing, whether or not the dog has barked', async () => {
    const [quiet, loud] = [await testDogs.newDog(), await testDogs.newDog()];
    await service.post(`${loud}bark`);
    await service.post(`${loud}bark-schedule`, { token: 1, next: 0, frequency: 10 });
    for (const dog of [quiet, loud]) {
      const before = [await stateOf(dog), (await lastBarkOf(dog)).status];
      for (const _ of [1, 2]) expect((await service.delete(`${dog}bark`)).status).toBe(204);
      expect([await stateOf(dog), (await lastBarkOf(dog)).status]).toEqual(before);
    }
  });
});
