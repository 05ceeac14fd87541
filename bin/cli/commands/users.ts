import { listAccessItems, readAccessItem } from '../../../lambdas/domain/access/items.ts';
import {
  createUser as createInDomain,
  revokeUser as revokeInDomain,
  rotatePassword,
} from '../../../lambdas/domain/access/users.ts';
import type { OperatorRun } from '../command.ts';
import { checkName, newContext } from './parameters.ts';

export const listUsers: OperatorRun = async () =>
  (await listAccessItems('user', newContext)).map(({ name, created }) => ({ username: name, created }));

export const getUser: OperatorRun = async (_, name: string) => {
  const { created } = await readAccessItem('user', name, newContext());
  return { username: name, created };
};

export const createUser: OperatorRun = async (_, name: string) => ({
  username: checkName(name),
  password: await createInDomain(name, { replace: false }, newContext()),
});

export const rotateUser: OperatorRun = async (_, name: string) => ({
  username: checkName(name),
  password: await rotatePassword(name, newContext()),
});

export const revokeUser: OperatorRun = async (_, name: string) => {
  await revokeInDomain(checkName(name), newContext());
  return { revoked: name };
};
