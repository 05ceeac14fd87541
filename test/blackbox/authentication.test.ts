import { basic, header } from '../support/client.ts';
import { access, service, stateOf, testDogs } from './support.ts';

const { username, password } = access;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const challenge = /^Basic realm="dogs", charset="UTF-8"/;

const refused: [string, string][] = [
  ['no credentials', ''],
  ['a scheme without credentials', 'Basic'],
  ['what is not base64', 'Basic ?!?'],
  ['the credentials in the clear', `Basic ${username}:${password}`],
  ['no colon', `Basic ${base64(username)}`],
  ['a wrong password', basic(username, `${password}x`)],
  ['a password that is cut off', basic(username, password.slice(0, -1))],
  ['no password', basic(username, '')],
  ['no user', basic('', password)],
  ['an unknown user', basic('nobody', password)],
  ['a user whose name no user can have', basic(`${username}\u0000`, password)],
  ['two credentials', `${service.authorization}, ${service.authorization}`],
  ['another scheme', service.authorization.replace('Basic', 'Digest')],
  ['a bearer token', `Bearer ${password}`],
  ['the password alone', password],
];

test.each(refused)('%s: 401 with a challenge', async (_, Authorization) => {
  const answer = await service.get('/v1/dogs/', { Authorization });
  expect(answer.status).toBe(401);
  expect(header(answer, 'WWW-Authenticate')).toMatch(challenge);
});

test.each(refused)('%s: no dog barks, changes or goes', async (_, Authorization) => {
  const path = await testDogs.newDog();
  const before = await stateOf(path);
  const answers = await Promise.all([
    service.post(`${path}barks`, {}, { Authorization }),
    service.put(path, { barkEffects: ['count'] }, { Authorization }),
    service.delete(path, { Authorization }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect(await stateOf(path)).toEqual(before);
});

test('the scheme is known in any case', async () => {
  const Authorization = service.authorization.replace('Basic', 'bASIC');
  expect((await service.get('/v1/dogs/', { Authorization })).status).toBe(200);
});

test('a good request makes no later bad one pass', async () => {
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
  ['an id that cannot be (404)', 'GET', '/v1/dogs/a.b/', undefined, {}],
  ['a method that the path does not answer (405)', 'DELETE', '/v1/dogs/', undefined, {}],
  [
    'a wrong content type (415)',
    'PUT',
    '/v1/dogs/no-such-dog/',
    Buffer.from('x'),
    { 'Content-Type': 'text/plain' },
  ],
  ['a body that is too large (413)', 'PUT', '/v1/dogs/no-such-dog/', { message: 'x'.repeat(70_000) }, {}],
  ['a bad body (422)', 'PUT', '/v1/dogs/no-such-dog/', [], {}],
  ['a bad page (400)', 'GET', '/v1/dogs/?limit=0', undefined, {}],
  ['a change of the root', 'POST', '/', undefined, {}],
  ['HEAD', 'HEAD', '/v1/dogs/', undefined, {}],
  ['OPTIONS', 'OPTIONS', '/v1/dogs/', undefined, {}],
])('without credentials %s is 401', async (_, method, path, body, fields) => {
  const answer = await service.send(method, path, { body, fields: { ...fields, Authorization: '' } });
  expect(answer.status).toBe(401);
});
