import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { refreshCredential, refreshCredentials } from '../../../../lambdas/domain/credentials/refresh.ts';
import type { CredentialSecrets } from '../../../../lambdas/domain/credentials/repository.ts';
import type { Credential, CredentialClient } from '../../../../lambdas/domain/credentials/schema.ts';
import { moveCredential, storeCredential } from '../../../../lambdas/domain/credentials/store.ts';
import { InvalidGrant, Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { calls, clearSecrets, injectFaults, plan, reset, secrets } from '../../../support/faults.ts';

beforeAll(injectFaults);

const now = Date.UTC(2026, 10, 21, 12);
const at = now / 1000;
const own: CredentialSecrets = { name: 'own', client: 'own-client', credential: 'own-credential' };
const { jest } = import.meta;
const [told, failed] = [jest.spyOn(console, 'info'), jest.spyOn(console, 'error')];

/** The token endpoint: what it was asked, and what it answers. */
const asked: { url: string | undefined; parameters: Record<string, string> }[] = [];
let issued = 0;
let answer: RequestListener;
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const parameters = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
  asked.push({ url: request.url, parameters });
  answer(request, response);
});

const sending =
  (status: number, body: unknown, type = 'application/json'): RequestListener =>
  (_request, response) =>
    response
      .writeHead(status, { 'Content-Type': type })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

const issuing =
  (more: object = {}): RequestListener =>
  (request, response) => {
    issued += 1;
    const token = { access_token: `token-${issued}`, token_type: 'Bearer', expires_in: 3599, ...more };
    sending(200, token)(request, response);
  };

let client: CredentialClient;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  client = { auth_url: `http://127.0.0.1:${port}`, client_id: 'walker', client_secret: 'hush' };
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

beforeEach(() => {
  reset();
  clearSecrets();
  asked.length = 0;
  issued = 0;
  answer = issuing();
  told.mockReset().mockImplementation(() => {});
  failed.mockReset().mockImplementation(() => {});
});

function newContext({ after = 0, milliseconds = 8_000 } = {}) {
  return { now: now + after * 1000, signal: AbortSignal.timeout(milliseconds) };
}

function stored(): Credential {
  return JSON.parse(secrets.get(own.credential) ?? '');
}

/** A credential that has this much time left, in seconds. */
function keep(left: number, more: Partial<Credential> = {}): Credential {
  const credential: Credential = {
    access_token: 'old',
    token_type: 'Bearer',
    expires_in: 3599,
    refresh_token: 'refresh-1',
    created: at + left - 3599,
    ...more,
  };
  secrets.set(own.client, JSON.stringify(client));
  secrets.set(own.credential, JSON.stringify(credential));
  reset();
  return credential;
}

describe('A credential', () => {
  test('is stored as its refresh token yields it, whole', async () => {
    await storeCredential(own, client, 'refresh-1', newContext());
    expect(stored()).toEqual({
      access_token: 'token-1',
      token_type: 'Bearer',
      expires_in: 3599,
      refresh_token: 'refresh-1',
      created: at,
    });
    expect(JSON.parse(secrets.get(own.client) ?? '')).toEqual(client);
  });

  test.each([
    ['invalid_grant', InvalidGrant],
    ['invalid_client', Unavailable],
  ])('is not stored if its refresh token yields none: %s', async (error, kind) => {
    const credential = keep(600);
    answer = sending(400, { error });
    await expect(storeCredential(own, { ...client, client_id: 'x' }, 'bad', newContext())).rejects.toThrow(
      kind,
    );
    expect([stored(), JSON.parse(secrets.get(own.client) ?? '')]).toEqual([credential, client]);
  });

  test('with under 40 minutes left is refreshed: exchanged, and stored whole, its five members and no more', async () => {
    keep(40 * 60 - 1);
    expect(await refreshCredential(own, newContext())).toBe('refreshed');
    expect(asked).toEqual([
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
    expect(stored()).toEqual({
      access_token: 'token-1',
      token_type: 'Bearer',
      expires_in: 3599,
      refresh_token: 'refresh-1',
      created: at,
    });
    expect(calls()).toEqual(['GetSecretValue', 'GetSecretValue', 'GetSecretValue', 'PutSecretValue']);
  });

  test('with 40 minutes left is left alone, and nobody is asked', async () => {
    const credential = keep(40 * 60);
    expect(await refreshCredential(own, newContext())).toBe('fresh');
    expect([asked, calls(), stored()]).toEqual([[], ['GetSecretValue', 'GetSecretValue'], credential]);
  });

  test.each([own.client, own.credential])('that lacks its secret %s is none yet', async (secret) => {
    keep(0);
    secrets.delete(secret);
    expect(await refreshCredential(own, newContext())).toBe('absent');
    expect(asked).toEqual([]);
  });

  test('takes over the refresh token that the endpoint sends', async () => {
    keep(0);
    answer = issuing({ refresh_token: 'refresh-2', scope: 'bark', id: 7 });
    await refreshCredential(own, newContext());
    expect(stored()).toMatchObject({ access_token: 'token-1', refresh_token: 'refresh-2' });
    expect(Object.keys(stored())).toHaveLength(5);
    await refreshCredential(own, newContext({ after: 3600 }));
    expect(asked[1]?.parameters.refresh_token).toBe('refresh-2');
  });

  test('of an endpoint that writes the type small is stored as clients expect it', async () => {
    keep(0);
    answer = issuing({ token_type: 'bearer', expires_in: 1799.5 });
    await refreshCredential(own, newContext());
    expect(stored()).toMatchObject({ token_type: 'Bearer', expires_in: 1799 });
  });
});

describe('Whatever the endpoint does, the old credential stays whole', () => {
  const whole = { access_token: 'new', token_type: 'Bearer', expires_in: 3599 };
  const without = (name: string) => Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name));
  const answers: [string, RequestListener][] = [
    ['hangs up', (request) => request.socket.destroy()],
    ['says nothing', () => {}],
    [
      'breaks off',
      (_, response) =>
        response.writeHead(200, { 'Content-Length': 99 }).write('{"access', () => response.destroy()),
    ],
    ['answers 500', sending(500, { error: 'server_error' })],
    ['answers 503', sending(503, '')],
    ['answers 429', sending(429, '{}')],
    ['redirects', (_, response) => response.writeHead(302, { Location: '/elsewhere' }).end()],
    ['answers HTML', sending(200, '<!doctype html><title>Sign in</title>', 'text/html')],
    ['answers HTML that calls itself JSON', sending(200, '<!doctype html>')],
    ['answers nothing', sending(200, '')],
    ['answers null', sending(200, 'null')],
    ['answers no token', sending(200, without('access_token'))],
    ['answers an empty token', sending(200, { ...whole, access_token: '' })],
    ['answers a token of no type', sending(200, without('token_type'))],
    ['answers a token of another type', sending(200, { ...whole, token_type: 'DPoP' })],
    ['answers a token without an end', sending(200, without('expires_in'))],
    ['answers a token that has ended', sending(200, { ...whole, expires_in: 0 })],
    ['answers a token with an end in words', sending(200, { ...whole, expires_in: 'soon' })],
    ['answers an empty refresh token', sending(200, { ...whole, refresh_token: '' })],
    ['answers an error that is not known', sending(400, { error: 'slow_down' })],
    ['does not know the client', sending(401, { error: 'invalid_client' })],
  ];

  test.each(answers)('It %s: this may work at another try', async (_, listener) => {
    const credential = keep(600);
    answer = listener;
    await expect(refreshCredential(own, newContext({ milliseconds: 300 }))).rejects.toThrow(Unavailable);
    expect(stored()).toEqual(credential);
    answer = issuing();
    expect(await refreshCredential(own, newContext({ after: 600 }))).toBe('refreshed');
    expect(stored()).toMatchObject({ access_token: 'token-1', refresh_token: 'refresh-1' });
  });

  test('It takes the refresh token no more: somebody must act, and the secret is left alone', async () => {
    const credential = keep(600);
    answer = sending(400, { error: 'invalid_grant', error_description: 'Token has been revoked.' });
    await expect(refreshCredential(own, newContext())).rejects.toThrow(InvalidGrant);
    expect(stored()).toEqual(credential);
  });

  test('It is not there', async () => {
    const credential = keep(600);
    secrets.set(own.client, JSON.stringify({ ...client, auth_url: 'http://127.0.0.1:1' }));
    await expect(refreshCredential(own, newContext())).rejects.toThrow(Unavailable);
    expect(stored()).toEqual(credential);
  });
});

describe('Whatever Secrets Manager does, the secret holds the old credential or the new one', () => {
  test.each([
    ['GetSecretValue', 'fails before'],
    ['GetSecretValue', 'hangs'],
    ['PutSecretValue', 'fails before'],
    ['PutSecretValue', 'answer lost'],
    ['PutSecretValue', 'throttled'],
    ['PutSecretValue', 'hangs'],
    ['PutSecretValue', 'hangs after'],
  ] as const)('%s %s', async (operation, fault) => {
    const credential = keep(600);
    plan(operation, fault, 99);
    await expect(refreshCredential(own, newContext({ milliseconds: 400 }))).rejects.toThrow(Unavailable);
    reset();
    const isNew = stored().access_token !== credential.access_token;
    expect(stored()).toEqual(isNew ? { ...credential, access_token: 'token-1', created: at } : credential);
    expect(await refreshCredential(own, newContext())).toBe(isNew ? 'fresh' : 'refreshed');
    expect(stored()).toMatchObject({ refresh_token: 'refresh-1', created: at });
  });

  test('what the operator stores while a refresh is under way stays', async () => {
    keep(600);
    const theirs = { ...keep(3599), access_token: 'theirs', refresh_token: 'refresh-2' };
    keep(600);
    answer = (request, response) => {
      secrets.set(own.credential, JSON.stringify(theirs));
      issuing()(request, response);
    };
    expect(await refreshCredential(own, newContext())).toBe('fresh');
    expect(stored()).toEqual(theirs);
  });

  test('an endpoint that issues the same token again is believed: its incarnation is another', async () => {
    keep(600);
    answer = issuing({ access_token: 'same' });
    await refreshCredential(own, newContext());
    await refreshCredential(own, newContext({ after: 3000 }));
    expect(stored()).toMatchObject({ access_token: 'same', created: at + 3000 });
  });

  test('a new refresh token is written as long as there is time', async () => {
    keep(600);
    answer = issuing({ refresh_token: 'refresh-2' });
    plan('PutSecretValue', 'fails before', 7);
    expect(await refreshCredential(own, newContext())).toBe('refreshed');
    expect(stored().refresh_token).toBe('refresh-2');
  });

  test('two refreshes at once store one of their credentials whole', async () => {
    keep(0);
    const outcomes = await Promise.all([
      refreshCredential(own, newContext()),
      refreshCredential(own, newContext()),
    ]);
    expect(outcomes).toContain('refreshed');
    expect(stored()).toEqual({
      access_token: expect.stringMatching(/^token-[12]$/),
      token_type: 'Bearer',
      expires_in: 3599,
      refresh_token: 'refresh-1',
      created: at,
    });
  });
});

describe('Where a credential is refreshed', () => {
  const urlOf = () => JSON.parse(secrets.get(own.client) ?? '').auth_url;

  test('may move, and back again', async () => {
    await storeCredential(own, client, 'refresh-1', newContext());
    const elsewhere = 'https://dogs.example.com';
    expect(await moveCredential(own, { from: client.auth_url, to: elsewhere }, newContext())).toBe(true);
    expect(urlOf()).toBe(elsewhere);
    expect(await moveCredential(own, { from: elsewhere, to: client.auth_url }, newContext())).toBe(true);
    expect(urlOf()).toBe(client.auth_url);
    expect(await refreshCredential(own, newContext({ after: 3600 }))).toBe('refreshed');
  });

  test('does not move where it is another service', async () => {
    await storeCredential(own, client, 'refresh-1', newContext());
    const moved = await moveCredential(
      own,
      { from: 'https://a.example', to: 'https://b.example' },
      newContext(),
    );
    expect([moved, urlOf()]).toEqual([false, client.auth_url]);
    clearSecrets();
    expect(
      await moveCredential(own, { from: 'https://a.example', to: 'https://b.example' }, newContext()),
    ).toBe(false);
  });
});

test('A refresh token may be stored again, after it was replaced by another', async () => {
  for (const token of ['refresh-1', 'refresh-2', 'refresh-1'])
    await storeCredential(own, client, token, newContext());
  expect(stored().refresh_token).toBe('refresh-1');
});

describe('All credentials of a deployment', () => {
  const other: CredentialSecrets = { name: 'other', client: 'other-client', credential: 'other-credential' };

  beforeEach(() => {
    process.env.CREDENTIALS = JSON.stringify([other, own]);
    const credential = keep(0);
    secrets.set(other.client, JSON.stringify({ ...client, auth_url: 'http://127.0.0.1:1' }));
    secrets.set(other.credential, JSON.stringify(credential));
  });

  test('are refreshed, each by itself: one that fails does no harm to the others, and is told', async () => {
    await expect(refreshCredentials(newContext())).rejects.toThrow(
      /^The credential other was not refreshed\. http:\/\/127\.0\.0\.1:1\/oauth2\/v4\/token did not issue a token: fetch failed: .+/,
    );
    expect(stored().access_token).toBe('token-1');
    expect(told.mock.calls).toEqual([[{ event: 'CredentialRefreshed', name: 'own' }]]);
  });

  test('are silent when nothing changes', async () => {
    secrets.delete(other.credential);
    await refreshCredentials(newContext());
    told.mockClear();
    await refreshCredentials(newContext({ after: 60 }));
    expect([told.mock.calls, failed.mock.calls]).toEqual([[], []]);
  });

  test('are loud, and not tried again, where a refresh token is taken no more', async () => {
    secrets.delete(other.credential);
    answer = sending(400, { error: 'invalid_grant' });
    await refreshCredentials(newContext());
    expect(failed.mock.calls).toEqual([
      [
        {
          event: 'CredentialRefused',
          name: 'own',
          reason: expect.stringContaining('refuses the refresh token'),
        },
      ],
    ]);
  });

  test('never show a secret in what is logged or thrown', async () => {
    const thrown: unknown[] = [];
    for (const listener of [
      issuing(),
      sending(400, { error: 'invalid_grant' }),
      sending(500, 'x'),
      sending(200, {}),
    ]) {
      answer = listener;
      keep(0);
      await refreshCredentials(newContext()).catch((error) => thrown.push(error));
    }
    const lines = JSON.stringify([told.mock.calls, failed.mock.calls, thrown.map((error) => inspect(error))]);
    for (const secret of ['refresh-1', 'hush', 'token-']) expect(lines).not.toContain(secret);
  });
});

describe('The secrets must hold what they should', () => {
  test.each([
    ['client', { ...({} as CredentialClient), client_id: 'x' }],
    ['client', { auth_url: 'http://example.com', client_id: 'x', client_secret: 'y' }],
    ['client', { auth_url: 'ftp://127.0.0.1', client_id: 'x', client_secret: 'y' }],
    ['credential', { access_token: 'x' }],
    ['credential', { access_token: '', token_type: 'Bearer', expires_in: 0, refresh_token: '', created: 0 }],
  ] as const)('the %s %j is refused, and nobody is asked', async (kind, document) => {
    keep(0);
    secrets.set(own[kind], JSON.stringify(document));
    await expect(refreshCredential(own, newContext())).rejects.toThrow();
    expect(asked).toEqual([]);
  });
});
