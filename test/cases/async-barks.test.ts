import { allOf, type Bark, documentOf, dogAt, header } from '../support/client.ts';
import {
  accepted,
  asyncDog,
  mailsTo,
  service,
  settled,
  simulatedAddress,
  testDogs,
  testEach,
  testWithInbox,
} from './service.ts';

const withInbox = testWithInbox('the mail of asynchronous barks');

describe('an asynchronous bark', () => {
  testEach([
    [['emailDog'], 200],
    [['count'], 303],
    [['record'], 303],
  ])('with the effects %j is accepted with 202 and completes with %i', async (effects, status) => {
    const dog = await asyncDog(...effects);
    const bark = await accepted(dog);
    const document = { id: bark.split('/').at(-1), dog: `${service.baseUrl}${dog}` };
    expect(bark).toBe(`${document.dog}barks/${document.id}`);
    expect(documentOf(await service.get(bark))).toEqual({ ...document, timestamp: null, status: 'pending' });
    expect(await dogAt(service, dog)).toMatchObject({ barking: true, barkCount: 0 });

    const end = await settled(bark);
    const complete = { ...document, timestamp: expect.any(Number), status: 'complete' };
    expect(documentOf(end)).toEqual(complete);
    for (const response of [end, await service.head(bark)]) {
      expect(response.status).toBe(status);
      expect(header(response, 'Location')).toBe(status === 303 ? document.dog : '');
    }
    const barks = await allOf<Bark>(service, `${dog}barks`);
    expect(barks).toEqual(effects.includes('record') ? [documentOf<Bark>(end)] : []);
  });

  test.each([
    ['', 'text/html; charset=utf-8'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['application/json', 'application/json'],
    ['text/html;q=0.5, application/json', 'application/json'],
    ['application/json;charset=utf-8, text/plain, */*', 'application/json'],
    ['application/json ; charset=UTF-8, application/*+json, text/html;q=0.9', 'application/json'],
    ['application/json;profile="a, b;q=0;c";q=0.5, */*;q=0.1', 'application/json'],
    ['text/html;level=1, application/json;q=0.9', 'text/html; charset=utf-8'],
    ['application/json;charset=utf-8;q=0, */*', 'text/html; charset=utf-8'],
    ['text/html;q=0, */*', 'application/json'],
    ['*/*;q=0.5, application/json;indent=2', 'application/json'],
  ])('returns its URL in the format of Accept: %s', async (Accept, type) => {
    const response = await service.post(`${await asyncDog('record')}barks`, undefined, { Accept });
    expect([response.status, header(response, 'Content-Type')]).toEqual([202, type]);
    const expected = { 'Retry-After': '1', Vary: 'Accept, Prefer', 'Preference-Applied': '' };
    for (const [name, value] of Object.entries(expected)) expect(header(response, name)).toBe(value);
    const bark = header(response, 'Location');
    if (type === 'application/json') expect(documentOf(response)).toEqual({ bark, status: 'pending' });
    else expect(response.text).toContain(`<a href="${bark}">`);
  });

  test.each([
    ['respond-async', 202, 'respond-async'],
    ['note=5, RESPOND-ASYNC; x=1', 202, 'respond-async'],
    ['return=minimal', 201, ''],
    ['respond-asynchronously', 201, ''],
  ])(
    'is created for a synchronous dog only with respond-async: Prefer: %s',
    async (Prefer, status, applied) => {
      const dog = await testDogs.newDog();
      const response = await service.post(`${dog}barks`, undefined, { Prefer });
      expect([response.status, header(response, 'Preference-Applied')]).toEqual([status, applied]);
      expect((await settled(header(response, 'Location'))).status).toBe(status === 202 ? 303 : 200);
    },
  );

  test('does not change Last-Modified or the tag for If-Match while it is pending', async () => {
    const dog = await asyncDog('record');
    const tag = header(await service.get(dog), 'ETag');
    await service.delete(await accepted(dog));
    const bark = await accepted(dog);
    expect((await service.put(dog, {}, { 'If-Match': tag })).status).toBe(204);
    await service.delete(bark);
  });

  withInbox('mails its message once', async () => {
    const email = simulatedAddress();
    const dog = await testDogs.newDog({ email, barkEffects: ['emailDog'], barkHandling: 'async' });
    const response = await service.post(`${dog}barks`, { message: 'New code is in production' });
    await settled(header(response, 'Location'));
    expect(await mailsTo(email)).toMatchObject([
      { body: { text: expect.stringContaining('New code is in production') } },
    ]);
  });
});

describe('DELETE /v1/dogs/{id}/barks/{barkId}', () => {
  test('prevents the bark within the window, and returns 204 for each repeat', async () => {
    const email = simulatedAddress();
    const dog = await testDogs.newDog({ email, barkEffects: ['emailDog', 'record'], barkHandling: 'async' });
    const bark = await accepted(dog);
    expect((await service.delete(bark)).status).toBe(204);
    expect((await service.delete(bark)).status).toBe(204);
    expect(documentOf(await service.get(bark))).toMatchObject({ status: 'cancelled', timestamp: null });
    // A bark that was accepted later has completed, so the window of this bark is over.
    await settled(await accepted(await asyncDog('count')));
    expect(documentOf(await service.get(bark))).toMatchObject({ status: 'cancelled' });
    expect(await dogAt(service, dog)).toMatchObject({ barkCount: 0, barking: false });
    expect(await mailsTo(email)).toEqual([]);
  });

  test('returns 409 if the bark is complete or was synchronous', async () => {
    const bark = await accepted(await asyncDog('record'));
    await settled(bark);
    expect((await service.delete(bark)).status).toBe(409);
    const recorded = await service.post(`${await testDogs.newDog()}barks`);
    expect((await service.delete(header(recorded, 'Location'))).status).toBe(409);
  });

  test('returns 404 for an unknown bark and for a bark of a deleted dog', async () => {
    const dog = await asyncDog('record');
    expect((await service.delete(`${dog}barks/a01KAK0XW00ABCDEFGHJKMNPQRS`)).status).toBe(404);
    const bark = await accepted(dog);
    await service.delete(dog);
    expect((await service.delete(bark)).status).toBe(404);
    expect((await service.get(bark)).status).toBe(404);
  });
});
