import type { RequestContext } from '../platform/request-context.ts';
import { type AccessItem, deleteAccess, findAccess, putAccess } from './repository.ts';
import { hashOf, isSecret, newSecret } from './secret.ts';

/** A program that asks for tokens (RFC 6749 section 2). */
export interface Client extends AccessItem {
  readonly secretHash: string;
}

/** The client, if there is one and this is its secret; the work is the same in either case. */
export async function authenticatedClient(
  id: string,
  secret: string,
  context: RequestContext,
): Promise<Client | undefined> {
  const client = await findAccess<Client>('client', id, context);
  return isSecret(secret, client?.secretHash) ? client : undefined;
}

/**
 * Makes a client, or gives one that exists a new secret.
 *
 * @returns the secret, which is kept nowhere
 * @throws AlreadyExists unless `replace`
 */
export async function createClient(
  id: string,
  options: { readonly replace: boolean },
  context: RequestContext,
): Promise<string> {
  const secret = newSecret();
  await putAccess('client', id, { secretHash: hashOf(secret) }, options, context);
  return secret;
}

/** No token is issued to the client any more. @throws NotFound */
export function revokeClient(id: string, context: RequestContext): Promise<void> {
  return deleteAccess('client', id, context);
}
