import { documentOf, dogAt, type Fields, header, type Problem } from '../support/client.ts';
import { faultyFields, httpDate, service, stateOf, testDogs, timeOfService } from './support.ts';

const text = (content: string) => Buffer.from(content);
const json = 'application/json';
const minute = 60;
const year = 365 * 24 * 3600;

/** An invalid patch, the pattern that the error message matches, and the fields that the response names. */
interface BadPatch {
  readonly body?: unknown;
  /** The age of the If-Unmodified-Since date in seconds. */
  readonly age?: number;
  readonly fields?: Fields;
  readonly message: RegExp;
  readonly pointers?: readonly string[];
}

const good = { barks: { next: 0, frequency: 10 } };
const barks = (members: object, message: RegExp): BadPatch => ({
  body: { barks: members },
  message,
  pointers: Object.keys(members)
    .filter((name) => message.test(name))
    .map((name) => `/barks/${name}`),
});
const byPut = (field: string, value: unknown): BadPatch => ({
  body: { ...good, [field]: value },
  message: /PUT/,
  pointers: [`/${field}`],
});

/**
 * Returns the invalid patches. The tests send each patch to a dog with a schedule and to one without. `now` is in Unix seconds.
 */
const badPatches = (now: number): Record<string, BadPatch> => ({
  'no date': { fields: { 'If-Unmodified-Since': '' }, message: /If-Unmodified-Since/ },
  'an invalid date': { fields: { 'If-Unmodified-Since': 'yesterday' }, message: /yesterday.*date/ },
  'a date in ISO 8601': {
    fields: { 'If-Unmodified-Since': new Date(now * 1000).toISOString() },
    message: /date/,
  },
  'a date in Unix seconds': { fields: { 'If-Unmodified-Since': String(now) }, message: /date/ },
  'a date that does not exist': {
    fields: { 'If-Unmodified-Since': 'Mon, 31 Feb 2028 10:00:00 GMT' },
    message: /date/,
  },
  'a date that is far in the future': { age: -6 * minute, message: /ahead/ },
  'a date from before the dog was created': { age: 2 * minute, message: /changed|made|created/ },
  'the tag of another state': { fields: { 'If-Match': '"rex"' }, message: /If-Match/ },
  'an invalid If-Match': { fields: { 'If-Match': 'rex' }, message: /If-Match/ },
  'no content type': { body: text(JSON.stringify(good)), message: /application\/merge-patch\+json/ },
  'a form': {
    body: text('next=0'),
    fields: { 'Content-Type': 'application/x-www-form-urlencoded' },
    message: /application\/json/,
  },
  'a JSON Patch': {
    body: text('[{"op":"replace","path":"/barks/next","value":0}]'),
    fields: { 'Content-Type': 'application/json-patch+json' },
    message: /application\/merge-patch\+json/,
  },
  'no body': { body: text(''), fields: { 'Content-Type': json }, message: /empty/ },
  'only spaces': { body: text('  '), fields: { 'Content-Type': json }, message: /JSON/ },
  'an unclosed brace': {
    body: text('{"barks":'),
    fields: { 'Content-Type': json },
    message: /not valid JSON/,
  },
  'bytes that are not UTF-8': {
    body: Buffer.from([0x7b, 0xff, 0x7d]),
    fields: { 'Content-Type': json },
    message: /JSON|UTF-8/,
  },
  'a list': { body: [good], message: /object/, pointers: [''] },
  null: { body: text('null'), fields: { 'Content-Type': json }, message: /object/, pointers: [''] },
  'a string': { body: 'bark', message: /object/, pointers: [''] },
  'barks that are an array': { body: { barks: [0, 10] }, message: /barks/, pointers: ['/barks'] },
  'barks that are a number': { body: { barks: 0 }, message: /barks/, pointers: ['/barks'] },
  'barks that are false': { body: { barks: false }, message: /barks/, pointers: ['/barks'] },
  'an unknown field': { body: { ...good, loud: true }, message: /loud/, pointers: ['/loud'] },
  'an action': { body: { action: 'bark' }, message: /action/, pointers: ['/action'] },
  'an unknown field of barks': {
    body: { barks: { next: 0, loud: true } },
    message: /loud/,
    pointers: ['/barks/loud'],
  },
  'a token': { body: { barks: { token: 1, next: 0 } }, message: /token/, pointers: ['/barks/token'] },
  'next in words': barks({ next: 'now' }, /next/),
  'next as a string of digits': barks({ next: '0' }, /next/),
  'next in ISO 8601': barks({ next: new Date(now * 1000).toISOString() }, /next/),
  'next null': barks({ next: null, frequency: 10 }, /next/),
  'next true': barks({ next: true }, /next/),
  'next with a fraction': barks({ next: now + 100.5 }, /next/),
  'a negative next': barks({ next: -1 }, /next/),
  'next more than 60 seconds ago': barks({ next: now - 90 }, /next/),
  'next in the distant past': barks({ next: 1, frequency: 10 }, /next/),
  'next more than ten years ahead': barks({ next: now + 11 * year }, /next/),
  'next beyond the range of dates': barks({ next: 1e300 }, /next/),
  'next that is infinite': {
    body: text('{"barks":{"next":1e999}}'),
    fields: { 'Content-Type': json },
    message: /next/,
    pointers: ['/barks/next'],
  },
  'next in milliseconds': {
    body: { barks: { next: (now + 3600) * 1000 } },
    message: /milliseconds/,
    pointers: ['/barks/next'],
  },
  'a frequency in words': barks({ next: 0, frequency: 'hourly' }, /frequency/),
  'a frequency that is a string': barks({ next: 0, frequency: '10' }, /frequency/),
  'a negative frequency': barks({ next: 0, frequency: -1 }, /frequency/),
  'a frequency with a fraction': barks({ next: 0, frequency: 1.5 }, /frequency/),
  'a frequency below one minute': barks({ next: 0, frequency: 0.5 }, /frequency/),
  'a frequency above one year': barks({ next: 0, frequency: 525_601 }, /frequency/),
  'a frequency that is true': barks({ next: 0, frequency: true }, /frequency/),
  'the key __proto__': {
    body: text('{"__proto__":{"barks":{"next":0}}}'),
    fields: { 'Content-Type': json },
    message: /__proto__/,
  },
  'the key __proto__ in barks': {
    body: text('{"barks":{"__proto__":{"next":0},"next":0}}'),
    fields: { 'Content-Type': json },
    message: /__proto__/,
  },
  'the key constructor': { body: { constructor: 1 }, message: /constructor/, pointers: ['/constructor'] },
  'a frequency that is infinite': {
    body: text('{"barks":{"next":0,"frequency":1e999}}'),
    fields: { 'Content-Type': json },
    message: /frequency/,
    pointers: ['/barks/frequency'],
  },
  'two invalid fields': {
    body: { barks: { next: 'now', frequency: 'often' } },
    message: /next|frequency/,
    pointers: ['/barks/next', '/barks/frequency'],
  },
  'an email address': byPut('email', 'rex@example.com'),
  'an owner': byPut('owner', 'mailto:rex@example.com'),
  'an owner that is null': byPut('owner', null),
  effects: byPut('barkEffects', ['count']),
  'a handling': byPut('barkHandling', 'async'),
  'another id': { body: { ...good, id: 'other' }, message: /id/, pointers: ['/id'] },
});

describe('PATCH /v1/dogs/{id}', () => {
  const names = Object.keys(badPatches(0));

  test.each(names)('returns 403 with the reason and changes nothing for %s', async (name) => {
    const [without, scheduled] = await Promise.all([testDogs.newDog(), testDogs.newDog()]);
    const now = await timeOfService();
    const schedule = { token: 1, next: now + 3600, frequency: 10 };
    expect((await service.post(`${scheduled}bark-schedule`, schedule)).status).toBe(205);
    const bad = badPatches(now)[name] as BadPatch;
    for (const dog of [without, scheduled]) {
      const before = await stateOf(dog);
      const date = httpDate((await timeOfService()) - (bad.age ?? 0));
      const fields = { 'If-Unmodified-Since': date, ...bad.fields };
      const response = await service.patch(dog, 'body' in bad ? bad.body : good, fields);
      const { detail } = documentOf<Problem>(response);
      expect([response.status, detail]).toEqual([403, expect.stringMatching(bad.message)]);
      expect(detail).toMatch(/^[A-Z"].{20,}[^\s]$/s);
      if (bad.pointers) expect(faultyFields(response).toSorted()).toEqual(bad.pointers.toSorted());
      expect(await stateOf(dog)).toEqual(before);
    }
  });
});

test.each<[string, object, RegExp]>([
  ['only a frequency', { frequency: 10 }, /next/],
  ['only a frequency of null', { frequency: null }, /next/],
])('a PATCH of %s returns 403 for a dog without a schedule', async (_, patch, message) => {
  const dog = await testDogs.newDog();
  const before = await stateOf(dog);
  const fields = { 'If-Unmodified-Since': httpDate(await timeOfService()) };
  const response = await service.patch(dog, { barks: patch }, fields);
  expect([response.status, documentOf<Problem>(response).detail]).toEqual([
    403,
    expect.stringMatching(message),
  ]);
  expect(faultyFields(response)).toEqual(['/barks/next']);
  expect(await stateOf(dog)).toEqual(before);
});

test('a PATCH of an unsupported content type returns the supported types in Accept-Patch', async () => {
  const dog = await testDogs.newDog();
  const fields = {
    'Content-Type': 'text/plain',
    'If-Unmodified-Since': httpDate(await timeOfService()),
  };
  const response = await service.patch(dog, text('{}'), fields);
  expect(response.status).toBe(403);
  expect(header(response, 'Accept-Patch').split(/, */).sort()).toEqual([
    'application/json',
    'application/merge-patch+json',
  ]);
});

test('a PATCH of a dog that does not exist returns 404', async () => {
  const fields = { 'If-Unmodified-Since': httpDate(await timeOfService()) };
  const absent = testDogs.newPath();
  expect((await service.patch(absent, good, fields)).status).toBe(404);
  expect((await service.get(absent)).status).toBe(404);
});

test('a PATCH over 64 KiB returns 413, even if the dog does not exist', async () => {
  const body = text(`${JSON.stringify(good)}${' '.repeat(65_536)}`);
  const fields = { 'If-Unmodified-Since': httpDate(await timeOfService()), 'Content-Type': json };
  const dog = await testDogs.newDog();
  for (const path of [dog, testDogs.newPath()])
    expect((await service.patch(path, body, fields)).status).toBe(413);
  expect((await dogAt(service, dog)).barkCount).toBe(0);
});

test('a PATCH of exactly 64 KiB succeeds', async () => {
  const start = JSON.stringify(good);
  const body = text(start.padEnd(65_536, ' '));
  const dog = await testDogs.newDog();
  const fields = { 'If-Unmodified-Since': httpDate(await timeOfService()), 'Content-Type': json };
  expect((await service.patch(dog, body, fields)).status).toBe(205);
});

test('a PATCH without credentials returns 401', async () => {
  const dog = await testDogs.newDog();
  const fields = { 'If-Unmodified-Since': httpDate(await timeOfService()), Authorization: '' };
  expect((await service.patch(dog, good, fields)).status).toBe(401);
  expect((await dogAt(service, dog)).barkCount).toBe(0);
});

test('a PATCH that was refused succeeds once the dog has a schedule', async () => {
  const dog = await testDogs.newDog();
  const now = await timeOfService();
  const fields = { 'If-Unmodified-Since': httpDate(now) };
  const patch = { barks: { frequency: 10 } };
  expect((await service.patch(dog, patch, fields)).status).toBe(403);
  await service.post(`${dog}bark-schedule`, { token: 1, next: now + 3600 });
  const again = { 'If-Unmodified-Since': httpDate(now + 240) };
  expect((await service.patch(dog, patch, again)).status).toBe(205);
});
