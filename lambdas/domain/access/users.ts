import type { RequestContext } from '../platform/request-context.ts';
import { type AccessItem, deleteAccessItem, findAccessItem, putNewSecret } from './items.ts';
import { isSecret } from './secret.ts';

/** A person or a program that calls the API with a password or with access tokens. */
interface User extends AccessItem {
  readonly passwordHash: string;
}

/** The response time does not reveal which users exist. */
export async function isPassword(name: string, password: string, context: RequestContext): Promise<boolean> {
  const user = await findAccessItem<User>('user', name, context);
  return isSecret(password, user?.passwordHash);
}

/** Returns the password. @throws AlreadyExists if the user exists, unless `replace` is true */
export function createUser(
  name: string,
  { replace }: { readonly replace: boolean },
  context: RequestContext,
): Promise<string> {
  return putNewSecret('user', name, replace ? 'none' : 'absent', context);
}

/** Returns the new password. @throws NotFound if the user does not exist */
export function rotatePassword(name: string, context: RequestContext): Promise<string> {
  return putNewSecret('user', name, 'present', context);
}

/**
 * The user's refresh tokens stop working immediately. The password stops working once API Gateway no longer caches the
 * authorizer's policy. Access tokens work until they expire.
 *
 * @throws NotFound if the user does not exist
 */
export function revokeUser(name: string, context: RequestContext): Promise<void> {
  return deleteAccessItem('user', name, context);
}
