import { handler as issueToken } from '../../../lambdas/api/oauth2/token.ts';
import { handler as getKeys } from '../../../lambdas/api/well-known/jwks.ts';
import { createClient } from '../../../lambdas/domain/access/clients.ts';
import { createGrant } from '../../../lambdas/domain/access/grants.ts';
import { createUser } from '../../../lambdas/domain/access/users.ts';
import { userOfToken } from '../../../lambdas/domain/tokens/access-token.ts';
import { ensureKey } from '../../../lambdas/domain/tokens/signing-keys.ts';
import { useDatabase } from '../../support/database.ts';
import { calls, injectFaults, plan, reset } from '../../support/faults.ts';
import { invoke } from '../../support/invoke.ts';
import { useLogs } from '../../support/logs.ts';

useDatabase();
const logs = useLogs();
beforeAll(injectFaults);
beforeEach(reset);

function newContext() {
  return { now: Date.now(), signal: AbortSignal.timeout(8_000) };
}

type Parameters = Readonly<Record<string, string>>;

/** The parameters of a valid request. */
let valid: Parameters;

beforeAll(async () => {
  await ensureKey(newContext);
  await createUser('jane', { replace: false }, newContext());
  const client_secret = await createClient('walker', { replace: false }, newContext());
  const { refreshToken } = await createGrant('jane', 'walker', { replace: false }, newContext());
  valid = { client_id: 'walker', client_secret, refresh_token: refreshToken, grant_type: 'refresh_token' };
});

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const noStore = { 'Content-Type': json, 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** Sends a body with a content type. @param more other header fields */
function send(type: string, body: string, more: Parameters = {}) {
  return invoke(issueToken, 'IssueToken', { body, headers: { 'Content-Type': type, ...more } });
}

const sendForm = (parameters: Parameters, more?: Parameters) =>
  send(form, new URLSearchParams(parameters).toString(), more);
const sendJson = (parameters: Parameters, more?: Parameters) => send(json, JSON.stringify(parameters), more);

/** Returns the valid parameters with changes. A parameter whose value is undefined is left out. */
function changed(changes: Readonly<Record<string, string | undefined>>): Parameters {
  const parameters = Object.entries({ ...valid, ...changes });
  return Object.fromEntries(parameters.filter((one): one is [string, string] => one[1] !== undefined));
}

const basic = (id: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const rightClient = () => basic('walker', valid.client_secret ?? '');
const withoutClient = () => changed({ client_id: undefined, client_secret: undefined });

describe('POST /oauth2/v4/token returns an access token', () => {
  test.each([
    ['a form', sendForm],
    ['JSON', sendJson],
  ])('and no new refresh token for %s, each time it is repeated', async (_, sendOne) => {
    const tokens = new Set<string>();
    for (let i = 0; i < 3; i++) {
      const response = await sendOne(valid);
      expect(response).toMatchObject({ statusCode: 200, headers: noStore });
      const token = response.json() as { access_token: string };
      expect(token).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3599 });
      expect(await userOfToken(token.access_token, newContext())).toBe('jane');
      tokens.add(token.access_token);
    }
    expect(tokens.size).toBe(3);
  });

  test.each<[string, () => ReturnType<typeof send>]>([
    ['unknown parameters in a form', () => sendForm({ ...valid, scope: 'bark', extra: '' })],
    ['unknown parameters in JSON', () => sendJson({ ...valid, scope: 'bark', extra: '' })],
    [
      'a form that API Gateway has encoded in Base64',
      () => {
        const body = Buffer.from(new URLSearchParams(valid).toString()).toString('base64');
        const headers = { 'Content-Type': `${form}; charset=UTF-8` };
        return invoke(issueToken, 'IssueToken', { body, headers, isBase64Encoded: true });
      },
    ],
    ['client credentials in the Authorization header', () => sendForm(withoutClient(), rightClient())],
    [
      'the same client_id in the header and the body',
      () => sendForm({ ...withoutClient(), client_id: 'walker' }, rightClient()),
    ],
    [
      'client credentials with the percent-encoding of RFC 6749',
      () => {
        const encode = (text = '') => text.replace(/^./, (c) => `%${c.charCodeAt(0).toString(16)}`);
        return sendForm(withoutClient(), basic(encode('walker'), encode(valid.client_secret)));
      },
    ],
  ])('for %s', async (_, sendOne) => {
    expect((await sendOne()).statusCode).toBe(200);
  });
});

/** The status of each error. */
const statuses: Readonly<Record<string, number>> = {
  invalid_request: 400,
  invalid_client: 401,
  unsupported_grant_type: 400,
  invalid_grant: 400,
};

/** Checks an error response. @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.2 RFC 6749 section 5.2} */
function expectError(response: Awaited<ReturnType<typeof send>>, error: string): void {
  expect(response).toMatchObject({ statusCode: statuses[error], headers: noStore });
  expect(response.json()).toEqual({
    error,
    error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+\.$/),
  });
  expect(response.headers?.['WWW-Authenticate']).toBe(
    error === 'invalid_client' ? 'Basic realm="dogs", charset="UTF-8"' : undefined,
  );
}

describe('POST /oauth2/v4/token returns', () => {
  const allWrong = { client_secret: 'x', grant_type: 'x', refresh_token: 'x' };

  test.each<[string, string, Readonly<Record<string, string | undefined>>]>([
    ['invalid_request', 'no client_id', { client_id: undefined }],
    ['invalid_request', 'no client_secret', { client_secret: undefined }],
    ['invalid_request', 'no refresh_token', { refresh_token: undefined }],
    ['invalid_request', 'no grant_type', { grant_type: undefined }],
    ['invalid_request', 'an empty parameter', { client_id: '' }],
    ['invalid_client', 'an unknown client', { client_id: 'unknown' }],
    ['invalid_client', 'an invalid client ID', { client_id: 'my client:' }],
    ['invalid_client', 'a very long client ID', { client_id: 'x'.repeat(5000) }],
    ['invalid_client', 'a wrong secret', { client_secret: 'wrong' }],
    ['invalid_client', 'a secret that is not ASCII', { client_secret: '🐕' }],
    ['unsupported_grant_type', 'another grant type', { grant_type: 'password' }],
    ['unsupported_grant_type', 'a grant type in capital letters', { grant_type: 'REFRESH_TOKEN' }],
    [
      'unsupported_grant_type',
      'a grant type that needs no refresh token',
      { grant_type: 'client_credentials', refresh_token: undefined },
    ],
    ['invalid_grant', 'an unknown token', { refresh_token: 'unknown' }],
    ['invalid_grant', 'a very long token', { refresh_token: 'x'.repeat(50_000) }],
    ['invalid_request', 'one missing parameter and the others wrong', { ...allWrong, grant_type: undefined }],
    ['invalid_client', 'a wrong client, grant type and token', allWrong],
    ['unsupported_grant_type', 'a wrong grant type and token', { grant_type: 'x', refresh_token: 'x' }],
  ])('%s for a form with %s', async (error, _what, changes) => {
    expectError(await sendForm(changed(changes)), error);
  });

  test.each<[string, string, () => ReturnType<typeof send>]>([
    ['invalid_request', 'JSON with an empty parameter', () => sendJson(changed({ client_id: '' }))],
    ['invalid_request', 'broken JSON', () => send(json, '{"client_id":')],
    ['invalid_request', 'JSON that is not an object', () => send(json, '[]')],
    [
      'invalid_request',
      'client credentials in the header and the body',
      () => sendForm(valid, rightClient()),
    ],
    [
      'invalid_request',
      'a client in the header and another one in the body',
      () => sendForm({ ...withoutClient(), client_id: 'other' }, rightClient()),
    ],
    ['invalid_client', 'a wrong secret in the header', () => sendForm(withoutClient(), basic('walker', 'x'))],
    ['invalid_client', 'another scheme', () => sendForm(withoutClient(), { Authorization: 'Bearer x' })],
  ])('%s for %s', async (error, _what, sendOne) => {
    expectError(await sendOne(), error);
  });

  test('invalid_grant for the refresh token of another client', async () => {
    const client_secret = await createClient('other', { replace: true }, newContext());
    const response = await sendForm(changed({ client_id: 'other', client_secret }));
    expect(response.json()).toMatchObject({ error: 'invalid_grant' });
  });

  test('the same response after the same AWS calls for an unknown client and for a wrong secret', async () => {
    const seen = [];
    for (const guess of [{ client_id: 'unknown' }, { client_id: ':'.repeat(99) }, { client_secret: 'x' }]) {
      reset();
      const { statusCode, body, headers } = await sendForm(changed(guess));
      seen.push({ statusCode, body, headers, calls: calls() });
    }
    expect(seen).toEqual(Array(3).fill(seen[0]));
    expect(seen[0]?.calls).toEqual(['GetItem', 'GetItem', 'GetItem']);
  });

  test.each(['client_id=a&client_id=a', 'refresh_token=&refresh_token='])(
    'invalid_request for a form with a repeated parameter: %s',
    async (body) => {
      const [name] = body.split('=');
      const response = await send(form, body);
      expect([response.statusCode, response.json()]).toEqual([
        400,
        {
          error: 'invalid_request',
          error_description: `The request has the parameter ${name} more than once. Send it once.`,
        },
      ]);
    },
  );

  test.each([
    [413, 'a body over 64 KiB', {}, () => send(form, 'x'.repeat(65_537))],
    [415, 'plain text', { 'Accept-Post': `${form}, ${json}` }, () => send('text/plain', 'hello')],
    [415, 'no Content-Type', { 'Accept-Post': `${form}, ${json}` }, () => send('', 'grant_type=x')],
    [405, 'GET', { Allow: 'POST' }, () => invoke(issueToken, 'IssueToken', { httpMethod: 'GET' })],
  ])('%i and invalid_request for %s', async (statusCode, _, headers, sendOne) => {
    const response = await sendOne();
    expect(response).toMatchObject({ statusCode, headers });
    expect(response.json()).toMatchObject({ error: 'invalid_request' });
  });

  test('invalid_client for an unknown client, even if the signing key cannot be read', async () => {
    plan('GetSecretValue', 'fails before', 99);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_000);
    const response = await sendForm(changed({ client_id: 'unknown' }));
    clock.mockRestore();
    expectError(response, 'invalid_client');
    expect(calls()).toContain('GetSecretValue');
  });

  test('temporarily_unavailable without a description if DynamoDB does not respond', async () => {
    plan('GetItem', 'fails before', 99);
    const response = await sendForm(valid);
    expect(response).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } });
    expect(response.json()).toEqual({ error: 'temporarily_unavailable' });
  });

  test('server_error without a description for an unexpected error, which the function logs', async () => {
    plan('GetSecretValue', async () => {
      throw new Error('secret detail');
    });
    // The function caches the keys for a minute.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_000);
    const response = await sendForm(valid);
    clock.mockRestore();
    expect([response.statusCode, response.json()]).toEqual([500, { error: 'server_error' }]);
    const error = expect.objectContaining({ errorMessage: 'secret detail' });
    expect(logs.error).toContainEqual(expect.objectContaining({ error }));
  });
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
