import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';
import type { CredentialSecrets } from '../../../../lambdas/domain/credentials/credential.ts';
import { refreshCredential, refreshCredentials } from '../../../../lambdas/domain/credentials/refresh.ts';
import { Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { at, newContext } from '../../../support/context.ts';
import {
  client,
  credentialOf,
  issuing,
  own,
  requests,
  respondWith,
  sending,
  stored,
  storeWithTimeLeft,
  useTokenEndpoint,
} from '../../../support/credentials.ts';
import { calls, plan, secrets } from '../../../support/faults.ts';
import { useLogs } from '../../../support/logs.ts';

useTokenEndpoint();
const logs = useLogs();

const refresh = (after = 0) => refreshCredential(own, newContext({ after }));

describe('refreshCredential', () => {
  test('exchanges the refresh token if the access token expires in under 40 minutes, and stores exactly five members', async () => {
    storeWithTimeLeft(40 * 60 - 1);
    expect(await refresh()).toBe('refreshed');
    expect(requests).toEqual([
      {
        url: '/oauth2/v4/token',
        parameters: {
          grant_type: 'refresh_token',
          refresh_token: 'refresh-1',
          client_id: 'walker',
          client_secret: 'hush',
        },
      },
    ]);
    expect(stored()).toEqual(credentialOf('token-1'));
    expect(calls()).toEqual(['GetSecretValue', 'GetSecretValue', 'GetSecretValue', 'PutSecretValue']);
  });

  test('does nothing if the access token expires in 40 minutes', async () => {
    const credential = storeWithTimeLeft(40 * 60);
    expect(await refresh()).toBe('fresh');
    expect([requests, calls(), stored()]).toEqual([[], ['GetSecretValue', 'GetSecretValue'], credential]);
  });

  test('refreshes a credential whose creation is over five minutes in the future, because the clock was set back', async () => {
    storeWithTimeLeft(3599 + 301);
    expect(await refreshCredential(own, newContext())).toBe('refreshed');
    expect(stored()).toMatchObject({ access_token: 'token-1', created: at });
    storeWithTimeLeft(3599 + 300);
    expect(await refreshCredential(own, newContext())).toBe('fresh');
  });

  test.each([own.client, own.credential])('returns absent if the secret %s has no value', async (secret) => {
    storeWithTimeLeft(0);
    secrets.delete(secret);
    expect(await refresh()).toBe('absent');
    expect(requests).toEqual([]);
  });

  test('stores the new refresh token that the endpoint sends', async () => {
    storeWithTimeLeft(0);
    respondWith(issuing({ refresh_token: 'refresh-2', scope: 'bark', id: 7 }));
    await refresh();
    expect(stored()).toMatchObject({ access_token: 'token-1', refresh_token: 'refresh-2' });
    expect(Object.keys(stored())).toHaveLength(5);
  });

  test('normalizes the token type and the lifetime', async () => {
    storeWithTimeLeft(0);
    respondWith(issuing({ token_type: 'bearer', expires_in: 1799.5 }));
    await refresh();
    expect(stored()).toMatchObject({ token_type: 'Bearer', expires_in: 1799 });
  });
});

const complete = { access_token: 'new', token_type: 'Bearer', expires_in: 3599 };
const responses: [string, RequestListener][] = [
  ['a closed connection', (request) => request.socket.destroy()],
  ['no response', () => {}],
  ['500', sending(500, { error: 'server_error' })],
  ['a redirect', (_, response) => response.writeHead(302, { Location: '/elsewhere' }).end()],
  ['HTML', sending(200, '<!doctype html><title>Sign in</title>', 'text/html')],
  ['an empty access token', sending(200, { ...complete, access_token: '' })],
  ['another token type', sending(200, { ...complete, token_type: 'DPoP' })],
  ['no lifetime', sending(200, { ...complete, expires_in: undefined })],
  ['a lifetime of zero', sending(200, { ...complete, expires_in: 0 })],
  ['an empty refresh token', sending(200, { ...complete, refresh_token: '' })],
  ['invalid_client', sending(401, { error: 'invalid_client' })],
];

test.each(responses)(
  'If the token endpoint fails, refreshCredential throws Unavailable and keeps the old credential: %s',
  async (_, listener) => {
    const credential = storeWithTimeLeft(600);
    respondWith(listener);
    await expect(refreshCredential(own, newContext({ milliseconds: 300 }))).rejects.toThrow(Unavailable);
    expect(stored()).toEqual(credential);
    respondWith(issuing());
    expect(await refresh(600)).toBe('refreshed');
    expect(stored()).toMatchObject({ access_token: 'token-1', refresh_token: 'refresh-1' });
  },
);

test('refreshCredential repeats the write of a new refresh token until the deadline', async () => {
  storeWithTimeLeft(600);
  respondWith(issuing({ refresh_token: 'refresh-2' }));
  plan('PutSecretValue', 'fails before', 7);
  expect(await refresh()).toBe('refreshed');
  expect(stored().refresh_token).toBe('refresh-2');
});

describe('refreshCredentials', () => {
  const other: CredentialSecrets = { name: 'other', client: 'other-client', credential: 'other-credential' };

  beforeEach(() => {
    process.env.CREDENTIALS = JSON.stringify([other, own]);
    const credential = storeWithTimeLeft(0);
    secrets.set(other.client, JSON.stringify({ ...client, auth_url: 'http://127.0.0.1:1' }));
    secrets.set(other.credential, JSON.stringify(credential));
  });

  test('refreshes each credential, and throws the errors of the failed refreshes', async () => {
    await expect(refreshCredentials(newContext())).rejects.toThrow(
      /^The credential other was not refreshed\. http:\/\/127\.0\.0\.1:1\/oauth2\/v4\/token did not issue a token: fetch failed: .+/,
    );
    expect(stored().access_token).toBe('token-1');
    expect(logs.info).toEqual([{ event: 'CredentialRefreshed', name: 'own' }]);
  });

  test('logs nothing if nothing changes', async () => {
    secrets.delete(other.credential);
    await refreshCredentials(newContext());
    logs.info.length = 0;
    await refreshCredentials(newContext({ after: 60 }));
    expect([logs.info, logs.error]).toEqual([[], []]);
  });

  test('logs CredentialRefused and does not throw if a refresh token is refused', async () => {
    secrets.delete(other.credential);
    respondWith(sending(400, { error: 'invalid_grant' }));
    await refreshCredentials(newContext());
    const reason = expect.stringContaining('refuses the refresh token');
    expect(logs.error).toEqual([{ event: 'CredentialRefused', name: 'own', reason }]);
  });

  test('does not log CredentialRefused if the operator replaces the credential while the old one is refused', async () => {
    secrets.delete(other.credential);
    const theirs = credentialOf('theirs');
    respondWith((request, response) => {
      secrets.set(own.credential, JSON.stringify(theirs));
      sending(400, { error: 'invalid_grant' })(request, response);
    });
    await refreshCredentials(newContext());
    expect([logs.error, stored()]).toEqual([[], theirs]);
  });

  test('does not log or throw secrets', async () => {
    const thrown: unknown[] = [];
    for (const listener of [
      issuing(),
      sending(400, { error: 'invalid_grant' }),
      sending(500, 'x'),
      sending(200, {}),
    ]) {
      respondWith(listener);
      storeWithTimeLeft(0);
      await refreshCredentials(newContext()).catch((error) => thrown.push(error));
    }
    const lines = JSON.stringify([logs, thrown.map((error) => inspect(error))]);
    for (const secret of ['refresh-1', 'hush', 'token-']) expect(lines).not.toContain(secret);
  });
});

describe('refreshCredential, for an invalid secret,', () => {
  test.each([
    ['client', { client_id: 'x' }, 'auth_url, client_secret'],
    ['client', 'text', 'the whole document'],
    ['credential', { access_token: 'x' }, 'token_type, expires_in, refresh_token, created'],
    [
      'credential',
      { access_token: '', token_type: 'Bearer', expires_in: 0, refresh_token: '', created: 0 },
      'refresh_token',
    ],
  ] as const)('throws and sends no request: %s %j', async (kind, document, members) => {
    storeWithTimeLeft(0);
    secrets.set(own[kind], JSON.stringify(document));
    await expect(refresh()).rejects.toThrow(
      `The secret ${own[kind]} has invalid content: ${members}. Store the credential again.`,
    );
    expect(requests).toEqual([]);
  });

  test('does not quote a secret that is not JSON', async () => {
    storeWithTimeLeft(0);
    secrets.set(own.credential, '{"access_token":"hush');
    await expect(refresh()).rejects.toThrow(
      new RegExp(`The secret ${own.credential} is not JSON. Store its content again.$`),
    );
  });
});
