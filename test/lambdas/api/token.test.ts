import { handler as issueToken } from '../../../lambdas/api/oauth2/token.ts';
import { handler as getKeys } from '../../../lambdas/api/well-known/jwks.ts';
import { createClient, revokeClient } from '../../../lambdas/domain/access/clients.ts';
import { createGrant, revokeGrant } from '../../../lambdas/domain/access/grants.ts';
import { createUser, revokeUser } from '../../../lambdas/domain/access/users.ts';
import { userOfToken } from '../../../lambdas/domain/tokens/access-token.ts';
import { ensureKey } from '../../../lambdas/domain/tokens/signing-keys.ts';
import { useDatabase } from '../../support/database.ts';
import { calls, injectFaults, plan, reset } from '../../support/faults.ts';
import { invoke } from '../../support/invoke.ts';

useDatabase();
beforeAll(injectFaults);

function newContext() {
  return { now: Date.now(), signal: AbortSignal.timeout(8_000) };
}

/** The parameters of a valid request. */
let valid: Record<'client_id' | 'client_secret' | 'refresh_token' | 'grant_type', string>;
let grant: string;
const logged = jest.spyOn(console, 'error');

beforeEach(async () => {
  reset();
  await ensureKey(newContext);
  await createUser('jane', { replace: true }, newContext());
  const client_secret = await createClient('walker', { replace: true }, newContext());
  const granted = await createGrant('jane', 'walker', { replace: true }, newContext());
  grant = granted.grant;
  valid = {
    client_id: 'walker',
    client_secret,
    refresh_token: granted.refreshToken,
    grant_type: 'refresh_token',
  };
  reset();
  logged.mockReset().mockImplementation(() => {});
});

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';

/** Each body as a form and as JSON. */
const encodings: [string, string, (parameters: object) => string][] = [
  ['a form', form, (parameters) => new URLSearchParams(parameters as Record<string, string>).toString()],
  ['JSON', json, (parameters) => JSON.stringify(parameters)],
];

function requestToken(body: string, headers: Record<string, string>, more: object = {}) {
  return invoke(issueToken, 'IssueToken', { body, headers, ...more });
}

describe.each(encodings)('POST /oauth2/v4/token with %s', (_, type, encoded) => {
  const send = (parameters: object) => requestToken(encoded(parameters), { 'Content-Type': type });

  test('returns an access token and no new refresh token, each time it is repeated', async () => {
    for (let i = 0; i < 3; i++) {
      const response = await send(valid);
      expect(response).toMatchObject({
        statusCode: 200,
        headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', Pragma: 'no-cache' },
      });
      const token = response.json() as { access_token: string };
      expect(token).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3599 });
      expect(await userOfToken(token.access_token, newContext())).toBe('jane');
    }
  });

  test('ignores unknown parameters', async () => {
    expect((await send({ ...valid, scope: 'bark', extra: 'x' })).statusCode).toBe(200);
  });

  test.each<[string, () => object, number, string]>([
    ...(['client_id', 'client_secret', 'refresh_token', 'grant_type'] as const).flatMap(
      (name): [string, () => object, number, string][] => [
        [`without ${name}`, () => omit(valid, name), 400, 'invalid_request'],
        [`with an empty ${name}`, () => ({ ...valid, [name]: '' }), 400, 'invalid_request'],
      ],
    ),
    ['with an unknown client', () => ({ ...valid, client_id: 'unknown' }), 401, 'invalid_client'],
    ['with an invalid client ID', () => ({ ...valid, client_id: 'my client:' }), 401, 'invalid_client'],
    ['with a very long client ID', () => ({ ...valid, client_id: 'x'.repeat(5000) }), 401, 'invalid_client'],
    ['with a wrong secret', () => ({ ...valid, client_secret: 'wrong' }), 401, 'invalid_client'],
    ['with a secret that is not ASCII', () => ({ ...valid, client_secret: '🐕' }), 401, 'invalid_client'],
    ['with another grant type', () => ({ ...valid, grant_type: 'password' }), 400, 'unsupported_grant_type'],
    [
      'with a grant type in capital letters',
      () => ({ ...valid, grant_type: 'REFRESH_TOKEN' }),
      400,
      'unsupported_grant_type',
    ],
    [
      'with a grant type that needs no refresh token',
      () => ({ ...omit(valid, 'refresh_token'), grant_type: 'client_credentials' }),
      400,
      'unsupported_grant_type',
    ],
    ['with an unknown token', () => ({ ...valid, refresh_token: 'unknown' }), 400, 'invalid_grant'],
    ['with a very long token', () => ({ ...valid, refresh_token: 'x'.repeat(50_000) }), 400, 'invalid_grant'],
    [
      'with a wrong client, grant type and token (the client comes first)',
      () => ({ ...valid, client_secret: 'x', grant_type: 'x', refresh_token: 'x' }),
      401,
      'invalid_client',
    ],
    [
      'with a wrong grant type and token (the grant type comes first)',
      () => ({ ...valid, grant_type: 'x', refresh_token: 'x' }),
      400,
      'unsupported_grant_type',
    ],
  ])('%s returns an error', async (_what, parameters, status, error) => {
    const response = await send(parameters());
    expect(response).toMatchObject({
      statusCode: status,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', Pragma: 'no-cache' },
    });
    expect(response.json()).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+\.$/),
    });
    expect(response.headers?.['WWW-Authenticate']).toBe(
      status === 401 ? 'Basic realm="dogs", charset="UTF-8"' : undefined,
    );
  });

  test('returns the same response after the same AWS calls for an unknown client and for a wrong secret', async () => {
    const guesses = [
      { ...valid, client_id: 'unknown' },
      { ...valid, client_id: ':'.repeat(99) },
      { ...valid, client_secret: 'wrong' },
    ];
    const seen = [];
    for (const guess of guesses) {
      reset();
      const { statusCode, body, headers } = await send(guess);
      seen.push({ statusCode, body, headers, calls: calls() });
    }
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(seen[0]?.calls).toEqual(['GetItem', 'GetItem', 'GetItem']);
  });

  test('returns invalid_grant for the refresh token of another client', async () => {
    const client_secret = await createClient('other', { replace: true }, newContext());
    const response = await send({ ...valid, client_id: 'other', client_secret });
    expect(response.json()).toMatchObject({ error: 'invalid_grant' });
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['the grant is revoked', () => revokeGrant(grant, newContext()), 'invalid_grant'],
    ['the user is revoked', () => revokeUser('jane', newContext()), 'invalid_grant'],
    [
      'the user is revoked and created again',
      async () => {
        await revokeUser('jane', newContext());
        await createUser('jane', { replace: false }, newContext());
      },
      'invalid_grant',
    ],
    ['the client is revoked', () => revokeClient('walker', newContext()), 'invalid_client'],
    [
      'the client is revoked and created again',
      async () => {
        await revokeClient('walker', newContext());
        valid.client_secret = await createClient('walker', { replace: false }, newContext());
      },
      'invalid_grant',
    ],
  ])('returns an error after %s', async (_what, revoke, error) => {
    await revoke();
    expect((await send(valid)).json()).toMatchObject({ error });
  });

  test('returns a token even if the user has a new password and the client a new secret', async () => {
    await createUser('jane', { replace: true }, newContext());
    valid.client_secret = await createClient('walker', { replace: true }, newContext());
    expect((await send(valid)).statusCode).toBe(200);
  });

  test('returns temporarily_unavailable without a description if DynamoDB does not respond', async () => {
    plan('GetItem', 'throttled', 99);
    const response = await send(valid);
    expect(response).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } });
    expect(response.json()).toEqual({ error: 'temporarily_unavailable' });
  });
});

describe('POST /oauth2/v4/token with client credentials in the Authorization header', () => {
  const basic = (id: string, secret: string) => ({
    Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  const send = (headers: object, parameters: object) =>
    requestToken(new URLSearchParams(parameters as never).toString(), { 'Content-Type': form, ...headers });
  const grantOnly = () => omit(omit(valid, 'client_id'), 'client_secret');

  test('accepts them with or without the percent-encoding of RFC 6749', async () => {
    const { client_id, client_secret } = valid;
    expect((await send(basic(client_id, client_secret), grantOnly())).statusCode).toBe(200);
    const encoded = basic(
      '%77alker',
      client_secret.replace(/^./, (c) => `%${c.charCodeAt(0).toString(16)}`),
    );
    expect((await send(encoded, grantOnly())).statusCode).toBe(200);
    expect((await send(basic(client_id, client_secret), { ...grantOnly(), client_id })).statusCode).toBe(200);
  });

  test.each<[string, () => object, () => object, number, string]>([
    [
      'credentials in the body as well',
      () => basic('walker', valid.client_secret),
      () => valid,
      400,
      'invalid_request',
    ],
    [
      'another client in the body',
      () => basic('walker', valid.client_secret),
      () => ({ ...grantOnly(), client_id: 'other' }),
      400,
      'invalid_request',
    ],
    ['a wrong secret', () => basic('walker', 'x'), grantOnly, 401, 'invalid_client'],
    ['no colon', () => ({ Authorization: 'Basic eA==' }), grantOnly, 400, 'invalid_request'],
    ['another scheme', () => ({ Authorization: 'Bearer x' }), grantOnly, 401, 'invalid_client'],
    [
      'credentials that are not Base64',
      () => ({ Authorization: 'Basic ***' }),
      grantOnly,
      401,
      'invalid_client',
    ],
  ])('returns an error for %s', async (_, headers, parameters, status, error) => {
    const response = await send(headers(), parameters());
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ error });
  });
});

describe('/oauth2/v4/token', () => {
  test.each([
    ['plain text', 'hello', 'text/plain', 415],
    ['no Content-Type', 'grant_type=refresh_token', '', 415],
    ['an empty form', '', form, 400],
    ['invalid JSON', '{"grant_type":', json, 400],
    ['an array', '[]', json, 400],
    ['a string', '"x"', json, 400],
    ['null', 'null', json, 400],
    ['a number for a parameter', '{"client_id":7}', json, 400],
    ['null for a parameter', '{"client_id":null}', json, 400],
    ['a repeated parameter', 'client_id=a&client_id=a', form, 400],
    ['a repeated empty parameter', 'refresh_token=&refresh_token=', form, 400],
    ['a body over 64 KiB', 'x'.repeat(65_537), form, 413],
  ])('returns invalid_request to a POST with %s', async (_, body, type, status) => {
    const response = await requestToken(body, { 'Content-Type': type });
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ error: 'invalid_request' });
    if (status === 415) expect(response.headers?.['Accept-Post']).toBe(`${form}, ${json}`);
  });

  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('returns 405 to %s', async (httpMethod) => {
    const response = await requestToken('', {}, { httpMethod });
    expect(response).toMatchObject({ statusCode: 405, headers: { Allow: 'POST' } });
    if (httpMethod !== 'HEAD') expect(response.json()).toMatchObject({ error: 'invalid_request' });
  });

  test.each(['client_id', 'client_secret', 'refresh_token', 'grant_type'] as const)(
    'returns 400 if a form has %s twice, even with the same value',
    async (name) => {
      const body = `${new URLSearchParams(valid)}&${name}=${valid[name]}`;
      const response = await requestToken(body, { 'Content-Type': form });
      expect([response.statusCode, response.json()]).toEqual([
        400,
        {
          error: 'invalid_request',
          error_description: `The request has the parameter ${name} more than once. Send it once.`,
        },
      ]);
    },
  );

  test('reads a form that API Gateway has encoded in Base64', async () => {
    const body = Buffer.from(new URLSearchParams(valid).toString()).toString('base64');
    const response = await requestToken(
      body,
      { 'Content-Type': `${form}; charset=UTF-8` },
      { isBase64Encoded: true },
    );
    expect(response.statusCode).toBe(200);
  });
});

test('POST /oauth2/v4/token logs an unexpected error, and does not describe it to the client', async () => {
  plan('GetSecretValue', async () => {
    throw new Error('secret detail');
  });
  // The function caches the keys for a minute.
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_000);
  const response = await requestToken(new URLSearchParams(valid).toString(), { 'Content-Type': form });
  clock.mockRestore();
  expect([response.statusCode, response.json()]).toEqual([500, { error: 'server_error' }]);
  expect(logged).toHaveBeenCalledWith(
    expect.objectContaining({ error: expect.objectContaining({ errorMessage: 'secret detail' }) }),
  );
});

test('GET /.well-known/jwks.json returns public keys that clients may cache for a minute, without private members', async () => {
  const response = await invoke(getKeys, 'GetKeys');
  expect(response).toMatchObject({
    statusCode: 200,
    headers: { 'Content-Type': 'application/jwk-set+json', 'Cache-Control': 'public, max-age=60' },
  });
  const { keys } = response.json() as { keys: object[] };
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) expect(key).not.toHaveProperty('d');
});

function omit(parameters: object, name: string): object {
  return Object.fromEntries(Object.entries(parameters).filter(([key]) => key !== name));
}
