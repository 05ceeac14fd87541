import { createClient } from '../../lambdas/domain/access/clients.ts';
import { createGrant } from '../../lambdas/domain/access/grants.ts';
import { createUser } from '../../lambdas/domain/access/users.ts';
import type { RequestContext } from '../../lambdas/domain/platform/request-context.ts';
import { ensureKey } from '../../lambdas/domain/tokens/signing-keys.ts';

export interface GrantedAccess {
  readonly password: string;
  readonly client: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
}

/** Creates a signing key, the user `jane`, the client `walker` and a grant, or replaces them. */
export async function createAccess(newContext: () => RequestContext): Promise<GrantedAccess> {
  await ensureKey(newContext);
  const password = await createUser('jane', { replace: true }, newContext());
  const clientSecret = await createClient('walker', { replace: true }, newContext());
  const { refreshToken } = await createGrant('jane', 'walker', { replace: true }, newContext());
  return { password, client: 'walker', clientSecret, refreshToken };
}

export function tokenRequestOf({ client, clientSecret, refreshToken }: GrantedAccess): string {
  return new URLSearchParams({
    client_id: client,
    client_secret: clientSecret,
    refresh_token: refreshToken,
    grant_type: 'refresh_token',
  }).toString();
}
