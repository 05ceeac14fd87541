import { allOf, type Bark, documentOf, dogAt, header } from '../support/client.ts';
import {
  addresses,
  patchBarks,
  service,
  settled,
  testDogs,
  testEach,
  testWithMail,
  timeOfService,
} from './service.ts';

const bytes = (text: string) => Buffer.from(text);

const barksOf = (dog: string) => allOf<Bark>(service, `${dog}barks`);

async function barkAsync(path: string): Promise<void> {
  const response = await service.post(path, undefined, { Prefer: 'respond-async' });
  await settled(header(response, 'Location'));
}

/** The ways to make a dog bark now. Only a bark that is a resource can leave the history unchanged. */
const routes: [string, (dog: string) => Promise<unknown>][] = [
  ['POST to barks', (dog) => service.post(`${dog}barks`)],
  ['POST to barks with Prefer: respond-async', (dog) => barkAsync(`${dog}barks`)],
  ['POST to bark', (dog) => service.post(`${dog}bark`)],
  ['POST to bark with Prefer: respond-async', (dog) => barkAsync(`${dog}bark`)],
  ['POST to bark-schedule', (dog) => service.post(`${dog}bark-schedule`, { token: 7, next: 0 })],
  ['PATCH', (dog) => patchBarks(dog, { next: 0 })],
];

describe.each(routes)('%s for a dog with the effects', (route, bark) => {
  testEach([
    [['emailDog'], 0, 0],
    [['count'], 1, 0],
    [['record', 'count', 'emailOwner', 'emailDog'], 1, 1],
  ])('%j counts %i and records %i', async (barkEffects, barkCount, recorded) => {
    const dog = await testDogs.newDog({ ...addresses(), barkEffects, barkHandling: 'sync' });
    await bark(dog);
    const inHistory = route.startsWith('POST to barks') ? barkCount : 1;
    const { barks, ...shown } = await dogAt(service, dog);
    expect([shown, barks?.previous.length ?? 0]).toMatchObject([{ barkCount, barking: false }, inHistory]);
    expect(await barksOf(dog)).toHaveLength(recorded);
  });
});

describe('POST /v1/dogs/{id}/barks', () => {
  testEach([
    [['emailDog', 'emailOwner'], 200],
    [['emailDog', 'count'], 303],
    [['record'], 201],
  ])('for a dog with the effects %j returns %i and the bark', async (barkEffects, status) => {
    const dog = await testDogs.newDog({ ...addresses(), barkEffects, barkHandling: 'sync' });
    const response = await service.post(`${dog}barks`);
    const url = `${service.baseUrl}${dog}`;
    const { timestamp, ...bark } = documentOf<Bark>(response);
    const [recorded] = await barksOf(dog);
    expect(bark).toEqual({ ...(recorded && { id: recorded.id }), dog: url, status: 'complete' });
    expect(Number.isInteger(timestamp)).toBe(true);
    expect(Math.abs(timestamp - (await timeOfService()))).toBeLessThan(30);
    const location = { 200: '', 303: url, 201: `${url}barks/${recorded?.id}` }[status];
    expect([response.status, header(response, 'Location')]).toEqual([status, location]);
    if (recorded) expect((await service.get(location ?? '')).text).toBe(response.text);
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

  testWithMail('returns 202 by default for a dog that notifies its owner', async () => {
    const dog = await testDogs.newDog({ ...addresses(), barkEffects: ['emailOwner', 'count'] });
    expect((await service.post(`${dog}barks`)).status).toBe(202);
  });
});

testWithMail.each([
  ['no body', undefined, {}],
  ['an empty body with a text content type', bytes(''), { 'Content-Type': 'text/plain' }],
  ['a message of 1000 characters outside the Basic Multilingual Plane', { message: '🐶'.repeat(1000) }, {}],
  ['a message of several lines', { message: 'one\r\ntwo\n\u0000three' }, {}],
  [
    'a content type in capitals with a charset',
    bytes('{}'),
    { 'Content-Type': 'APPLICATION/JSON; charset=utf-8' },
  ],
  ['exactly 64 KiB', bytes(`{}${' '.repeat(65_534)}`), { 'Content-Type': 'application/json' }],
])('the document of a bark may be %s', async (_, body, fields) => {
  const dog = await testDogs.newDog({ ...addresses(), barkEffects: ['emailDog', 'record'] });
  expect((await service.post(`${dog}barks`, body, fields)).status).toBe(201);
});

// Some generated clients send null if their caller gives no body.
test.each(['barks', 'bark'])('POST to %s treats null like an empty body', async (resource) => {
  const dog = await testDogs.newDog();
  const fields = { 'Content-Type': 'application/json' };
  for (const body of ['null', ' null\r\n'])
    expect((await service.post(`${dog}${resource}`, bytes(body), fields)).status).toBe(201);
  expect(
    (await service.post(`${dog}${resource}`, bytes('null'), { 'Content-Type': 'text/plain' })).status,
  ).toBe(415);
});

test.each(['barks', 'bark'])('POST to %s ignores a query string', async (resource) => {
  const dog = await testDogs.newDog();
  const response = await service.post(
    `${dog}${resource}?action=delete&barkEffects=emailDog&id=other&after=.`,
  );
  expect(response.status).toBe(201);
  expect(header(response, 'Location')).toMatch(new RegExp(`^${service.baseUrl}${dog}${resource}(/\\w+)?$`));
  const { barkCount, barkEffects } = await dogAt(service, `${dog}?action=bark`);
  expect([barkCount, barkEffects]).toEqual([1, ['record']]);
});
