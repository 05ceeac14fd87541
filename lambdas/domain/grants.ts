import { type AccessItem, deleteAccess, findAccess, putAccess } from './access-items.ts';
import type { Call } from './call.ts';
import { NotFound } from './errors.ts';
import { hashOf, newSecret } from './secret.ts';

/** What a user has granted a client once and for all, with offline access; its name is the hash of its refresh token. */
export interface Grant extends AccessItem {
  readonly user: string;
  readonly client: string;
  /** Of user and client, so that whoever is given their names after them has none of their grants. */
  readonly userLife: string;
  readonly clientLife: string;
}

/** The grant of a refresh token, as long as neither it nor its user is revoked. */
export async function findGrant(refreshToken: string, call: Call): Promise<Grant | undefined> {
  const grant = await findAccess<Grant>('grant', hashOf(refreshToken), call);
  const user = grant && (await findAccess('user', grant.user, call));
  return grant?.userLife === user?.life ? grant : undefined;
}

/**
 * Lets a client act for a user.
 *
 * @returns the refresh token, which is kept nowhere, and the name by which the grant is revoked
 * @throws NotFound if there is no such user or client
 */
export async function createGrant(
  user: string,
  client: string,
  call: Call,
): Promise<{ grant: string; refreshToken: string }> {
  const [{ life: userLife }, { life: clientLife }] = await Promise.all([
    readAccess('user', user, call),
    readAccess('client', client, call),
  ]);
  const refreshToken = newSecret();
  const grant = hashOf(refreshToken);
  await putAccess('grant', grant, { user, client, userLife, clientLife }, { replace: false }, call);
  return { grant, refreshToken };
}

async function readAccess(kind: 'user' | 'client', name: string, call: Call): Promise<AccessItem> {
  const item = await findAccess(kind, name, call);
  if (!item) throw new NotFound(kind, name);
  return item;
}

/** The refresh token of the grant yields no token any more. @throws NotFound */
export function revokeGrant(grant: string, call: Call): Promise<void> {
  return deleteAccess('grant', grant, call);
}
