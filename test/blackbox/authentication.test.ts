import { basic, header } from '../support/client.ts';
import { access, service, stateOf, testDogs } from './support.ts';

const { username, password } = access;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const challenge = /^Basic realm="dogs", charset="UTF-8"/;

const refused: [string, string][] = [
  ['no credentials', ''],
  ['a scheme without credentials', 'Basic'],
  ['credentials that are not base64', 'Basic ?!?'],
  ['credentials that are not encoded', `Basic ${username}:${password}`],
  ['no colon', `Basic ${base64(username)}`],
  ['a wrong password', basic(username, `${password}x`)],
  ['a truncated password', basic(username, password.slice(0, -1))],
  ['no password', basic(username, '')],
  ['no user', basic('', password)],
  ['an unknown user', basic('no-such-user', password)],
  ['a user name that no user can have', basic(`${username}\u0000`, password)],
  ['two credentials', `${service.authorization}, ${service.authorization}`],
  ['another scheme', service.authorization.replace('Basic', 'Digest')],
  ['a bearer token', `Bearer ${password}`],
  ['the password without a user name', password],
];

test.each(refused)('returns 401 with a challenge for %s', async (_, Authorization) => {
  const response = await service.get('/v1/dogs/', { Authorization });
  expect(response.status).toBe(401);
  expect(header(response, 'WWW-Authenticate')).toMatch(challenge);
});

describe('A dog', () => {
  let path: string;
  let before: object;

  beforeAll(async () => {
    path = await testDogs.newDog();
    before = await stateOf(path);
  });

  test.each(refused)('is not changed or deleted, and does not bark, for %s', async (_, Authorization) => {
    const responses = await Promise.all([
      service.post(`${path}barks`, {}, { Authorization }),
      service.put(path, { barkEffects: ['count'] }, { Authorization }),
      service.delete(path, { Authorization }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  test('has the same state after these requests', async () => {
    expect(await stateOf(path)).toEqual(before);
  });
});

test('accepts the scheme in upper and lower case', async () => {
  const Authorization = service.authorization.replace('Basic', 'bASIC');
  expect((await service.get('/v1/dogs/', { Authorization })).status).toBe(200);
});

test('refuses wrong credentials after a request with correct ones', async () => {
  for (const [Authorization, status] of [
    [service.authorization, 200],
    [basic(username, 'wrong'), 401],
    [service.authorization, 200],
  ] as const)
    expect((await service.get('/v1/dogs/', { Authorization })).status).toBe(status);
});

test.each([
  ['an unknown path (404)', 'GET', '/v1/cats/', undefined, {}],
  ['an unknown dog (404)', 'GET', '/v1/dogs/no-such-dog/', undefined, {}],
  ['an invalid id (404)', 'GET', '/v1/dogs/a.b/', undefined, {}],
  ['a method that the path does not support (405)', 'DELETE', '/v1/dogs/', undefined, {}],
  [
    'a wrong content type (415)',
    'PUT',
    '/v1/dogs/no-such-dog/',
    Buffer.from('x'),
    { 'Content-Type': 'text/plain' },
  ],
  ['a body that is too large (413)', 'PUT', '/v1/dogs/no-such-dog/', { message: 'x'.repeat(70_000) }, {}],
  ['an invalid body (422)', 'PUT', '/v1/dogs/no-such-dog/', [], {}],
  ['an invalid page (400)', 'GET', '/v1/dogs/?limit=0', undefined, {}],
  ['a change of the root', 'POST', '/', undefined, {}],
  ['HEAD', 'HEAD', '/v1/dogs/', undefined, {}],
  ['OPTIONS', 'OPTIONS', '/v1/dogs/', undefined, {}],
])('returns 401 without credentials for %s', async (_, method, path, body, fields) => {
  const response = await service.send(method, path, { body, fields: { ...fields, Authorization: '' } });
  expect(response.status).toBe(401);
});
