import { readCredentialClient } from '../../../../lambdas/domain/credentials/credential.ts';
import { refreshCredential } from '../../../../lambdas/domain/credentials/refresh.ts';
import { moveCredential, storeCredential } from '../../../../lambdas/domain/credentials/store.ts';
import { InvalidGrant, Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { newContext } from '../../../support/context.ts';
import {
  client,
  credentialOf,
  own,
  respondWith,
  sending,
  stored,
  storeWithTimeLeft,
  useTokenEndpoint,
} from '../../../support/credentials.ts';
import { clearSecrets, secrets } from '../../../support/faults.ts';

useTokenEndpoint();

describe('storeCredential', () => {
  test('stores the client, and the credential that the token endpoint returns for the refresh token', async () => {
    await storeCredential(own, client, 'refresh-1', newContext());
    expect(stored()).toEqual(credentialOf('token-1'));
    expect(JSON.parse(secrets.get(own.client) ?? '')).toEqual(client);
  });

  test.each([
    ['invalid_grant', InvalidGrant],
    ['invalid_client', Unavailable],
  ])('stores nothing if the token endpoint responds %s', async (error, kind) => {
    const credential = storeWithTimeLeft(600);
    respondWith(sending(400, { error }));
    await expect(storeCredential(own, { ...client, client_id: 'x' }, 'bad', newContext())).rejects.toThrow(
      kind,
    );
    expect([stored(), JSON.parse(secrets.get(own.client) ?? '')]).toEqual([credential, client]);
  });

  test('stores a refresh token again after another one replaced it', async () => {
    for (const token of ['refresh-1', 'refresh-2', 'refresh-1'])
      await storeCredential(own, client, token, newContext());
    expect(stored().refresh_token).toBe('refresh-1');
  });
});

describe('moveCredential', () => {
  const urlOf = () => JSON.parse(secrets.get(own.client) ?? '').auth_url;
  const move = (from: string, to: string) => moveCredential(own, { from, to }, newContext());
  const elsewhere = 'https://dogs.example.com';

  test('changes the URL of the token endpoint, and changes it back', async () => {
    await storeCredential(own, client, 'refresh-1', newContext());
    expect([await move(client.auth_url, elsewhere), urlOf()]).toEqual([true, elsewhere]);
    expect([await move(elsewhere, client.auth_url), urlOf()]).toEqual([true, client.auth_url]);
    expect(await refreshCredential(own, newContext({ after: 3600 }))).toBe('refreshed');
  });

  test('changes a URL that must not be used, such as one of a machine whose address has changed', async () => {
    await storeCredential(own, client, 'refresh-1', newContext());
    const former = 'http://192.0.2.7:3000';
    secrets.set(own.client, JSON.stringify({ ...client, auth_url: former }));
    await expect(readCredentialClient(own, newContext())).rejects.toThrow('has invalid content: auth_url');
    expect([await move(former, client.auth_url), urlOf()]).toEqual([true, client.auth_url]);
  });

  test('returns false if the credential has another URL, or is not stored', async () => {
    await storeCredential(own, client, 'refresh-1', newContext());
    expect([await move('https://a.example', elsewhere), urlOf()]).toEqual([false, client.auth_url]);
    clearSecrets();
    expect(await move('https://a.example', elsewhere)).toBe(false);
  });
});
