import type { RequestContext } from '../platform/request-context.ts';
import {
  type AccessItem,
  deleteAccessItem,
  findAccessItem,
  putAccessItem,
  type Requirement,
} from './items.ts';
import { hashOf, isSecret, newSecret } from './secret.ts';

/**
 * A program that exchanges refresh tokens for access tokens.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-2 RFC 6749 section 2}
 */
export interface Client extends AccessItem {
  readonly secretHash: string;
}

/**
 * Returns the client if it exists and has this secret. Does the same work in every case, so that the response time does not
 * reveal which clients exist.
 *
 * @returns undefined if the client does not exist, or if the secret is wrong
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function authenticatedClient(
  id: string,
  secret: string,
  context: RequestContext,
): Promise<Client | undefined> {
  const client = await findAccessItem<Client>('client', id, context);
  return isSecret(secret, client?.secretHash) ? client : undefined;
}

/**
 * Creates a client, or gives an existing client a new secret.
 *
 * @returns the secret. The service stores only its hash
 * @throws AlreadyExists if a client with this ID exists, unless `replace` is true
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the client was written
 */
export function createClient(
  id: string,
  { replace }: { readonly replace: boolean },
  context: RequestContext,
): Promise<string> {
  return writeSecret(id, replace ? 'none' : 'absent', context);
}

/**
 * Gives an existing client a new secret. The client keeps all grants.
 *
 * @returns the secret, of which the service stores only a hash
 * @throws NotFound if the client does not exist
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the secret was replaced
 */
export function rotateClientSecret(id: string, context: RequestContext): Promise<string> {
  return writeSecret(id, 'present', context);
}

async function writeSecret(id: string, requirement: Requirement, context: RequestContext): Promise<string> {
  const secret = newSecret();
  await putAccessItem('client', id, hashOf(secret), requirement, context);
  return secret;
}

/**
 * Revokes a client, which then gets no new access tokens. Its existing access tokens work until they expire.
 *
 * @throws NotFound if the client does not exist
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the client was revoked
 */
export function revokeClient(id: string, context: RequestContext): Promise<void> {
  return deleteAccessItem('client', id, context);
}
