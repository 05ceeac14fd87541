import type { Access } from '../../tools/service.ts';
import { basic } from '../support/client.ts';
import { byGateway, bytes, type Case, type CaseGroup, json, type Refusal } from './case.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (document: object) => Buffer.from(JSON.stringify(document)).toString('base64url');

/** Returns the values of the Authorization header that are not valid credentials. An empty value means no header. */
export function invalidCredentials(access: Access): Readonly<Record<string, string>> {
  const { username, password, client_id = '', client_secret = '', refresh_token = '' } = access;
  const valid = basic(username, password);
  const forged = `${base64url({ alg: 'none', typ: 'at+jwt' })}.${base64url({ sub: username, exp: 4e9 })}.`;
  return {
    'no credentials': '',
    'only a scheme': 'Basic',
    'credentials that are not Base64': 'Basic ?!?',
    'credentials that are not encoded': `Basic ${username}:${password}`,
    'credentials that are encoded twice': `Basic ${base64(base64(`${username}:${password}`))}`,
    'a colon': basic('', ''),
    'a user and no colon': `Basic ${base64(username)}`,
    'a wrong password': basic(username, 'x'),
    'a password with another letter': basic(username, `${password}x`),
    'a password with a space': basic(username, `${password} `),
    'a password without its last letter': basic(username, password.slice(0, -1)),
    'no password': basic(username, ''),
    'no user': basic('', password),
    'an unknown user': basic('no-such-user', password),
    'an unknown user without a password': basic('no-such-user', ''),
    'a user name in upper case': basic(username.toUpperCase(), password),
    'a user name with a space': basic(`${username} `, password),
    'a user name with NUL': basic(`${username}\0`, password),
    'the name of a prototype': basic('__proto__', 'constructor'),
    'text after the credentials': `${valid} x`,
    'a comma after the credentials': `${valid},`,
    'two credentials': `${valid}, ${valid}`,
    'another scheme': valid.replace('Basic', 'Digest'),
    'a password without a scheme': password,
    'a client of the token endpoint': basic(client_id, client_secret),
    'a password as a token': `Bearer ${password}`,
    'a refresh token': `Bearer ${refresh_token}`,
    'a token without a valid signature': `Bearer ${forged}`,
    '8,000 characters': `Basic ${'A'.repeat(8_000)}`,
  };
}

const unauthorized: Refusal = {
  status: 401,
  headers: { 'WWW-Authenticate': 'Basic realm="dogs", charset="UTF-8", Bearer realm="dogs"' },
};

const requests: readonly (Pick<Case, 'method' | 'path' | 'body'> & { readonly title: string })[] = [
  { title: 'GET /v1/dogs', method: 'GET', path: '/v1/dogs/' },
  { title: 'POST /v1/dogs/{id}/barks', method: 'POST', path: 'barks', body: bytes({}) },
  { title: 'PUT /v1/dogs/{id}', method: 'PUT', path: '', body: bytes({ barkEffects: ['count'] }) },
  { title: 'DELETE /v1/dogs/{id}', method: 'DELETE', path: '' },
];

/** Other defects, which do not change the response to a request without credentials. */
const otherwiseInvalid: readonly (Pick<Case, 'name' | 'method' | 'path'> & Partial<Case>)[] = [
  { name: 'an unknown path', method: 'GET', path: '/v1/cats/' },
  { name: 'an unknown dog', method: 'GET', path: '/v1/dogs/no-such-dog/' },
  { name: 'an invalid ID', method: 'GET', path: '/v1/dogs/a.b/' },
  { name: 'a method that the path does not support', method: 'DELETE', path: '/v1/dogs/' },
  { name: 'a change of the root', method: 'POST', path: '/' },
  {
    name: 'another content type',
    method: 'PUT',
    path: '',
    fields: { 'Content-Type': 'text/plain' },
    body: bytes('x'),
  },
  { name: 'a body of 65,537 bytes', method: 'PUT', path: '', body: bytes(' '.repeat(65_537)) },
  { name: 'an invalid body', method: 'PUT', path: '', body: bytes([]) },
  { name: 'a valid PATCH without a date', method: 'PATCH', path: '', body: bytes({ barks: { next: 0 } }) },
  { name: 'an invalid page', method: 'GET', path: '/v1/dogs/?limit=0' },
  { name: 'HEAD', method: 'HEAD', path: '/v1/dogs/' },
  { name: 'OPTIONS', method: 'OPTIONS', path: '/v1/dogs/' },
];

/** Returns the requests that the authorizer refuses. */
export function refusedCredentials(access: Access): CaseGroup[] {
  const credentials = Object.entries(invalidCredentials(access));
  return [
    ...requests.map(
      ({ title, ...request }): CaseGroup => ({
        title,
        dogs: ['new'],
        cases: credentials.map(([name, Authorization]) => ({
          name,
          ...request,
          fields: { ...(request.body && json), Authorization },
          ...unauthorized,
          only: byGateway,
        })),
      }),
    ),
    {
      title: 'A request without credentials',
      dogs: ['new'],
      cases: otherwiseInvalid.map((one) => ({
        ...one,
        fields: { ...(one.body && json), ...one.fields, Authorization: '' },
        ...unauthorized,
        only: byGateway,
      })),
    },
  ];
}
