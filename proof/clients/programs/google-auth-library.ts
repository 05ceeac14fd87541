import assert from 'node:assert/strict';
import { OAuth2Client } from 'google-auth-library';
import type { Access } from './observations.ts';

/** Makes a dog bark with a widely used OAuth 2.0 library, which exchanges the refresh token by itself. */
export async function bark({
  base_url,
  client_id,
  client_secret,
  refresh_token,
  prefix,
}: Access): Promise<void> {
  const oauth2TokenUrl = new URL('/oauth2/v4/token', base_url).href;
  const client = new OAuth2Client({
    clientId: client_id,
    clientSecret: client_secret,
    endpoints: { oauth2TokenUrl },
  });
  const renewals: object[] = [];
  client.on('tokens', (tokens) => renewals.push(tokens));
  client.setCredentials({ refresh_token });
  const dog = new URL(`/v1/dogs/${prefix}-records/`, base_url).href;
  await client.request({ url: dog, method: 'PUT', data: { barkEffects: ['record'] } });
  const barked = await client.request({ url: `${dog}barks`, method: 'POST' });
  assert.equal(barked.status, 201);
  assert.equal(renewals.length, 1);
  assert.equal(client.credentials.refresh_token, refresh_token);
  assert.ok((client.credentials.expiry_date ?? 0) > Date.now() + 3_500_000);
}
