import type { RequestContext } from '../platform/request-context.ts';
import { deleteAccess, findAccess, putAccess } from './repository.ts';
import { hashOf, isSecret, newSecret } from './secret.ts';

/** True if there is such a user and this is the password; the work is the same in either case. */
export async function isPassword(name: string, password: string, context: RequestContext): Promise<boolean> {
  const user = await findAccess<{ passwordHash: string }>('user', name, context);
  return isSecret(password, user?.passwordHash);
}

/**
 * Makes a user, or gives one that exists a new password.
 *
 * @returns the password, which is kept nowhere
 * @throws AlreadyExists unless `replace`
 */
export async function createUser(
  name: string,
  options: { readonly replace: boolean },
  context: RequestContext,
): Promise<string> {
  const password = newSecret();
  await putAccess('user', name, { passwordHash: hashOf(password) }, options, context);
  return password;
}

/**
 * Takes a user's access away: the password's at the latest when the authorizer's cached answers have run out, that of
 * access tokens when they expire.
 *
 * @throws NotFound
 */
export function revokeUser(name: string, context: RequestContext): Promise<void> {
  return deleteAccess('user', name, context);
}
