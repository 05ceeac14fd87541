import { revokeClient, rotateClientSecret } from '../../../lambdas/domain/access/clients.ts';
import { listAccessItems, readAccessItem } from '../../../lambdas/domain/access/items.ts';
import { newClient } from '../new-client.ts';
import type { OperatorRun } from '../operator-group.ts';
import { checkName, newContext } from '../parameters.ts';

export const list: OperatorRun = async () =>
  (await listAccessItems('client', newContext)).map(({ name, created }) => ({ client_id: name, created }));

export const get: OperatorRun = async (_, id: string) => {
  const { created } = await readAccessItem('client', id, newContext());
  return { client_id: id, created };
};

export const create: OperatorRun = async (_, id: string) => newClient(id, { replace: false });

export const rotate: OperatorRun = async (_, id: string) => ({
  client_id: checkName(id),
  client_secret: await rotateClientSecret(id, newContext()),
});

export const revoke: OperatorRun = async (_, id: string) => {
  await revokeClient(checkName(id), newContext());
  return { revoked: id };
};
