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
  testEach([[['record']], [['emailDog', 'emailOwner', 'record']], [['count']], [['emailDog']]])(
    'for a dog with the effects %j returns 201 with the last bark and a link to the recorded one',
    async (barkEffects) => {
      const dog = await testDogs.newDog({ ...addresses(), barkEffects, barkHandling: 'sync' });
      const response = await service.post(`${dog}bark`);
      expect([response.status, header(response, 'Location')]).toEqual([201, `${service.baseUrl}${dog}bark`]);
      const { timestamp } = documentOf<Bark>(response);
      expect(Math.abs(timestamp - (await timeOfService()))).toBeLessThan(30);
      expect((await dogAt(service, dog)).barks).toEqual({ previous: [timestamp] });
      const [recorded] = await allOf<Bark>(service, `${dog}barks`);
      const url = recorded && `${service.baseUrl}${dog}barks/${recorded.id}`;
      const shown = await lastBarkOf(dog);
      for (const one of [response, shown])
        expect([documentOf(one), linkOf(one)]).toEqual([{ timestamp }, url]);
      if (url)
        expect(documentOf(await service.get(url))).toEqual({ ...recorded, timestamp, status: 'complete' });
    },
  );

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
