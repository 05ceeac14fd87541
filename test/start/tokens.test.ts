import { once } from 'node:events';
import { createServer } from 'node:net';
import {
  GetScheduleCommand,
  ListSchedulesCommand,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { OAuth2Client } from 'google-auth-library';
import { decodeProtectedHeader } from 'jose';
import type { Access, Service } from '../../tools/service.ts';
import { Client, eventually } from '../support/client.ts';
import { operatorAccess } from './operator-access.ts';
import { linesOf, runCommand, runCommandReading, start, temporaryDirectory } from './support.ts';

const directory = temporaryDirectory();
const settings = ['authorizerCacheSeconds=0'];
let service: Service;
let client: Client;
let firstPort: string;

/** Starts the service on a free port or on the given port. */
async function restart(PORT = '0'): Promise<void> {
  service = await start(directory, { settings, environment: { PORT } });
  client = new Client(service.access);
}
beforeAll(async () => {
  firstPort = await freePort();
  await restart(firstPort);
});

/** Returns a free port. The next port is also free, because the service uses both. */
async function freePort(): Promise<string> {
  const port = 20_000 + 2 * Math.floor(Math.random() * 5_000);
  const servers = [createServer(), createServer()];
  try {
    for (const [i, server] of servers.entries())
      await once(server.listen(port + i, '127.0.0.1'), 'listening');
    return String(port);
  } catch {
    return freePort();
  } finally {
    for (const server of servers) server.close();
  }
}

/** Returns the fields that a command of the operator prints. */
async function operate<Printed = Record<string, string>>(...parameters: string[]): Promise<Printed> {
  const { code, stdout, stderr } = await runCommand(directory, ...parameters, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

interface ClientOfUser {
  readonly auth_url: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly refresh_token: string;
}

/** Requests an access token. `result` is `access_token` or the error. */
async function ask({ auth_url, ...parameters }: ClientOfUser) {
  const { client_id, client_secret, refresh_token } = parameters;
  const response = await fetch(`${auth_url}/oauth2/v4/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id, client_secret, refresh_token, grant_type: 'refresh_token' }),
  });
  const { error, access_token = '' } = (await response.json()) as { error?: string; access_token?: string };
  return { result: error ?? 'access_token', token: access_token };
}

/** Returns the access that the first start created. */
function firstClient(): ClientOfUser {
  return service.access as Access & ClientOfUser;
}

async function statusWith(token: string): Promise<number> {
  const response = await client.get('/v1/dogs/?limit=1', { Authorization: `Bearer ${token}` });
  return response.status;
}

/** Creates a user, a client with the same name, and a grant between them. */
async function newAccess(name: string): Promise<ClientOfUser> {
  await operate('users', 'create', name, '--reveal');
  const { client_id = '', client_secret = '' } = await operate('clients', 'create', name, '--reveal');
  const { refresh_token = '' } = await operate('grants', 'create', name, name, '--reveal');
  return { auth_url: service.access.base_url, client_id, client_secret, refresh_token };
}

describe('The operator', () => {
  test('creates a client and a grant, with which the client gets tokens for the user', async () => {
    await operate('users', 'create', 'ann', '--reveal');
    const made = await runCommand(directory, 'clients', 'create', 'walker', '--reveal');
    expect([made.code, linesOf(made.stdout)]).toEqual([
      0,
      ['client_id: walker', expect.stringMatching(/^client_secret: [\w-]{43,}$/)],
    ]);
    const granted = await runCommand(directory, 'grants', 'create', 'ann', 'walker', '--reveal');
    expect([granted.code, linesOf(granted.stdout)]).toEqual([
      0,
      ['user: ann', 'client: walker', expect.stringMatching(/^refresh_token: [\w-]{43,}$/)],
    ]);
    const valueIn = (output: string, name: string) => output.split(`${name}: `)[1]?.split('\n')[0] ?? '';
    const { result, token } = await ask({
      auth_url: service.access.base_url,
      client_id: 'walker',
      client_secret: valueIn(made.stdout, 'client_secret'),
      refresh_token: valueIn(granted.stdout, 'refresh_token'),
    });
    expect(result).toBe('access_token');
    expect(await statusWith(token)).toBe(200);
  });

  test('cannot create a client twice, or a grant for an unknown user or client', async () => {
    for (const [parameters, name] of [
      [['clients', 'create', 'walker', '--reveal'], 'walker'],
      [['grants', 'create', 'no-user', 'walker', '--reveal'], 'no-user'],
      [['grants', 'create', 'ann', 'no-client', '--reveal'], 'no-client'],
      [['clients', 'revoke', 'no-client', '--yes'], 'no-client'],
      [['grants', 'revoke', 'ann', 'no-grant', '--yes'], 'ann/no-grant'],
    ] as const) {
      const { code, stdout, stderr } = await runCommand(directory, ...parameters);
      expect([code, stdout, linesOf(stderr)]).toEqual([1, '', [expect.stringContaining(name)]]);
    }
  });

  test('creates a separate refresh token for each grant, which only its client can use', async () => {
    const one = await newAccess('one');
    const other = await newAccess('other');
    expect((await ask({ ...one, refresh_token: other.refresh_token })).result).toBe('invalid_grant');
  });

  test('replaces the refresh token of a user and a client only with grants rotate', async () => {
    const access = await newAccess('twice');
    const { code, stdout, stderr } = await runCommand(
      directory,
      'grants',
      'create',
      'twice',
      'twice',
      '--reveal',
    );
    expect([code, stdout, linesOf(stderr)]).toEqual([
      1,
      '',
      ['The grant "twice/twice" already exists. Replace its refresh token with "npx dogs grants rotate".'],
    ]);
    expect((await ask(access)).result).toBe('access_token');
    const { refresh_token = '' } = await operate('grants', 'rotate', 'twice', 'twice', '--yes', '--reveal');
    expect((await ask({ ...access, refresh_token })).result).toBe('access_token');
    expect((await ask(access)).result).toBe('invalid_grant');
  });

  test.each<[string, string, (id: string) => string[], string]>([
    ['the grant', 'gail', (id) => ['grants', 'revoke', id, id], 'invalid_grant'],
    ['the client', 'cleo', (id) => ['clients', 'revoke', id], 'invalid_client'],
    ['the user', 'uma', (id) => ['users', 'revoke', id], 'invalid_grant'],
  ])('revokes a client’s tokens with %s, and no other client’s tokens', async (_, name, revoke, error) => {
    const access = await newAccess(name);
    expect((await ask(access)).result).toBe('access_token');
    await operate(...revoke(name), '--yes');
    expect((await ask(access)).result).toBe(error);
    expect((await ask(firstClient())).result).toBe('access_token');
  });

  test('replaces the secret of a client, and its grants stay valid', async () => {
    const access = await newAccess('replaced');
    const { client_secret = '' } = await operate('clients', 'rotate', 'replaced', '--yes', '--reveal');
    expect((await ask(access)).result).toBe('invalid_client');
    expect((await ask({ ...access, client_secret })).result).toBe('access_token');
  });

  test('creates everything that a client needs in one access.json', async () => {
    const access = await operate<Access & ClientOfUser>('access', 'create', 'bob', '--reveal');
    const { base_url } = service.access;
    expect(access).toEqual({
      base_url,
      username: 'bob',
      password: expect.any(String),
      auth_url: base_url,
      client_id: 'bob',
      client_secret: expect.any(String),
      refresh_token: expect.any(String),
    });
    expect((await new Client(access).get('/v1/dogs/')).status).toBe(200);
    const { result, token } = await ask(access);
    expect(result).toBe('access_token');
    expect(await statusWith(token)).toBe(200);
  });
});

test.each([
  ['there is a client with that name', 'half', [], 1],
  ['there is no such credential', 'quarter', ['--credential', 'cats'], 2],
])('access create creates nothing if %s', async (_, name, options, exitCode) => {
  if (name === 'half') await operate('clients', 'create', name, '--reveal');
  const { code, stdout } = await runCommand(directory, 'access', 'create', name, '--reveal', ...options);
  expect([code, stdout]).toEqual([exitCode, '']);
  // The user must not exist, because its password was never shown.
  expect((await runCommand(directory, 'users', 'get', name)).code).toBe(1);
});

/** Returns the IDs of the published keys. */
async function kids(): Promise<string[]> {
  const response = await fetch(`${service.access.base_url}/.well-known/jwks.json`);
  const { keys } = (await response.json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

test('replacing a key keeps all tokens valid: both keys are published before the new one signs', async () => {
  const { token } = await ask(firstClient());
  const [former, ...none] = await kids();
  expect(none).toEqual([]);
  const { kid, signs_from } = await operate<{ kid: string; signs_from: number }>('keys', 'rotate');
  expect(new Set(await kids())).toEqual(new Set([former, kid]));
  expect(await statusWith(token)).toBe(200);
  // A client that caches the keys does not know the new one yet.
  expect(signs_from * 1000).toBeGreaterThan(Date.now() + 30_000);
  const { token: later } = await ask(firstClient());
  expect(decodeProtectedHeader(later).kid).toBe(former);
  expect(await statusWith(later)).toBe(200);
});

interface Credential {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly created: number;
}

/** Returns the URL of the first start's credential and the request that refreshes it. */
function secretIds(): { client: string; credential: string } {
  const all = JSON.parse(operatorAccess(directory).outputs.Credentials ?? '[]');
  expect(all).toEqual([{ name: 'dogs', client: expect.any(String), credential: expect.any(String) }]);
  return all[0];
}

async function withSecrets<Result>(use: (secrets: SecretsManagerClient) => Promise<Result>): Promise<Result> {
  const secrets = new SecretsManagerClient(operatorAccess(directory).client);
  try {
    return await use(secrets);
  } finally {
    secrets.destroy();
  }
}

function readSecret<Document>(SecretId: string): Promise<Document> {
  return withSecrets(async (secrets) => {
    const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId }));
    return JSON.parse(SecretString);
  });
}

const readCredential = () => readSecret<Credential>(secretIds().credential);

async function storeCredential(credential: Credential): Promise<void> {
  const value = { SecretId: secretIds().credential, SecretString: JSON.stringify(credential) };
  await withSecrets((secrets) => secrets.send(new PutSecretValueCommand(value)));
}

/** Checks whether a credential has expired by the rule of Google's client library for PHP. */
function isExpired({ created, expires_in }: Credential): boolean {
  return created + expires_in - 30 < Date.now() / 1000;
}

/** Creates a client of Google's library for Node. Returns it and the tokens that it has requested. */
function libraryClient(credentials: object, { auth_url, client_id, client_secret } = firstClient()) {
  const library = new OAuth2Client({
    clientId: client_id,
    clientSecret: client_secret,
    endpoints: { oauth2TokenUrl: `${auth_url}/oauth2/v4/token` },
  });
  const renewals: object[] = [];
  library.on('tokens', (tokens) => renewals.push(tokens));
  library.setCredentials(credentials);
  return { library, renewals, call: () => library.request({ url: client.urlOf('/v1/dogs/?limit=1') }) };
}

describe('The credential of the first start', () => {
  let credential: Credential;

  beforeAll(async () => {
    credential = await readCredential();
  });

  test('has exactly five members', () => {
    expect(credential).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 3599,
      refresh_token: service.access.refresh_token,
      created: expect.any(Number),
    });
    expect(Number.isInteger(credential.created)).toBe(true);
    expect(Math.abs(Date.now() / 1000 - credential.created)).toBeLessThan(300);
  });

  test('does not contain the secrets that refresh it', async () => {
    const { auth_url, client_id, client_secret } = service.access;
    expect(await readSecret(secretIds().client)).toEqual({ auth_url, client_id, client_secret });
  });

  test('has not expired by the rule of the library for PHP, and its access token is valid', async () => {
    expect(isExpired(credential)).toBe(false);
    expect(await statusWith(credential.access_token)).toBe(200);
  });

  test('can be used by the library for Node, which requests no token before it expires', async () => {
    // No server listens on this port.
    const nowhere = { ...firstClient(), auth_url: 'http://127.0.0.1:9' };
    const { library, renewals, call } = libraryClient(credential, nowhere);
    expect((await call()).status).toBe(200);
    expect(renewals).toEqual([]);
    expect(library.credentials).toEqual(credential);
  });

  test('is refreshed by that library after a 401, and the call succeeds', async () => {
    const broken = { ...credential, access_token: `${credential.access_token.slice(0, -4)}AAAA` };
    expect(await statusWith(broken.access_token)).toBe(401);
    const { library, renewals, call } = libraryClient(broken);
    expect((await call()).status).toBe(200);
    expect(renewals).toHaveLength(1);
    expect(library.credentials.refresh_token).toBe(credential.refresh_token);
    expect(await statusWith(library.credentials.access_token ?? '')).toBe(200);
  });

  test('is refreshed by that library before it expires, if the library knows the expiry time', async () => {
    const endingAt = (created: number) => ({
      ...credential,
      created,
      expiry_date: (created + credential.expires_in) * 1000,
    });
    const fresh = libraryClient(endingAt(credential.created));
    expect((await fresh.call()).status).toBe(200);
    expect(fresh.renewals).toEqual([]);
    const old = libraryClient(endingAt(credential.created - 3500));
    expect((await old.call()).status).toBe(200);
    expect(old.renewals).toHaveLength(1);
    expect(old.library.credentials.access_token).not.toBe(credential.access_token);
  });
});

/** Invokes the function that refreshes the credentials now, instead of waiting up to ten minutes for its schedule. */
async function callRefresher(): Promise<void> {
  const scheduler = new SchedulerClient(operatorAccess(directory).client);
  try {
    const GroupName = 'dogs-prod-credentials';
    const { Schedules = [] } = await scheduler.send(new ListSchedulesCommand({ GroupName }));
    expect(Schedules).toHaveLength(1);
    const { Name, Target, FlexibleTimeWindow, ScheduleExpression } = await scheduler.send(
      new GetScheduleCommand({ GroupName, Name: Schedules[0]?.Name }),
    );
    expect(ScheduleExpression).toBe('rate(10 minutes)');
    const StartDate = new Date(Date.now() + 1000);
    await scheduler.send(
      new UpdateScheduleCommand({
        GroupName,
        Name,
        Target,
        FlexibleTimeWindow,
        ScheduleExpression,
        StartDate,
      }),
    );
  } finally {
    scheduler.destroy();
  }
}

/** Waits until the credential differs from a previous one, and returns it. */
function refreshed(former: Credential): Promise<Credential> {
  return eventually(async () => {
    const credential = await readCredential();
    expect(credential).not.toEqual(former);
    return credential;
  });
}

const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1000) - 60 * minutes;

describe('The function that refreshes the credential', () => {
  test('refreshes it when less than 40 minutes remain', async () => {
    const former = { ...(await readCredential()), created: minutesAgo(21) };
    await storeCredential(former);
    await callRefresher();
    const credential = await refreshed(former);
    expect(credential).toEqual({ ...former, access_token: expect.any(String), created: expect.any(Number) });
    expect(credential.created).toBeGreaterThan(minutesAgo(1));
    expect(await statusWith(credential.access_token)).toBe(200);
  });
});

describe('After a restart on another port', () => {
  let former: Service;
  let before: string[];
  let token: string;

  beforeAll(async () => {
    former = service;
    before = await kids();
    ({ token } = await ask(firstClient()));
    await service.stop();
    await restart();
  });

  test('the client, the refresh token and earlier access tokens are still valid', async () => {
    const { base_url, auth_url, mail_url } = service.access;
    expect(base_url).not.toBe(former.access.base_url);
    expect(service.access).toEqual({ ...former.access, base_url, auth_url, mail_url });
    expect(auth_url).toBe(base_url);
    expect((await ask(firstClient())).result).toBe('access_token');
    expect(await statusWith(token)).toBe(200);
    expect(await kids()).toEqual(before);
  });

  test('the credential is refreshed at the new token endpoint', async () => {
    const { auth_url } = await readSecret<ClientOfUser>(secretIds().client);
    expect(auth_url).toBe(service.access.base_url);
    const expired = { ...(await readCredential()), created: minutesAgo(61) };
    expect(isExpired(expired)).toBe(true);
    await storeCredential(expired);
    await callRefresher();
    const credential = await refreshed(expired);
    expect(isExpired(credential)).toBe(false);
    expect(await statusWith(credential.access_token)).toBe(200);
  });
});

test('kill -9 deletes no client, grant, key or credential', async () => {
  const access = await newAccess('kim');
  const { token } = await ask(access);
  const [credential, before] = [await readCredential(), await kids()];
  service.process.kill('SIGKILL');
  await service.exited;
  await restart();
  expect((await ask({ ...access, auth_url: service.access.base_url })).result).toBe('access_token');
  expect(await statusWith(token)).toBe(200);
  expect(await kids()).toEqual(before);
  expect(await readCredential()).toEqual(credential);
  expect(await statusWith(credential.access_token)).toBe(200);
  expect((await ask(firstClient())).result).toBe('access_token');
});

test('after a restart on the first port, the credential is refreshed there again', async () => {
  await service.stop();
  await restart(firstPort);
  const { auth_url } = service.access;
  expect(auth_url).toBe(`http://127.0.0.1:${firstPort}`);
  expect(await readSecret(secretIds().client)).toMatchObject({ auth_url });
});

describe('A credential that the operator creates', () => {
  const put = (input: object) =>
    runCommandReading(JSON.stringify(input), directory, 'credentials', 'put', 'dogs', '--json');
  /** Returns the credential that the first start created. */
  const right = () => {
    const { auth_url, client_id, client_secret, refresh_token } = firstClient();
    return { auth_url, client_id, client_secret, refresh_token };
  };

  test('is stored with the token that the endpoint returns for it', async () => {
    const access = await newAccess('paul');
    const { code, stdout } = await put(access);
    expect([code, JSON.parse(stdout)]).toEqual([0, { stored: 'dogs' }]);
    const credential = await readCredential();
    expect(credential.refresh_token).toBe(access.refresh_token);
    expect(isExpired(credential)).toBe(false);
    expect(await statusWith(credential.access_token)).toBe(200);
  });

  test('is refused with the reason if the endpoint refuses it', async () => {
    const badToken = await put({ ...right(), refresh_token: 'bad' });
    expect([badToken.code, badToken.stderr]).toEqual([1, expect.stringContaining('refresh token')]);
    const badSecret = await put({ ...right(), client_secret: 'bad' });
    const { auth_url } = right();
    expect([badSecret.code, badSecret.stderr]).toEqual([1, expect.stringContaining(auth_url)]);
  });

  test('may be replaced with its own content', async () => {
    const { code, stderr } = await put(right());
    expect([code, stderr]).toEqual([0, '']);
    const { refresh_token, ...client } = right();
    expect(await readSecret(secretIds().client)).toEqual(client);
    const credential = await readCredential();
    expect(credential.refresh_token).toBe(refresh_token);
    expect(isExpired(credential)).toBe(false);
  });
});
