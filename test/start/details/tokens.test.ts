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
import type { Access, Service } from '../../../tools/service.ts';
import { Client, eventually } from '../../support/client.ts';
import { operatorAccess, withClient } from '../operator-access.ts';
import {
  client,
  exchange,
  kill9,
  restart,
  runCommand,
  runCommandReading,
  service,
  statusWith,
  useService,
} from '../support.ts';

const directory = useService();

/** Returns the fields that a command of the operator prints. */
async function operate<Printed = Record<string, string>>(...parameters: string[]): Promise<Printed> {
  const { code, stdout, stderr } = await runCommand(directory, ...parameters, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

interface ClientOfUser {
  readonly client_id: string;
  readonly client_secret: string;
  readonly refresh_token: string;
}

/** Returns the client that the first start created. */
const firstClient = () => service.access as Access & ClientOfUser;

/** Returns the IDs of the published keys. */
async function kids(): Promise<string[]> {
  const response = await fetch(`${service.access.base_url}/.well-known/jwks.json`);
  const { keys } = (await response.json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

// The tests of the domain check which tokens each command ends, in test/lambdas/domain/access/grants.test.ts.
describe('The operator', () => {
  test('creates everything that a client needs in one access.json, and ends its access step by step', async () => {
    const access = await operate<Access & ClientOfUser>('access', 'create', 'bob', '--reveal');
    const { base_url } = service.access;
    const secret = expect.any(String);
    const own = { username: 'bob', password: secret, client_id: 'bob', client_secret: secret };
    expect(access).toEqual({ base_url, auth_url: base_url, ...own, refresh_token: secret });
    expect((await new Client(access).get('/v1/dogs/')).status).toBe(200);
    const { result, token } = await exchange(access);
    expect([result, await statusWith(token)]).toEqual(['access_token', 200]);

    const rotated = await operate('grants', 'rotate', 'bob', 'bob', '--yes', '--reveal');
    expect((await exchange(access)).result).toBe('invalid_grant');
    expect((await exchange({ ...access, ...rotated })).result).toBe('access_token');
    await operate('clients', 'revoke', 'bob', '--yes');
    expect((await exchange({ ...access, ...rotated })).result).toBe('invalid_client');
    expect((await exchange(firstClient())).result).toBe('access_token');
  });

  test.each([
    ['there is a client with that name', 'half', [], 1],
    ['there is no such credential', 'quarter', ['--credential', 'cats'], 2],
  ])('creates nothing with access create if %s', async (_, name, options, exitCode) => {
    if (name === 'half') await operate('clients', 'create', name, '--reveal');
    const { code, stdout } = await runCommand(directory, 'access', 'create', name, '--reveal', ...options);
    expect([code, stdout]).toEqual([exitCode, '']);
    // The user must not exist, because its password was never shown.
    expect((await runCommand(directory, 'users', 'get', name)).code).toBe(1);
  });

  test('replaces the signing key, and all tokens stay valid', async () => {
    const [former] = await kids();
    const { token } = await exchange(firstClient());
    const { kid } = await operate('keys', 'rotate');
    expect(new Set(await kids())).toEqual(new Set([former, kid]));
    expect(await statusWith(token)).toBe(200);
  });
});

interface Credential {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly created: number;
}

/** Returns the secrets of the credential that the first start created. */
function secretIds(): { client: string; credential: string } {
  const all = JSON.parse(operatorAccess(directory).outputs.Credentials ?? '[]');
  expect(all).toEqual([{ name: 'dogs', client: expect.any(String), credential: expect.any(String) }]);
  return all[0];
}

const inSecrets = <Result>(work: (secrets: SecretsManagerClient) => Promise<Result>) =>
  withClient(SecretsManagerClient, directory, work);

async function readSecret<Document>(SecretId: string): Promise<Document> {
  const command = new GetSecretValueCommand({ SecretId });
  return JSON.parse((await inSecrets((secrets) => secrets.send(command))).SecretString ?? '');
}

const readCredential = () => readSecret<Credential>(secretIds().credential);

/** Returns the age of a credential in seconds. */
const ageOf = ({ created }: Credential) => Date.now() / 1000 - created;

describe('The credential of the first start', () => {
  let credential: Credential;

  beforeAll(async () => {
    credential = await readCredential();
  });

  test('has exactly five members, a valid access token, and not the secrets that refresh it', async () => {
    expect(credential).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 3599,
      refresh_token: service.access.refresh_token,
      created: expect.any(Number),
    });
    expect(Number.isInteger(credential.created)).toBe(true);
    expect(Math.abs(ageOf(credential))).toBeLessThan(300);
    expect(await statusWith(credential.access_token)).toBe(200);
    const { auth_url, client_id, client_secret } = service.access;
    expect(await readSecret(secretIds().client)).toEqual({ auth_url, client_id, client_secret });
  });

  /** Creates a client of Google's library for Node. Returns it and the tokens that it has requested. */
  function libraryClient(credentials: object, auth_url = service.access.auth_url) {
    const { client_id, client_secret } = firstClient();
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

  test('can be used by the library for Node, which requests no token before it expires', async () => {
    // No server listens on this port.
    const { library, renewals, call } = libraryClient(credential, 'http://127.0.0.1:9');
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
});

/** Invokes the function that refreshes the credentials now, instead of waiting up to ten minutes for its schedule. */
function callRefresher(): Promise<unknown> {
  return withClient(SchedulerClient, directory, async (scheduler) => {
    const GroupName = 'dogs-prod-credentials';
    const { Schedules = [] } = await scheduler.send(new ListSchedulesCommand({ GroupName }));
    expect(Schedules).toHaveLength(1);
    const { Name, Target, FlexibleTimeWindow, ScheduleExpression } = await scheduler.send(
      new GetScheduleCommand({ GroupName, Name: Schedules[0]?.Name }),
    );
    const same = { GroupName, Name, Target, FlexibleTimeWindow, ScheduleExpression };
    const StartDate = new Date(Date.now() + 1000);
    return scheduler.send(new UpdateScheduleCommand({ ...same, StartDate }));
  });
}

/** Waits until the credential differs from a previous one, and returns it. */
function refreshed(former: Credential): Promise<Credential> {
  return eventually(async () => {
    const credential = await readCredential();
    expect(credential).not.toEqual(former);
    return credential;
  });
}

describe('After kill -9 and a restart on another port', () => {
  let former: Service;
  let before: string[];
  let credential: Credential;
  let token: string;

  beforeAll(async () => {
    former = service;
    before = await kids();
    credential = await readCredential();
    ({ token } = await exchange(firstClient()));
    await kill9();
    await restart(directory);
  });

  test('the client, the refresh token, the keys, the credential and earlier access tokens are still valid', async () => {
    const { base_url, auth_url, mail_url } = service.access;
    expect(base_url).not.toBe(former.access.base_url);
    expect(service.access).toEqual({ ...former.access, base_url, auth_url, mail_url });
    expect(auth_url).toBe(base_url);
    expect((await exchange(firstClient())).result).toBe('access_token');
    expect(await kids()).toEqual(before);
    expect(await readCredential()).toEqual(credential);
    for (const one of [token, credential.access_token]) expect(await statusWith(one)).toBe(200);
  });

  test('the function that refreshes credentials calls the new token endpoint', async () => {
    const { auth_url } = await readSecret<Access>(secretIds().client);
    expect(auth_url).toBe(service.access.base_url);
    const expired = { ...credential, created: Math.floor(Date.now() / 1000) - 3660 };
    const SecretString = JSON.stringify(expired);
    const command = new PutSecretValueCommand({ SecretId: secretIds().credential, SecretString });
    await inSecrets((secrets) => secrets.send(command));
    await callRefresher();
    const fresh = await refreshed(expired);
    const [access_token, created] = [expect.any(String), expect.any(Number)];
    expect(fresh).toEqual({ ...expired, access_token, created });
    expect(ageOf(fresh)).toBeLessThan(60);
    expect(await statusWith(fresh.access_token)).toBe(200);
  });
});

test('credentials put stores the credential that the token endpoint issues, and refuses an invalid refresh token', async () => {
  const put = (input: object) =>
    runCommandReading(JSON.stringify(input), directory, 'credentials', 'put', 'dogs', '--json');
  const { auth_url, client_id, client_secret, refresh_token } = firstClient();
  const right = { auth_url, client_id, client_secret, refresh_token };
  const refused = await put({ ...right, refresh_token: 'bad' });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('refresh token')]);
  const former = await readCredential();
  const { code, stdout } = await put(right);
  expect([code, JSON.parse(stdout)]).toEqual([0, { stored: 'dogs' }]);
  const stored = await readCredential();
  expect(stored.access_token).not.toBe(former.access_token);
  expect(stored.refresh_token).toBe(refresh_token);
  expect(await statusWith(stored.access_token)).toBe(200);
});
