import { createClient } from '../../lambdas/domain/access/clients.ts';
import { findAccessItem } from '../../lambdas/domain/access/items.ts';
import { newClientId } from '../../lambdas/domain/access/keys.ts';
import { ensureKey } from '../../lambdas/domain/tokens/signing-keys.ts';
import { UsageError } from './errors.ts';
import { checkName, newContext } from './parameters.ts';

/**
 * First creates a signing key if there is none, because the client could not get tokens without one.
 *
 * @param options `replace` gives an existing client a new secret
 * @throws UsageError if the ID is not valid for a new client
 * @throws AlreadyExists if the client exists, unless `replace` is true
 */
export async function newClient(
  id: string,
  options: { readonly replace: boolean },
): Promise<{ client_id: string; client_secret: string }> {
  checkName(id);
  if (!newClientId.test(id) && !(options.replace && (await exists(id))))
    throw new UsageError(
      `"${id}" cannot be the ID of a client: some OAuth libraries send + as a space. Choose an ID without +.`,
    );
  await ensureKey(() => newContext());
  return { client_id: id, client_secret: await createClient(id, options, newContext()) };
}

async function exists(id: string): Promise<boolean> {
  return (await findAccessItem('client', id, newContext())) !== undefined;
}
