import { listPublishedKeys } from '../../../lambdas/domain/tokens/published-keys.ts';
import { replaceKey } from '../../../lambdas/domain/tokens/signing-keys.ts';
import { CommandFailed } from '../errors.ts';
import type { OperatorRun } from '../operator-group.ts';
import { newContext } from '../parameters.ts';

export const list: OperatorRun = async () =>
  (await listPublishedKeys(newContext())).map(({ jwk, expires }) => ({
    kid: jwk.kid,
    alg: jwk.alg,
    expires: expires ?? null,
  }));

export const get: OperatorRun = async (_, kid: string) => {
  const found = (await listPublishedKeys(newContext())).find(({ jwk }) => jwk.kid === kid);
  if (!found) throw new CommandFailed(`There is no key "${kid}". List the keys with "npx dogs keys list".`);
  return found.jwk;
};

export const rotate: OperatorRun = async () => {
  const { kid, from } = await replaceKey(newContext());
  return { kid, signs_from: from };
};
