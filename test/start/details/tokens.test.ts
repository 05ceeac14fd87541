import { once } from 'node:events';
import { createServer } from 'node:net';
import { eventually } from '@rest-actions/local-cloud/testing';
import { skipTime } from '../../support/time.ts';
import { exchange, kill9, restart, runCommand, service, statusWith, useService } from '../support.ts';

const directory = useService();

async function publishedKeys(): Promise<string> {
  return (await fetch(`${service.access.base_url}/.well-known/jwks.json`)).text();
}

async function readCredential() {
  const { stdout } = await runCommand(directory, 'credentials', 'get', 'dogs', '--reveal', '--json');
  return JSON.parse(stdout);
}

describe('After kill -9 and a restart on another port', () => {
  let credential: Awaited<ReturnType<typeof readCredential>>;

  test('the client, the refresh token, the keys, the credential and earlier access tokens are still valid', async () => {
    const { access } = service;
    const keys = await publishedKeys();
    credential = await readCredential();
    const { token } = await exchange(access);
    await kill9();
    const other = createServer().listen(Number(new URL(access.base_url).port), '127.0.0.1');
    await once(other, 'listening');
    await restart(directory, { clockOffsetMs: 0 });
    other.close();
    const { base_url, mail_url, clock_url } = service.access;
    expect(base_url).not.toBe(access.base_url);
    expect(service.access).toEqual({ ...access, base_url, auth_url: base_url, mail_url, clock_url });
    expect((await exchange(access)).result).toBe('access_token');
    expect(await publishedKeys()).toBe(keys);
    expect(await readCredential()).toEqual(credential);
    for (const one of [token, credential.access_token]) expect(await statusWith(one)).toBe(200);
  });

  test('the function that refreshes credentials calls the new token endpoint', async () => {
    await skipTime(service.access, 25 * 60);
    const fresh = await eventually(async () => {
      const stored = await readCredential();
      expect(stored.access_token).not.toBe(credential.access_token);
      return stored;
    });
    const [access_token, created] = [expect.any(String), expect.any(Number)];
    expect(fresh).toEqual({ ...credential, access_token, created });
    expect(await statusWith(fresh.access_token)).toBe(200);
  });
});
