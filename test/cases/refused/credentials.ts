import type { Access } from '../../../tools/service.ts';
import { basic } from '../../support/client.ts';
import { byGateway, type Case, type CaseGroup, type Fields, type Refusal } from './case.ts';

const base64url = (document: object) => Buffer.from(JSON.stringify(document)).toString('base64url');

/** Returns the values of the Authorization header that are not valid credentials. An empty value means no header. */
function invalidCredentials(access: Access): Readonly<Record<string, string>> {
  const { username, password, client_id = '', client_secret = '', refresh_token = '' } = access;
  const valid = basic(username, password);
  const forged = `${base64url({ alg: 'none', typ: 'at+jwt' })}.${base64url({ sub: username, exp: 4e9 })}.`;
  return {
    'no credentials': '',
    'credentials that are not Base64': 'Basic ?!?',
    'a wrong password': basic(username, 'x'),
    'a password with another letter': basic(username, `${password}x`),
    'a password without its last letter': basic(username, password.slice(0, -1)),
    'no password': basic(username, ''),
    'an unknown user': basic('no-such-user', password),
    'a user name in upper case': basic(username.toUpperCase(), password),
    'a user name with NUL': basic(`${username}\0`, password),
    'the name of a prototype': basic('__proto__', 'constructor'),
    'two credentials': `${valid}, ${valid}`,
    'another scheme': valid.replace('Basic', 'Digest'),
    'a client of the token endpoint': basic(client_id, client_secret),
    'a password as a token': `Bearer ${password}`,
    'a refresh token': `Bearer ${refresh_token}`,
    'a token without a valid signature': `Bearer ${forged}`,
    '8,000 characters': `Basic ${'A'.repeat(8_000)}`,
  };
}

/** Returns header fields with valid credentials, or with a user, in other places than the Authorization header. */
function misplacedCredentials({ username, password }: Access): Readonly<Record<string, Fields>> {
  const valid = basic(username, password);
  return {
    'credentials in the header for proxies': { 'Proxy-Authorization': valid },
    'credentials in headers with other names': {
      'X-Authorization': valid,
      'X-Amz-Security-Token': password,
    },
    'credentials in a cookie': { Cookie: `Authorization=${valid}` },
    'a user name in the headers of a proxy': { 'X-Forwarded-User': username, 'Remote-User': username },
    'a principal': {
      'X-Amzn-Principal': username,
      'X-Apigateway-Event': '{"requestContext":{"authorizer":{}}}',
    },
    'an address of this machine': { 'X-Forwarded-For': '127.0.0.1', Forwarded: 'for=127.0.0.1' },
  };
}

const unauthorized: Refusal & Pick<Case, 'only'> = {
  status: 401,
  detail:
    'The user name or the password is wrong, the access token is invalid or expired, or the credentials are missing. Send valid credentials in a single Authorization header, and no X-HTTP-Method-Override header.',
  headers: { 'WWW-Authenticate': 'Basic realm="dogs", charset="UTF-8", Bearer realm="dogs"' },
  only: byGateway,
};

const requests: readonly (readonly [request: string, body?: unknown])[] = [
  ['GET /v1/dogs/'],
  ['POST {dog}barks', {}],
  ['DELETE {dog}'],
];

/** Requests with another defect, which does not change the response to a request without credentials. */
const invalidRequests: readonly (readonly [request: string, body?: unknown])[] = [
  ['GET /v1/cats/'],
  ['GET /v1/dogs/?limit=0'],
  ['OPTIONS /v1/dogs/'],
  ['POST /'],
  ['PUT {dog}', []],
  ['PUT /v1/dogs/no-such-dog/', ' '.repeat(65_537)],
];

export function refusedCredentials(access: Access): CaseGroup[] {
  const credentials: [name: string, fields: Fields][] = [
    ...Object.entries(invalidCredentials(access)).map(([name, Authorization]): [string, Fields] => [
      name,
      { Authorization },
    ]),
    ...Object.entries(misplacedCredentials(access)).map(([name, fields]): [string, Fields] => [
      name,
      { ...fields, Authorization: '' },
    ]),
  ];
  return [
    ...requests.map(
      ([request, body]): CaseGroup => ({
        title: `${request} with invalid credentials`,
        dogs: ['new'],
        cases: credentials.map(([name, fields]) => ({
          ...{ name, request, body, fields },
          ...unauthorized,
        })),
      }),
    ),
    {
      title: 'A request without credentials',
      dogs: ['new'],
      cases: invalidRequests.map(([request, body]) => ({
        ...{ request, body, fields: { Authorization: '', 'Content-Type': 'application/json' } },
        ...unauthorized,
      })),
    },
  ];
}
