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

/** What a client has been given: the four parameters of a request that is right. */
let right: Record<'client_id' | 'client_secret' | 'refresh_token' | 'grant_type', string>;
let grant: string;
const logged = import.meta.jest.spyOn(console, 'error');

beforeEach(async () => {
  reset();
  await ensureKey(newContext);
  await createUser('jane', { replace: true }, newContext());
  const client_secret = await createClient('walker', { replace: true }, newContext());
  const granted = await createGrant('jane', 'walker', { replace: true }, newContext());
  grant = granted.grant;
  right = {
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

function ask(body: string, headers: Record<string, string>, more: object = {}) {
  return invoke(issueToken, 'IssueToken', { body, headers, ...more });
}

describe.each(encodings)('A request as %s', (_, type, encoded) => {
  const send = (parameters: object) => ask(encoded(parameters), { 'Content-Type': type });

  test('yields an access token, and no other refresh token, as often as it is sent', async () => {
    for (let i = 0; i < 3; i++) {
      const answer = await send(right);
      expect(answer).toMatchObject({
        statusCode: 200,
        headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', Pragma: 'no-cache' },
      });
      const token = answer.json() as { access_token: string };
      expect(token).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3599 });
      expect(await userOfToken(token.access_token, newContext())).toBe('jane');
    }
  });

  test('may have unknown parameters', async () => {
    expect((await send({ ...right, scope: 'bark', extra: 'x' })).statusCode).toBe(200);
  });

  test.each<[string, () => object, number, string]>([
    ...(['client_id', 'client_secret', 'refresh_token', 'grant_type'] as const).flatMap(
      (name): [string, () => object, number, string][] => [
        [`without ${name}`, () => omit(right, name), 400, 'invalid_request'],
        [`with an empty ${name}`, () => ({ ...right, [name]: '' }), 400, 'invalid_request'],
      ],
    ),
    ['of an unknown client', () => ({ ...right, client_id: 'nobody' }), 401, 'invalid_client'],
    ['of a client that cannot be', () => ({ ...right, client_id: 'no body:' }), 401, 'invalid_client'],
    ['with a very long client id', () => ({ ...right, client_id: 'x'.repeat(5000) }), 401, 'invalid_client'],
    ['with a wrong secret', () => ({ ...right, client_secret: 'wrong' }), 401, 'invalid_client'],
    ['with a secret in Unicode', () => ({ ...right, client_secret: '🐕' }), 401, 'invalid_client'],
    ['for another grant', () => ({ ...right, grant_type: 'password' }), 400, 'unsupported_grant_type'],
    [
      'for a grant in capitals',
      () => ({ ...right, grant_type: 'REFRESH_TOKEN' }),
      400,
      'unsupported_grant_type',
    ],
    [
      'for a grant that needs no refresh token',
      () => ({ ...omit(right, 'refresh_token'), grant_type: 'client_credentials' }),
      400,
      'unsupported_grant_type',
    ],
    ['with an unknown token', () => ({ ...right, refresh_token: 'unknown' }), 400, 'invalid_grant'],
    ['with a very long token', () => ({ ...right, refresh_token: 'x'.repeat(50_000) }), 400, 'invalid_grant'],
    [
      'with all parameters wrong reports the client first',
      () => ({ ...right, client_secret: 'x', grant_type: 'x', refresh_token: 'x' }),
      401,
      'invalid_client',
    ],
    [
      'with the grant type and the token wrong reports the grant type first',
      () => ({ ...right, grant_type: 'x', refresh_token: 'x' }),
      400,
      'unsupported_grant_type',
    ],
  ])('%s is refused', async (_what, parameters, status, error) => {
    const answer = await send(parameters());
    expect(answer).toMatchObject({
      statusCode: status,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', Pragma: 'no-cache' },
    });
    expect(answer.json()).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+\.$/),
    });
    expect(answer.headers?.['WWW-Authenticate']).toBe(
      status === 401 ? 'Basic realm="dogs", charset="UTF-8"' : undefined,
    );
  });

  test('does not help a guesser: an unknown client and a wrong secret have the same response after the same calls', async () => {
    const guesses = [
      { ...right, client_id: 'nobody' },
      { ...right, client_id: ':'.repeat(99) },
      { ...right, client_secret: 'wrong' },
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

  test('with the token of another client is refused', async () => {
    const client_secret = await createClient('other', { replace: true }, newContext());
    const answer = await send({ ...right, client_id: 'other', client_secret });
    expect(answer.json()).toMatchObject({ error: 'invalid_grant' });
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['its grant is revoked', () => revokeGrant(grant, newContext()), 'invalid_grant'],
    ['its user is revoked', () => revokeUser('jane', newContext()), 'invalid_grant'],
    [
      'its user is another of the same name',
      async () => {
        await revokeUser('jane', newContext());
        await createUser('jane', { replace: false }, newContext());
      },
      'invalid_grant',
    ],
    ['its client is revoked', () => revokeClient('walker', newContext()), 'invalid_client'],
    [
      'its client is another of the same name',
      async () => {
        await revokeClient('walker', newContext());
        right.client_secret = await createClient('walker', { replace: false }, newContext());
      },
      'invalid_grant',
    ],
  ])('yields no token once %s', async (_what, revoke, error) => {
    await revoke();
    expect((await send(right)).json()).toMatchObject({ error });
  });

  test('yields a token still when its user has another password, or its client another secret', async () => {
    await createUser('jane', { replace: true }, newContext());
    right.client_secret = await createClient('walker', { replace: true }, newContext());
    expect((await send(right)).statusCode).toBe(200);
  });

  test('is "temporarily_unavailable" without a description if DynamoDB does not respond', async () => {
    plan('GetItem', 'throttled', 99);
    const answer = await send(right);
    expect(answer).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } });
    expect(answer.json()).toEqual({ error: 'temporarily_unavailable' });
  });
});

describe('The client may prove itself in the header', () => {
  const basic = (id: string, secret: string) => ({
    Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  const send = (headers: object, parameters: object) =>
    ask(new URLSearchParams(parameters as never).toString(), { 'Content-Type': form, ...headers });
  const grantOnly = () => omit(omit(right, 'client_id'), 'client_secret');

  test('instead of the body, percent-encoded as RFC 6749 has it', async () => {
    const { client_id, client_secret } = right;
    expect((await send(basic(client_id, client_secret), grantOnly())).statusCode).toBe(200);
    const encoded = basic(
      '%77alker',
      client_secret.replace(/^./, (c) => `%${c.charCodeAt(0).toString(16)}`),
    );
    expect((await send(encoded, grantOnly())).statusCode).toBe(200);
    expect((await send(basic(client_id, client_secret), { ...grantOnly(), client_id })).statusCode).toBe(200);
  });

  test.each<[string, () => object, () => object, number, string]>([
    ['in both', () => basic('walker', right.client_secret), () => right, 400, 'invalid_request'],
    [
      'as two clients',
      () => basic('walker', right.client_secret),
      () => ({ ...grantOnly(), client_id: 'other' }),
      400,
      'invalid_request',
    ],
    ['with a wrong secret', () => basic('walker', 'x'), grantOnly, 401, 'invalid_client'],
    ['without a colon', () => ({ Authorization: 'Basic eA==' }), grantOnly, 400, 'invalid_request'],
    ['by another scheme', () => ({ Authorization: 'Bearer x' }), grantOnly, 401, 'invalid_client'],
    ['by no base64', () => ({ Authorization: 'Basic ***' }), grantOnly, 401, 'invalid_client'],
  ])('but not %s', async (_, headers, parameters, status, error) => {
    const answer = await send(headers(), parameters());
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ error });
  });
});

describe('What is no request for a token', () => {
  test.each([
    ['text', 'hello', 'text/plain', 415],
    ['nothing said', 'grant_type=refresh_token', '', 415],
    ['an empty form', '', form, 400],
    ['broken JSON', '{"grant_type":', json, 400],
    ['a list', '[]', json, 400],
    ['a word', '"x"', json, 400],
    ['null', 'null', json, 400],
    ['a number for a parameter', '{"client_id":7}', json, 400],
    ['null for a parameter', '{"client_id":null}', json, 400],
    ['a repeated parameter', 'client_id=a&client_id=a', form, 400],
    ['a repeated empty parameter', 'refresh_token=&refresh_token=', form, 400],
    ['too much', 'x'.repeat(65_537), form, 413],
  ])('%s, is refused', async (_, body, type, status) => {
    const answer = await ask(body, { 'Content-Type': type });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ error: 'invalid_request' });
    if (status === 415) expect(answer.headers?.['Accept-Post']).toBe(`${form}, ${json}`);
  });

  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s is refused', async (httpMethod) => {
    const answer = await ask('', {}, { httpMethod });
    expect(answer).toMatchObject({ statusCode: 405, headers: { Allow: 'POST' } });
    if (httpMethod !== 'HEAD') expect(answer.json()).toMatchObject({ error: 'invalid_request' });
  });

  test.each(['client_id', 'client_secret', 'refresh_token', 'grant_type'] as const)(
    'a form with %s twice is refused, even if both are the same',
    async (name) => {
      const body = `${new URLSearchParams(right)}&${name}=${right[name]}`;
      const answer = await ask(body, { 'Content-Type': form });
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { error: 'invalid_request', error_description: `The parameter ${name} is there more than once.` },
      ]);
    },
  );

  test('a form in base64, as a gateway may hand it over, is read all the same', async () => {
    const body = Buffer.from(new URLSearchParams(right).toString()).toString('base64');
    const answer = await ask(body, { 'Content-Type': `${form}; charset=UTF-8` }, { isBase64Encoded: true });
    expect(answer.statusCode).toBe(200);
  });
});

test('An unexpected error is logged, and is not described to the client', async () => {
  plan('GetSecretValue', async () => {
    throw new Error('secret detail');
  });
  // The keys are kept for a minute.
  const clock = import.meta.jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_000);
  const answer = await ask(new URLSearchParams(right).toString(), { 'Content-Type': form });
  clock.mockRestore();
  expect([answer.statusCode, answer.json()]).toEqual([500, { error: 'server_error' }]);
  expect(logged).toHaveBeenCalledWith(
    expect.objectContaining({ error: expect.objectContaining({ errorMessage: 'secret detail' }) }),
  );
});

test('The keys are public, may be kept for a minute, and hold nothing private', async () => {
  const answer = await invoke(getKeys, 'GetKeys');
  expect(answer).toMatchObject({
    statusCode: 200,
    headers: { 'Content-Type': 'application/jwk-set+json', 'Cache-Control': 'public, max-age=60' },
  });
  const { keys } = answer.json() as { keys: object[] };
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) expect(key).not.toHaveProperty('d');
});

function omit(parameters: object, name: string): object {
  return Object.fromEntries(Object.entries(parameters).filter(([key]) => key !== name));
}
