import type { RequestContext } from '../platform/request-context.ts';
import { type AccessItem, deleteAccessItem, findAccessItem, putNewSecret } from './items.ts';
import { isSecret } from './secret.ts';

/** @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-2 RFC 6749 section 2} */
export interface Client extends AccessItem {
  readonly secretHash: string;
}

/**
 * Returns undefined if the client does not exist, or if the secret is wrong. The response time does not reveal which clients
 * exist.
 */
export async function authenticatedClient(
  id: string,
  secret: string,
  context: RequestContext,
): Promise<Client | undefined> {
  const client = await findAccessItem<Client>('client', id, context);
  return isSecret(secret, client?.secretHash) ? client : undefined;
}

/** Returns the secret. @throws AlreadyExists if the client exists, unless `replace` is true */
export function createClient(
  id: string,
  { replace }: { readonly replace: boolean },
  context: RequestContext,
): Promise<string> {
  return putNewSecret('client', id, replace ? 'none' : 'absent', context);
}

/** Returns the new secret. @throws NotFound if the client does not exist */
export function rotateClientSecret(id: string, context: RequestContext): Promise<string> {
  return putNewSecret('client', id, 'present', context);
}

/** Existing access tokens work until they expire. @throws NotFound if the client does not exist */
export function revokeClient(id: string, context: RequestContext): Promise<void> {
  return deleteAccessItem('client', id, context);
}
