import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { Access, Service } from '../../../tools/service.ts';
import { eventually } from '../../support/client.ts';
import { operatorAccess, withClient } from '../operator-access.ts';
import { exchange, kill9, restart, service, statusWith, useService } from '../support.ts';

const directory = useService();

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
});

/** Invokes the function that refreshes the credentials now, instead of waiting up to ten minutes for its schedule. */
function callRefresher(): Promise<unknown> {
  const FunctionName = operatorAccess(directory).functions.RefreshCredentials;
  return withClient(LambdaClient, directory, (lambda) => lambda.send(new InvokeCommand({ FunctionName })));
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
