import { documentOf, dogAt, type Fields, header, type Problem } from '../support/client.ts';
import { faultyFields, httpDate, service, stateOf, testDogs, timeOfService } from './support.ts';

const text = (content: string) => Buffer.from(content);
const json = 'application/json';
const minute = 60;
const year = 365 * 24 * 3600;

/** What is wrong with a patch, what the message must speak of, and the fields that it must name. */
interface BadPatch {
  readonly body?: unknown;
  /** The date, in seconds from now. */
  readonly age?: number;
  readonly fields?: Fields;
  readonly says: RegExp;
  readonly pointers?: readonly string[];
}

const good = { barks: { next: 0, frequency: 10 } };
const barks = (members: object, says: RegExp): BadPatch => ({
  body: { barks: members },
  says,
  pointers: Object.keys(members)
    .filter((name) => says.test(name))
    .map((name) => `/barks/${name}`),
});
const byPut = (field: string, value: unknown): BadPatch => ({
  body: { ...good, [field]: value },
  says: /PUT/,
  pointers: [`/${field}`],
});

/** Each is tried on a dog with a schedule and on one without; `now` is in Unix seconds. */
const badPatches = (now: number): Record<string, BadPatch> => ({
  'no date': { fields: { 'If-Unmodified-Since': '' }, says: /If-Unmodified-Since/ },
  'a date that is none': { fields: { 'If-Unmodified-Since': 'yesterday' }, says: /yesterday.*date/ },
  'a date in ISO 8601': {
    fields: { 'If-Unmodified-Since': new Date(now * 1000).toISOString() },
    says: /date/,
  },
  'a date in Unix seconds': { fields: { 'If-Unmodified-Since': String(now) }, says: /date/ },
  'a date that no calendar has': {
    fields: { 'If-Unmodified-Since': 'Mon, 31 Feb 2028 10:00:00 GMT' },
    says: /date/,
  },
  'a date that is far ahead': { age: -6 * minute, says: /ahead/ },
  'a date from before the dog was made': { age: 2 * minute, says: /changed|made|created/ },
  'the tag of another state': { fields: { 'If-Match': '"rex"' }, says: /If-Match/ },
  'an If-Match that is none': { fields: { 'If-Match': 'rex' }, says: /If-Match/ },
  'no content type': { body: text(JSON.stringify(good)), says: /application\/merge-patch\+json/ },
  'a form': {
    body: text('next=0'),
    fields: { 'Content-Type': 'application/x-www-form-urlencoded' },
    says: /application\/json/,
  },
  'a JSON patch': {
    body: text('[{"op":"replace","path":"/barks/next","value":0}]'),
    fields: { 'Content-Type': 'application/json-patch+json' },
    says: /application\/merge-patch\+json/,
  },
  'no body': { body: text(''), fields: { 'Content-Type': json }, says: /empty/ },
  'nothing but spaces': { body: text('  '), fields: { 'Content-Type': json }, says: /JSON/ },
  'a brace that is not closed': {
    body: text('{"barks":'),
    fields: { 'Content-Type': json },
    says: /not valid JSON/,
  },
  'bytes that are not UTF-8': {
    body: Buffer.from([0x7b, 0xff, 0x7d]),
    fields: { 'Content-Type': json },
    says: /JSON|UTF-8/,
  },
  'a list': { body: [good], says: /object/, pointers: [''] },
  null: { body: text('null'), fields: { 'Content-Type': json }, says: /object/, pointers: [''] },
  'a string': { body: 'bark', says: /object/, pointers: [''] },
  'barks that are a list': { body: { barks: [0, 10] }, says: /barks/, pointers: ['/barks'] },
  'barks that are a number': { body: { barks: 0 }, says: /barks/, pointers: ['/barks'] },
  'barks that are false': { body: { barks: false }, says: /barks/, pointers: ['/barks'] },
  'an unknown field': { body: { ...good, loud: true }, says: /loud/, pointers: ['/loud'] },
  'an action': { body: { action: 'bark' }, says: /action/, pointers: ['/action'] },
  'an unknown field of barks': {
    body: { barks: { next: 0, loud: true } },
    says: /loud/,
    pointers: ['/barks/loud'],
  },
  'a token': { body: { barks: { token: 1, next: 0 } }, says: /token/, pointers: ['/barks/token'] },
  'next in words': barks({ next: 'now' }, /next/),
  'next in digits that are a string': barks({ next: '0' }, /next/),
  'next in ISO 8601': barks({ next: new Date(now * 1000).toISOString() }, /next/),
  'next null': barks({ next: null, frequency: 10 }, /next/),
  'next true': barks({ next: true }, /next/),
  'next with a fraction': barks({ next: now + 100.5 }, /next/),
  'a negative next': barks({ next: -1 }, /next/),
  'next 61 seconds past and more': barks({ next: now - 90 }, /next/),
  'next long past': barks({ next: 1, frequency: 10 }, /next/),
  'next over ten years ahead': barks({ next: now + 11 * year }, /next/),
  'next beyond all years': barks({ next: 1e300 }, /next/),
  'next that is infinite': {
    body: text('{"barks":{"next":1e999}}'),
    fields: { 'Content-Type': json },
    says: /next/,
    pointers: ['/barks/next'],
  },
  'next in milliseconds': {
    body: { barks: { next: (now + 3600) * 1000 } },
    says: /milliseconds/,
    pointers: ['/barks/next'],
  },
  'a frequency in words': barks({ next: 0, frequency: 'hourly' }, /frequency/),
  'a frequency that is a string': barks({ next: 0, frequency: '10' }, /frequency/),
  'a negative frequency': barks({ next: 0, frequency: -1 }, /frequency/),
  'a frequency with a fraction': barks({ next: 0, frequency: 1.5 }, /frequency/),
  'a frequency under a minute': barks({ next: 0, frequency: 0.5 }, /frequency/),
  'a frequency over a year': barks({ next: 0, frequency: 525_601 }, /frequency/),
  'a frequency that is true': barks({ next: 0, frequency: true }, /frequency/),
  'the key __proto__': {
    body: text('{"__proto__":{"barks":{"next":0}}}'),
    fields: { 'Content-Type': json },
    says: /__proto__/,
  },
  'the key __proto__ in barks': {
    body: text('{"barks":{"__proto__":{"next":0},"next":0}}'),
    fields: { 'Content-Type': json },
    says: /__proto__/,
  },
  'the key constructor': { body: { constructor: 1 }, says: /constructor/, pointers: ['/constructor'] },
  'a frequency that is infinite': {
    body: text('{"barks":{"next":0,"frequency":1e999}}'),
    fields: { 'Content-Type': json },
    says: /frequency/,
    pointers: ['/barks/frequency'],
  },
  'two faults': {
    body: { barks: { next: 'now', frequency: 'often' } },
    says: /next|frequency/,
    pointers: ['/barks/next', '/barks/frequency'],
  },
  'an e-mail address': byPut('email', 'rex@example.com'),
  'an owner': byPut('owner', 'mailto:rex@example.com'),
  'no more owner': byPut('owner', null),
  effects: byPut('barkEffects', ['count']),
  'a handling': byPut('barkHandling', 'async'),
  'another id': { body: { ...good, id: 'other' }, says: /id/, pointers: ['/id'] },
});

describe('a patch with', () => {
  const names = Object.keys(badPatches(0));

  test.each(names)('%s is 403, says why and changes nothing', async (name) => {
    const [without, scheduled] = await Promise.all([testDogs.newDog(), testDogs.newDog()]);
    const now = await timeOfService();
    const schedule = { token: 1, next: now + 3600, frequency: 10 };
    expect((await service.post(`${scheduled}bark-schedule`, schedule)).status).toBe(205);
    const bad = badPatches(now)[name] as BadPatch;
    for (const dog of [without, scheduled]) {
      const before = await stateOf(dog);
      const date = httpDate((await timeOfService()) - (bad.age ?? 0));
      const fields = { 'If-Unmodified-Since': date, ...bad.fields };
      const answer = await service.patch(dog, 'body' in bad ? bad.body : good, fields);
      const { detail } = documentOf<Problem>(answer);
      expect([answer.status, detail]).toEqual([403, expect.stringMatching(bad.says)]);
      expect(detail).toMatch(/^[A-Z"].{20,}[^\s]$/s);
      if (bad.pointers) expect(faultyFields(answer).toSorted()).toEqual(bad.pointers.toSorted());
      expect(await stateOf(dog)).toEqual(before);
    }
  });
});

test.each<[string, object, RegExp]>([
  ['a frequency alone', { frequency: 10 }, /next/],
  ['a frequency of null alone', { frequency: null }, /next/],
])('a patch of %s is 403 for a dog without a schedule', async (_, patch, says) => {
  const dog = await testDogs.newDog();
  const before = await stateOf(dog);
  const fields = { 'If-Unmodified-Since': httpDate(await timeOfService()) };
  const answer = await service.patch(dog, { barks: patch }, fields);
  expect([answer.status, documentOf<Problem>(answer).detail]).toEqual([403, expect.stringMatching(says)]);
  expect(faultyFields(answer)).toEqual(['/barks/next']);
  expect(await stateOf(dog)).toEqual(before);
});

test('a patch of another type is told by Accept-Patch which are taken', async () => {
  const dog = await testDogs.newDog();
  const fields = {
    'Content-Type': 'text/plain',
    'If-Unmodified-Since': httpDate(await timeOfService()),
  };
  const answer = await service.patch(dog, text('{}'), fields);
  expect(answer.status).toBe(403);
  expect(header(answer, 'Accept-Patch').split(/, */).sort()).toEqual([
    'application/json',
    'application/merge-patch+json',
  ]);
});

test('a patch of a dog that is not there is 404', async () => {
  const fields = { 'If-Unmodified-Since': httpDate(await timeOfService()) };
  const absent = testDogs.newPath();
  expect((await service.patch(absent, good, fields)).status).toBe(404);
  expect((await service.get(absent)).status).toBe(404);
});

test('a patch over 64 KiB is 413, whether the dog is there or not', async () => {
  const body = text(`${JSON.stringify(good)}${' '.repeat(65_536)}`);
  const fields = { 'If-Unmodified-Since': httpDate(await timeOfService()), 'Content-Type': json };
  const dog = await testDogs.newDog();
  for (const path of [dog, testDogs.newPath()])
    expect((await service.patch(path, body, fields)).status).toBe(413);
  expect((await dogAt(service, dog)).barkCount).toBe(0);
});

test('a patch of 64 KiB to the byte is taken', async () => {
  const start = JSON.stringify(good);
  const body = text(start.padEnd(65_536, ' '));
  const dog = await testDogs.newDog();
  const fields = { 'If-Unmodified-Since': httpDate(await timeOfService()), 'Content-Type': json };
  expect((await service.patch(dog, body, fields)).status).toBe(205);
});

test('a patch without credentials is 401', async () => {
  const dog = await testDogs.newDog();
  const fields = { 'If-Unmodified-Since': httpDate(await timeOfService()), Authorization: '' };
  expect((await service.patch(dog, good, fields)).status).toBe(401);
  expect((await dogAt(service, dog)).barkCount).toBe(0);
});

test('a patch that was refused may be sent again when it is right', async () => {
  const dog = await testDogs.newDog();
  const now = await timeOfService();
  const fields = { 'If-Unmodified-Since': httpDate(now) };
  const patch = { barks: { frequency: 10 } };
  expect((await service.patch(dog, patch, fields)).status).toBe(403);
  await service.post(`${dog}bark-schedule`, { token: 1, next: now + 3600 });
  const again = { 'If-Unmodified-Since': httpDate(now + 240) };
  expect((await service.patch(dog, patch, again)).status).toBe(205);
});
