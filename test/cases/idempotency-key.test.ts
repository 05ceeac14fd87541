import { eventually } from '@rest-actions/local-cloud/testing';
import { type ApiResponse, allOf, documentOf, dogAt, header } from '../support/client.ts';
import {
  addresses,
  essence,
  mailsTo,
  service,
  settled,
  simulatedAddress,
  skipTime,
  stateOf,
  testDogs,
  testEach,
  testWithInbox,
} from './service.ts';

const withInbox = testWithInbox('the test that a request with a key is mailed once');

const newKey = () => `"${crypto.randomUUID()}"`;

function send(
  dog: string,
  resource: string,
  key: string,
  { body, fields = {} }: { body?: unknown; fields?: Record<string, string> } = {},
): Promise<ApiResponse> {
  return service.post(`${dog}${resource}`, body, { 'Idempotency-Key': key, ...fields });
}

async function barksOf(dog: string): Promise<{ counted: number; recorded: number }> {
  const { barkCount: counted } = await dogAt(service, dog);
  return { counted, recorded: (await allOf(service, `${dog}barks`)).length };
}

describe('A repeated request with the same Idempotency-Key', () => {
  testEach([
    ['barks', { barkEffects: ['emailDog'] }, {}, 200],
    ['barks', { barkEffects: ['record'] }, {}, 201],
    ['barks', { barkEffects: ['count'] }, { Prefer: 'respond-async', Accept: 'application/json' }, 202],
    ['barks', { barkEffects: ['emailOwner', 'count'], barkHandling: 'sync' }, {}, 303],
    ['bark', { barkEffects: ['emailDog', 'record'] }, {}, 201],
    ['bark', { barkEffects: ['record'], barkHandling: 'async' }, {}, 202],
  ])(
    'to %s of a dog %j with %j returns the same response %i and makes the dog bark once',
    async (resource, settings, fields, status) => {
      const dog = await testDogs.newDog({ ...addresses(), ...settings });
      const key = newKey();
      const first = await send(dog, resource, key, { body: { message: 'Woof' }, fields });
      expect(first.status).toBe(status);
      if (status === 202) await settled(header(first, 'Location'));
      await skipTime(20);
      const after = await stateOf(dog);
      for (const path of [resource, `${resource}/`]) {
        const repeat = await send(dog, path, key, { body: { message: 'Woof' }, fields });
        expect(essence(repeat)).toEqual(essence(first));
        expect(header(repeat, 'X-Request-Id')).not.toBe(header(first, 'X-Request-Id'));
      }
      expect(await stateOf(dog)).toEqual(after);
    },
  );

  test('may have an empty object or null instead of an empty body', async () => {
    const dog = await testDogs.newDog();
    const key = newKey();
    const first = await send(dog, 'barks', key);
    for (const body of [{}, null])
      expect(essence(await send(dog, 'barks', key, { body }))).toEqual(essence(first));
  });

  test('returns the URL of an accepted bark in the format that each request accepts', async () => {
    const dog = await testDogs.newDog({ barkHandling: 'async' });
    const key = newKey();
    const hypertext = await send(dog, 'barks', key, { fields: { Accept: 'text/html' } });
    const json = await send(dog, 'barks', key, { fields: { Accept: 'application/json' } });
    expect(documentOf(json)).toEqual({ bark: header(hypertext, 'Location'), status: 'pending' });
  });

  test('does not restart a bark that was cancelled', async () => {
    const dog = await testDogs.newDog({ barkHandling: 'async' });
    const key = newKey();
    const location = header(await send(dog, 'barks', key), 'Location');
    expect((await service.delete(location)).status).toBe(204);
    expect(header(await send(dog, 'barks', key), 'Location')).toBe(location);
    expect(documentOf(await service.get(location))).toMatchObject({ status: 'cancelled' });
    expect(await dogAt(service, dog)).toMatchObject({ barkCount: 0, barking: false });
  });

  withInbox('sends one mail', async () => {
    const email = simulatedAddress();
    const dog = await testDogs.newDog({ email, barkEffects: ['emailDog', 'record'] });
    const key = newKey();
    for (const _ of [1, 2, 3]) expect((await send(dog, 'barks', key)).status).toBe(201);
    await eventually(async () => expect(await mailsTo(email)).toHaveLength(1));
  });
});

describe('The dog barks twice', () => {
  test('for one key at two resources or of two dogs', async () => {
    const [dog, other] = [await testDogs.newDog(), await testDogs.newDog()];
    const key = newKey();
    for (const path of [`${dog}barks`, `${dog}bark`, `${other}barks`])
      expect((await service.post(path, undefined, { 'Idempotency-Key': key })).status).toBe(201);
    expect([await barksOf(dog), await barksOf(other)]).toEqual([
      { counted: 2, recorded: 2 },
      { counted: 1, recorded: 1 },
    ]);
  });

  test('for one key if the dog is deleted and created again between the requests', async () => {
    const dog = await testDogs.newDog();
    const key = newKey();
    const first = await send(dog, 'barks', key);
    await service.delete(dog);
    expect((await send(dog, 'barks', key)).status).toBe(404);
    await service.put(dog, {});
    const second = await send(dog, 'barks', key);
    expect([second.status, header(second, 'Location') === header(first, 'Location')]).toEqual([201, false]);
    expect(await barksOf(dog)).toEqual({ counted: 1, recorded: 1 });
  });
});

describe.each(['barks', 'bark'])('POST /v1/dogs/{id}/%s with an Idempotency-Key', (resource) => {
  test('that was used before, and another message, returns 422 and changes nothing', async () => {
    const dog = await testDogs.newDog();
    const key = newKey();
    await send(dog, resource, key, { body: { message: 'Woof' } });
    const before = await stateOf(dog);
    const response = await send(dog, resource, key, { body: { message: 'Wuff' } });
    const type = `${service.baseUrl}/docs#problem-idempotency-key-reused`;
    expect([response.status, documentOf(response)]).toEqual([422, expect.objectContaining({ type })]);
    expect(await stateOf(dog)).toEqual(before);
  });

  test('can be used again after the request was refused', async () => {
    const dog = await testDogs.newDog();
    const key = newKey();
    expect((await send(dog, resource, key, { body: { loud: true } })).status).toBe(422);
    expect((await send(testDogs.newPath(), resource, key)).status).toBe(404);
    expect((await send(dog, resource, key)).status).toBe(201);
  });
});
