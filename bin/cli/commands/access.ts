import { createGrant } from '../../../lambdas/domain/access/grants.ts';
import { AlreadyExists, findAccessItem } from '../../../lambdas/domain/access/items.ts';
import { createUser } from '../../../lambdas/domain/access/users.ts';
import { storeCredential } from '../../../lambdas/domain/credentials/store.ts';
import { newClient } from '../new-client.ts';
import type { OperatorRun } from '../operator-group.ts';
import { checkName, newContext } from '../parameters.ts';
import { credentialNamed } from './credentials.ts';

export const create: OperatorRun = async ({ options, outputs, fail }, name: string) => {
  const { BaseUrl } = outputs;
  const replace = options.replace === true;
  const credential = options.credential === undefined ? undefined : credentialNamed(options.credential);
  checkName(name);
  if (!replace) await expectNone(name);
  const client = await newClient(name, { replace });
  const password = await createUser(name, { replace }, newContext());
  const { refreshToken: refresh_token } = await createGrant(name, name, { replace }, newContext());
  if (credential)
    await storeCredential(credential, { auth_url: BaseUrl, ...client }, refresh_token, newContext()).catch(
      // The command still prints what it has created, because the service stores only hashes of the secrets.
      (error) => fail(`The credential was not stored. ${error.message}`),
    );
  return { base_url: BaseUrl, username: name, password, auth_url: BaseUrl, ...client, refresh_token };
};

/**
 * The command must create both the user and the client, or neither.
 *
 * @throws AlreadyExists if a user or a client has the name
 */
async function expectNone(name: string): Promise<void> {
  for (const kind of ['user', 'client'] as const)
    if (await findAccessItem(kind, name, newContext())) throw new AlreadyExists(kind, name);
}
