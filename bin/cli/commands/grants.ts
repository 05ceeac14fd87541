import {
  createGrant as createInDomain,
  listGrants as listInDomain,
  readGrant,
  revokeGrant as revokeInDomain,
  rotateRefreshToken,
} from '../../../lambdas/domain/access/grants.ts';
import { grantName } from '../../../lambdas/domain/access/keys.ts';
import type { OperatorRun } from '../command.ts';
import { checkName, newContext } from './parameters.ts';

export const listGrants: OperatorRun = () => listInDomain(newContext);

export const getGrant: OperatorRun = (_, user: string, client: string) =>
  readGrant(user, client, newContext());

export const createGrant: OperatorRun = async (_, user: string, client: string) => {
  const { refreshToken } = await createInDomain(user, client, { replace: false }, newContext());
  return { user, client, refresh_token: refreshToken };
};

export const rotateGrant: OperatorRun = async (_, user: string, client: string) => {
  const { refreshToken } = await rotateRefreshToken(user, client, newContext());
  return { user, client, refresh_token: refreshToken };
};

export const revokeGrant: OperatorRun = async (_, user: string, client: string) => {
  const name = grantName(checkName(user), checkName(client));
  await revokeInDomain(name, newContext());
  return { revoked: name };
};
