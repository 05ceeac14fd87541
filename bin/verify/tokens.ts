import { readCredential } from '../../lambdas/domain/credentials/credential.ts';
import { credentials } from '../cli/commands/credentials.ts';
import { newContext } from '../cli/parameters.ts';
import {
  type Check,
  type Deployment,
  documentOf,
  expectEqual,
  expectStatus,
  Mismatch,
  Unproven,
} from './check.ts';

const path = '/oauth2/v4/token';

export const tokens: readonly Check[] = [
  {
    statement: 'The token endpoint accepts a form, and the access token opens the API',
    run: async (deployment) => {
      const token = await exchange(deployment, new URLSearchParams(grantOf(deployment)).toString());
      const headers = { Authorization: `Bearer ${token}` };
      expectStatus(await deployment.api.send('GET', '/v1/dogs', { headers }), 200);
    },
  },
  {
    statement: 'The token endpoint accepts JSON, and publishes the key of the access token',
    run: async (deployment) => {
      const token = await exchange(deployment, grantOf(deployment));
      const [header = ''] = token.split('.');
      const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
      const published = await deployment.api.send('GET', '/.well-known/jwks.json', anonymous);
      expectStatus(published, 200);
      const { keys } = documentOf(published) as { keys: { kid: string }[] };
      if (!keys.some((key) => key.kid === kid))
        throw new Mismatch(`GET /.well-known/jwks.json does not contain the key ${kid} of an access token.`);
    },
  },
  {
    statement: 'A wrong client secret gets 401 with invalid_client',
    run: async ({ api, client }) => {
      const body = { ...client, client_secret: 'wrong', grant_type: 'refresh_token' };
      const refused = await api.send('POST', path, { ...anonymous, body });
      expectStatus(refused, 401);
      expectEqual('error', documentOf(refused).error, 'invalid_client');
    },
  },
  {
    statement: 'The stored credentials have access tokens that are still valid',
    run: async () => {
      const all = credentials();
      const stored = await Promise.all(all.map((secrets) => readCredential(secrets, newContext())));
      const missing = all.filter((_, i) => !stored[i]).map(({ name }) => name);
      for (const [i, credential] of stored.entries())
        if (credential && credential.created + credential.expires_in < Date.now() / 1000)
          throw new Mismatch(`The access token in the credential "${all[i]?.name}" has expired.`);
      if (missing.length > 0)
        throw new Unproven(
          `Nothing is stored in: ${missing.join(', ')}. Store a credential with "npx dogs credentials put".`,
        );
    },
  },
];

const anonymous = { headers: { Authorization: undefined } };

const grantOf = ({ client }: Deployment) => ({ ...client, grant_type: 'refresh_token' });

/** Returns the access token. */
async function exchange({ api }: Deployment, body: object | string): Promise<string> {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const headers = { ...anonymous.headers, ...(typeof body === 'string' && form) };
  const reply = await api.send('POST', path, { headers, body });
  expectStatus(reply, 200);
  const { access_token, token_type, expires_in, ...others } = documentOf(reply);
  expectEqual('token_type', token_type, 'Bearer');
  if (typeof expires_in !== 'number' || expires_in < 3_500 || expires_in > 3_600)
    throw new Mismatch(`expires_in is ${expires_in} instead of just under 3600.`);
  expectEqual('The rest of the token response', others, {});
  return String(access_token);
}
