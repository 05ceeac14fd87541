import { type Fields, header } from '../support/client.ts';
import { faultyFields, service, stateOf, testDogs } from './support.ts';

/** A request body, the status of the response, and the fields that the response names. */
interface BadBody {
  readonly body: unknown;
  readonly status: number;
  readonly pointers?: readonly string[];
  readonly type?: string;
}

const text = (content: string) => Buffer.from(content);
const json = 'application/json';
const tooLarge = text(`{}${' '.repeat(65_535)}`);

/** The bodies that every route refuses. */
const badEverywhere: Record<string, BadBody> = {
  'an unclosed brace': { body: text('{'), type: json, status: 400 },
  'only spaces': { body: text('  \n'), type: json, status: 400 },
  'two documents': { body: text('{}{}'), type: json, status: 400 },
  'a trailing comma': { body: text('{"message":"x",}'), type: json, status: 400 },
  'a form': { body: text('message=x'), type: 'application/x-www-form-urlencoded', status: 415 },
  'JSON with a text content type': { body: text('{}'), type: 'text/plain', status: 415 },
  'JSON without a content type': { body: text('{}'), status: 415 },
  'a content type that begins with application/json': {
    body: text('{}'),
    type: 'application/jsonlines',
    status: 415,
  },
  'a body of 65,537 bytes': { body: tooLarge, type: json, status: 413 },
  'a body of 65,537 bytes without a content type': { body: tooLarge, status: 413 },
  'a list': { body: [], status: 422, pointers: [''] },
  null: { body: text('null'), type: json, status: 422, pointers: [''] },
  'a number': { body: 3, status: 422, pointers: [''] },
  'a string': { body: 'message', status: 422, pointers: [''] },
  'an unknown field': { body: { loud: true }, status: 422, pointers: ['/loud'] },
  'an action': { body: { action: 'bark' }, status: 422, pointers: ['/action'] },
  'a field name that needs escaping': { body: { 'a/b~c': 1 }, status: 422, pointers: ['/a~1b~0c'] },
  'the key __proto__': { body: text('{"__proto__":{"message":"x"}}'), type: json, status: 400 },
  'the key constructor': { body: { constructor: 1 }, status: 422, pointers: ['/constructor'] },
};

const badBarks: Record<string, BadBody> = {
  'an empty message': { body: { message: '' }, status: 422, pointers: ['/message'] },
  'a message of 1001 letters': { body: { message: 'x'.repeat(1001) }, status: 422, pointers: ['/message'] },
  'a message of 1001 emoji': { body: { message: '🐶'.repeat(1001) }, status: 422, pointers: ['/message'] },
  'a message that is a number': { body: { message: 5 }, status: 422, pointers: ['/message'] },
  'a message that is null': { body: { message: null }, status: 422, pointers: ['/message'] },
  'a message that is an array': { body: { message: ['x'] }, status: 422, pointers: ['/message'] },
};

const badDogs: Record<string, BadBody> = {
  'no body': { body: undefined, status: 400 },
  'an empty body with a content type': { body: text(''), type: 'text/plain', status: 400 },
  'no effects': { body: { barkEffects: [] }, status: 422, pointers: ['/barkEffects'] },
  'effects that are not an array': {
    body: { barkEffects: 'count' },
    status: 422,
    pointers: ['/barkEffects'],
  },
  'effects that are null': { body: { barkEffects: null }, status: 422, pointers: ['/barkEffects'] },
  'a duplicate effect': {
    body: { barkEffects: ['count', 'count'] },
    status: 422,
    pointers: ['/barkEffects'],
  },
  'an unknown effect': {
    body: { barkEffects: ['count', 'bite'] },
    status: 422,
    pointers: ['/barkEffects/1'],
  },
  'an unknown bark handling': { body: { barkHandling: 'later' }, status: 422, pointers: ['/barkHandling'] },
  'a bark handling that is null': { body: { barkHandling: null }, status: 422, pointers: ['/barkHandling'] },
  'an effect without its address': { body: { barkEffects: ['emailDog'] }, status: 422, pointers: ['/email'] },
  'an effect without its owner': { body: { barkEffects: ['emailOwner'] }, status: 422, pointers: ['/owner'] },
  'two effects without addresses': {
    body: { barkEffects: ['emailDog', 'emailOwner'] },
    status: 422,
    pointers: ['/email', '/owner'],
  },
  'several invalid fields': {
    body: { email: 'rex', barkHandling: 'later', loud: true },
    status: 422,
    pointers: ['/barkHandling', '/email', '/loud'],
  },
  ...badFields('email', [
    'rex',
    'rex@',
    '@example.com',
    'rex@example.com, max@example.com',
    'Rex <rex@example.com>',
    'rex@example.com\r\nBcc: max@example.com',
    'rex @example.com',
    '',
    `${'x'.repeat(250)}@example.com`,
    7,
    null,
    ['rex@example.com'],
  ]),
  ...badFields('owner', [
    '',
    'a b',
    'mailto:<rex>',
    '%zz',
    `https://example.com/${'x'.repeat(2048)}`,
    7,
    null,
  ]),
  ...ownersWithoutAddress([
    'https://example.com/me',
    'mailto:',
    'mailto:rex',
    'mailto:rex@example.com?subject=hi',
    'mailto:rex@example.com,max@example.com',
    'mailto:rex@example.com%2Cmax@example.com',
    'mailto:rex@example.com%0D%0ABcc:max@example.com',
    'mailto:%ff@example.com',
  ]),
};

function badFields(field: string, values: readonly unknown[]): Record<string, BadBody> {
  const entries = values.map((value) => [
    `${field} ${JSON.stringify(value).slice(0, 60)}`,
    { body: { [field]: value }, status: 422, pointers: [`/${field}`] },
  ]);
  return Object.fromEntries(entries);
}

function ownersWithoutAddress(owners: readonly string[]): Record<string, BadBody> {
  const entries = owners.map((owner) => [
    `an owner with the mail URI ${owner}`,
    { body: { owner, barkEffects: ['emailOwner'] }, status: 422, pointers: ['/owner'] },
  ]);
  return Object.fromEntries(entries);
}

const fieldsOf = ({ type }: BadBody): Fields => (type === undefined ? {} : { 'Content-Type': type });

describe.each(['barks', 'bark'])('POST /v1/dogs/{id}/%s', (resource) => {
  test.each(Object.entries({ ...badEverywhere, ...badBarks }))(
    'returns an error and changes nothing for %s',
    async (_, bad) => {
      const dog = await testDogs.newDog();
      const before = await stateOf(dog);
      const response = await service.post(`${dog}${resource}`, bad.body, fieldsOf(bad));
      expect([response.status, faultyFields(response).sort()]).toEqual([
        bad.status,
        [...(bad.pointers ?? [])].sort(),
      ]);
      expect(await stateOf(dog)).toEqual(before);
    },
  );

  test('returns the supported types in Accept-Post for an unsupported content type', async () => {
    const response = await service.post(`${await testDogs.newDog()}${resource}`, text('<bark/>'), {
      'Content-Type': 'text/xml',
    });
    expect([response.status, header(response, 'Accept-Post')]).toEqual([415, 'application/json']);
  });
});

describe('PUT /v1/dogs/{id}', () => {
  test.each(Object.entries({ ...badEverywhere, ...badDogs }))(
    'returns an error and stores nothing for %s',
    async (_, bad) => {
      const [there, absent] = [await testDogs.newDog(), testDogs.newPath()];
      const before = await stateOf(there);
      for (const path of [there, absent]) {
        const response = await service.put(path, bad.body, fieldsOf(bad));
        expect([response.status, faultyFields(response).sort()]).toEqual([
          bad.status,
          [...(bad.pointers ?? [])].sort(),
        ]);
      }
      expect(await stateOf(there)).toEqual(before);
      expect((await service.get(absent)).status).toBe(404);
    },
  );

  test('returns the supported types in Accept for an unsupported content type', async () => {
    const response = await service.put(await testDogs.newDog(), text('<dog/>'), {
      'Content-Type': 'text/xml',
    });
    expect([response.status, header(response, 'Accept')]).toEqual([415, 'application/json']);
  });
});

describe('a request with several errors', () => {
  const absent = '/v1/dogs/no-such-dog/';
  test.each<[string, string, Buffer | object, Fields, number]>([
    ['413 before 415', `${absent}barks`, tooLarge, { 'Content-Type': 'text/plain' }, 413],
    ['413 before 400', `${absent}barks`, text('{'.repeat(65_537)), { 'Content-Type': json }, 413],
    ['415 before 400', `${absent}barks`, text('{'), { 'Content-Type': 'text/plain' }, 415],
    ['400 before 404', `${absent}barks`, text('{'), { 'Content-Type': json }, 400],
    ['422 before 404', `${absent}barks`, { loud: true }, {}, 422],
    ['404 of the path before 415', `${absent}paws`, text('x'), { 'Content-Type': 'text/plain' }, 404],
    ['404 of the path before 413', `${absent}paws`, tooLarge, {}, 404],
    ['405 before 415', absent, text('x'), { 'Content-Type': 'text/plain' }, 405],
    ['405 before 413', absent, tooLarge, {}, 405],
  ])('returns %s', async (_, path, body, fields, status) => {
    expect((await service.post(path, body, fields)).status).toBe(status);
  });

  test.each<[string, Buffer, Fields, number]>([
    ['413', tooLarge, { 'Content-Type': json }, 413],
    ['415', text('{'), { 'Content-Type': 'text/plain' }, 415],
    ['400', text('{'), { 'Content-Type': json }, 400],
  ])('returns %s before 422 for an invalid id', async (_, body, fields, status) => {
    expect((await service.put('/v1/dogs/a.b/', body, fields)).status).toBe(status);
  });
});

test('returns an error for each unknown field', async () => {
  const response = await service.put(testDogs.newPath(), { loud: 1, long: 2 });
  expect([response.status, faultyFields(response).sort()]).toEqual([422, ['/long', '/loud']]);
});

test('accepts white space before the parameters of a content type', async () => {
  const fields = { 'Content-Type': 'application/json ; charset=utf-8' };
  expect((await service.post(`${await testDogs.newDog()}barks`, text('{}'), fields)).status).toBe(201);
});

test('returns 422 for a message that is not valid Unicode, even if the dog mails it', async () => {
  const dog = await testDogs.newDog({ email: 'success@simulator.amazonses.com', barkEffects: ['emailDog'] });
  const body = text('{"message":"\\ud800"}');
  const response = await service.post(`${dog}barks`, body, { 'Content-Type': json });
  expect([response.status, faultyFields(response)]).toEqual([422, ['/message']]);
});
