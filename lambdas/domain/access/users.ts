import type { RequestContext } from '../platform/request-context.ts';
import {
  type AccessItem,
  deleteAccessItem,
  findAccessItem,
  putAccessItem,
  type Requirement,
} from './items.ts';
import { hashOf, isSecret, newSecret } from './secret.ts';

/** A person or a program that calls the API with a password or with access tokens. */
interface User extends AccessItem {
  readonly passwordHash: string;
}

/**
 * Returns true if the user exists and has this password. Does the same work in both cases, so that the response time does
 * not reveal which users exist.
 *
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function isPassword(name: string, password: string, context: RequestContext): Promise<boolean> {
  const user = await findAccessItem<User>('user', name, context);
  return isSecret(password, user?.passwordHash);
}

/**
 * Creates a user, or gives an existing user a new password.
 *
 * @returns the password. The service stores only its hash
 * @throws AlreadyExists if a user with this name exists, unless `replace` is true
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the user was written
 */
export function createUser(
  name: string,
  { replace }: { readonly replace: boolean },
  context: RequestContext,
): Promise<string> {
  return writePassword(name, replace ? 'none' : 'absent', context);
}

/**
 * Gives an existing user a new password. The user keeps all grants.
 *
 * @returns the password, of which the service stores only a hash
 * @throws NotFound if the user does not exist
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the password was replaced
 */
export function rotatePassword(name: string, context: RequestContext): Promise<string> {
  return writePassword(name, 'present', context);
}

async function writePassword(
  name: string,
  requirement: Requirement,
  context: RequestContext,
): Promise<string> {
  const password = newSecret();
  await putAccessItem('user', name, hashOf(password), requirement, context);
  return password;
}

/**
 * Revokes a user. The user's refresh tokens stop working immediately. The password stops working when API Gateway no longer
 * caches the authorizer's policy. Access tokens work until they expire.
 *
 * @throws NotFound if the user does not exist
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the user was revoked
 */
export function revokeUser(name: string, context: RequestContext): Promise<void> {
  return deleteAccessItem('user', name, context);
}
