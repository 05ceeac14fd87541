import { handler as issueToken } from '../../../lambdas/api/oauth2/token.ts';
import { handler as getKeys } from '../../../lambdas/api/well-known/jwks.ts';
import { createClient } from '../../../lambdas/domain/access/clients.ts';
import { createGrant } from '../../../lambdas/domain/access/grants.ts';
import { createUser } from '../../../lambdas/domain/access/users.ts';
import { userOfToken } from '../../../lambdas/domain/tokens/access-token.ts';
import { ensureKey } from '../../../lambdas/domain/tokens/signing-keys.ts';
import { currentContext } from '../../support/context.ts';
import { calls, plan, reset, useFunctions } from '../../support/faults.ts';
import { invoke } from '../../support/invoke.ts';
import { useLogs } from '../../support/logs.ts';

useFunctions();
const logs = useLogs();

let valid: Readonly<Record<string, string>>;

beforeAll(async () => {
  await ensureKey(currentContext);
  await createUser('jane', { replace: false }, currentContext());
  const client_secret = await createClient('walker', { replace: false }, currentContext());
  const { refreshToken } = await createGrant('jane', 'walker', { replace: false }, currentContext());
  valid = { client_id: 'walker', client_secret, refresh_token: refreshToken, grant_type: 'refresh_token' };
});

function send(changes: Readonly<Record<string, string>> = {}) {
  const body = new URLSearchParams({ ...valid, ...changes }).toString();
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return invoke(issueToken, 'IssueToken', { body, headers });
}

/** Makes the function, which caches the keys for a minute, read them again. */
function expireKeys() {
  return jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_000);
}

describe('POST /oauth2/v4/token', () => {
  test('returns another access token, and no new refresh token, each time it is repeated', async () => {
    const tokens = new Set<string>();
    for (let i = 0; i < 3; i++) {
      const response = await send();
      expect(response).toMatchObject({
        statusCode: 200,
        headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', Pragma: 'no-cache' },
      });
      const token = response.json() as { access_token: string };
      expect(token).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3599 });
      expect(await userOfToken(token.access_token, currentContext())).toBe('jane');
      tokens.add(token.access_token);
    }
    expect(tokens.size).toBe(3);
  });

  const allWrong = { client_secret: 'x', grant_type: 'x', refresh_token: 'x' };
  test.each<[string, string, Readonly<Record<string, string>>]>([
    ['invalid_client', 'an invalid client ID', { client_id: 'my client:' }],
    ['invalid_client', 'a very long client ID', { client_id: 'x'.repeat(5000) }],
    ['invalid_client', 'a secret that is not ASCII', { client_secret: '🐕' }],
    ['unsupported_grant_type', 'a grant type in capital letters', { grant_type: 'REFRESH_TOKEN' }],
    ['invalid_grant', 'an unknown token', { refresh_token: 'unknown' }],
    ['invalid_grant', 'a very long token', { refresh_token: 'x'.repeat(50_000) }],
    ['invalid_client', 'a wrong client, grant type and token', allWrong],
    ['unsupported_grant_type', 'a wrong grant type and token', { grant_type: 'x', refresh_token: 'x' }],
  ])('returns %s for %s', async (error, _, changes) => {
    const error_description = expect.stringMatching(/^The .*\.$/);
    expect((await send(changes)).json()).toEqual({ error, error_description });
  });

  test('returns invalid_grant for the refresh token of another client', async () => {
    const client_secret = await createClient('other', { replace: true }, currentContext());
    const response = await send({ client_id: 'other', client_secret });
    expect(response.json()).toMatchObject({ error: 'invalid_grant' });
  });

  test('returns the same response after the same AWS calls for an unknown client and for a wrong secret', async () => {
    const seen = [];
    for (const guess of [{ client_id: 'unknown' }, { client_id: ':'.repeat(99) }, { client_secret: 'x' }]) {
      reset();
      const { statusCode, body, headers } = await send(guess);
      seen.push({ statusCode, body, headers, calls: calls() });
    }
    expect(seen).toEqual(Array(3).fill(seen[0]));
    expect(seen[0]?.calls).toEqual(['GetItem', 'GetItem', 'GetItem']);
  });

  test('returns invalid_client for an unknown client, even if the signing key cannot be read', async () => {
    plan('GetSecretValue', 'fails before', 99);
    const clock = expireKeys();
    const response = await send({ client_id: 'unknown' });
    clock.mockRestore();
    expect([response.statusCode, response.json()]).toEqual([
      401,
      expect.objectContaining({ error: 'invalid_client' }),
    ]);
    expect(calls()).toContain('GetSecretValue');
  });

  test('logs an unexpected error, which the response does not describe', async () => {
    plan('GetSecretValue', async () => {
      throw new Error('secret detail');
    });
    const clock = expireKeys();
    const response = await send();
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
