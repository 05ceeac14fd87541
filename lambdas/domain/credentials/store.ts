import type { RequestContext } from '../platform/request-context.ts';
import {
  type CredentialSecrets,
  readCredentialClient,
  writeCredential,
  writeCredentialClient,
} from './credential.ts';
import type { CredentialClient } from './schema.ts';
import { exchangeRefreshToken } from './token-endpoint.ts';

/**
 * Exchanges a refresh token for a credential, and stores the credential and its client. If the token endpoint issues no
 * credential, neither secret changes.
 *
 * @throws InvalidGrant if the endpoint refuses the refresh token
 * @throws Unavailable if the endpoint issues no credential for another reason
 * @throws Unavailable if Secrets Manager is unavailable: it is then unknown which of the two secrets were written
 */
export async function storeCredential(
  secrets: CredentialSecrets,
  client: CredentialClient,
  refreshToken: string,
  context: RequestContext,
): Promise<void> {
  const credential = await exchangeRefreshToken(client, refreshToken, context);
  await writeCredential(secrets, credential, context);
  await writeCredentialClient(secrets, client, context);
}

/**
 * Changes the URL at which the service refreshes a credential, after the token endpoint has moved. Safe to call twice.
 *
 * @returns false if the credential does not have the URL `from`, so that nothing was written
 * @throws Error if the secret does not contain a valid client
 * @throws Unavailable if Secrets Manager is unavailable: it is then unknown whether the URL was changed
 */
export async function moveCredential(
  secrets: CredentialSecrets,
  { from, to }: { readonly from: string; readonly to: string },
  context: RequestContext,
): Promise<boolean> {
  const client = await readCredentialClient(secrets, context);
  if (client?.auth_url !== from) return false;
  await writeCredentialClient(secrets, { ...client, auth_url: to }, context);
  return true;
}
