import {
  createGrant,
  listGrants,
  readGrant,
  revokeGrant,
  rotateRefreshToken,
} from '../../../lambdas/domain/access/grants.ts';
import { grantName } from '../../../lambdas/domain/access/keys.ts';
import type { OperatorRun } from '../operator-group.ts';
import { checkName, newContext } from '../parameters.ts';

export const list: OperatorRun = () => listGrants(newContext);

export const get: OperatorRun = (_, user: string, client: string) => readGrant(user, client, newContext());

export const create: OperatorRun = async (_, user: string, client: string) => {
  const { refreshToken } = await createGrant(user, client, { replace: false }, newContext());
  return { user, client, refresh_token: refreshToken };
};

export const rotate: OperatorRun = async (_, user: string, client: string) => {
  const { refreshToken } = await rotateRefreshToken(user, client, newContext());
  return { user, client, refresh_token: refreshToken };
};

export const revoke: OperatorRun = async (_, user: string, client: string) => {
  const name = grantName(checkName(user), checkName(client));
  await revokeGrant(name, newContext());
  return { revoked: name };
};
