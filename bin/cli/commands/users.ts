import { listAccessItems, readAccessItem } from '../../../lambdas/domain/access/items.ts';
import { createUser, revokeUser, rotatePassword } from '../../../lambdas/domain/access/users.ts';
import type { OperatorRun } from '../operator-group.ts';
import { checkName, newContext } from '../parameters.ts';

export const list: OperatorRun = async () =>
  (await listAccessItems('user', newContext)).map(({ name, created }) => ({ username: name, created }));

export const get: OperatorRun = async (_, name: string) => {
  const { created } = await readAccessItem('user', name, newContext());
  return { username: name, created };
};

export const create: OperatorRun = async (_, name: string) => ({
  username: checkName(name),
  password: await createUser(name, { replace: false }, newContext()),
});

export const rotate: OperatorRun = async (_, name: string) => ({
  username: checkName(name),
  password: await rotatePassword(name, newContext()),
});

export const revoke: OperatorRun = async (_, name: string) => {
  await revokeUser(checkName(name), newContext());
  return { revoked: name };
};
