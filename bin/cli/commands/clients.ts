import {
  createClient as createInDomain,
  revokeClient as revokeInDomain,
  rotateClientSecret,
} from '../../../lambdas/domain/access/clients.ts';
import { listAccessItems, readAccessItem } from '../../../lambdas/domain/access/items.ts';
import { ensureKey } from '../../../lambdas/domain/tokens/signing-keys.ts';
import type { OperatorRun } from '../command.ts';
import { checkName, newContext } from './parameters.ts';

export const listClients: OperatorRun = async () =>
  (await listAccessItems('client', newContext)).map(({ name, created }) => ({ client_id: name, created }));

export const getClient: OperatorRun = async (_, id: string) => {
  const { created } = await readAccessItem('client', id, newContext());
  return { client_id: id, created };
};

export const createClient: OperatorRun = async (_, id: string) =>
  newClient(checkName(id), { replace: false });

export const rotateClient: OperatorRun = async (_, id: string) => ({
  client_id: checkName(id),
  client_secret: await rotateClientSecret(id, newContext()),
});

export const revokeClient: OperatorRun = async (_, id: string) => {
  await revokeInDomain(checkName(id), newContext());
  return { revoked: id };
};

/**
 * First creates a signing key if there is none, because the client could not get tokens without one.
 *
 * @param options `replace` gives an existing client a new secret
 * @throws AlreadyExists if the client exists, unless `replace` is true
 */
export async function newClient(
  id: string,
  options: { readonly replace: boolean },
): Promise<{ client_id: string; client_secret: string }> {
  await ensureKey(() => newContext());
  return { client_id: id, client_secret: await createInDomain(id, options, newContext()) };
}
