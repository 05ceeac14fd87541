import type { RequestContext } from '../platform/request-context.ts';
import { writeSecret } from '../platform/secrets-manager.ts';
import {
  type CredentialClient,
  type CredentialSecrets,
  readMovableClient,
  writeCredential,
} from './credential.ts';
import { exchangeRefreshToken } from './token-endpoint.ts';

/**
 * If the token endpoint issues no credential, neither secret changes.
 *
 * @throws InvalidGrant if the endpoint refuses the refresh token
 */
export async function storeCredential(
  secrets: CredentialSecrets,
  client: CredentialClient,
  refreshToken: string,
  context: RequestContext,
): Promise<void> {
  const credential = await exchangeRefreshToken(client, refreshToken, context);
  await writeCredential(secrets, credential, context);
  await writeSecret(secrets.client, client, context);
}

/** Safe to call twice. Returns false, and writes nothing, if the client's `auth_url` is not `from`. */
export async function moveCredential(
  secrets: CredentialSecrets,
  { from, to }: { readonly from: string; readonly to: string },
  context: RequestContext,
): Promise<boolean> {
  const client = await readMovableClient(secrets, context);
  if (client?.auth_url !== from) return false;
  await writeSecret(secrets.client, { ...client, auth_url: to }, context);
  return true;
}
