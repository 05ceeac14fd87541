import { environment } from '../../environment.ts';
import { InvalidGrant } from '../platform/errors.ts';
import { logEvent } from '../platform/logging.ts';
import { clockSkewSeconds, type RequestContext, seconds } from '../platform/request-context.ts';
import {
  type Credential,
  type CredentialSecrets,
  readCredential,
  readCredentialClient,
  writeCredential,
} from './credential.ts';
import { exchangeRefreshToken } from './token-endpoint.ts';

const minRemainingSeconds = 40 * 60;

/** `absent`: not stored yet. `fresh`: does not expire soon, or was replaced by the operator in the meantime. */
type RefreshResult = 'absent' | 'fresh' | 'refreshed';

/**
 * One credential's failure does not affect the others. If a token endpoint refuses a refresh token, a retry cannot succeed, so
 * the function only logs `CredentialRefused`, which triggers an alarm.
 *
 * @throws AggregateError if a credential could not be refreshed for any other reason
 */
export async function refreshCredentials(context: RequestContext): Promise<void> {
  const all: CredentialSecrets[] = JSON.parse(environment('CREDENTIALS'));
  const results = await Promise.allSettled(all.map((secrets) => refreshAndLog(secrets, context)));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (failures.length > 0)
    throw new AggregateError(failures, failures.map(({ message }) => message).join(' '));
}

async function refreshAndLog(secrets: CredentialSecrets, context: RequestContext): Promise<void> {
  const { name } = secrets;
  try {
    if ((await refreshCredential(secrets, context)) === 'refreshed')
      console.info({ event: 'CredentialRefreshed', name });
  } catch (error) {
    if (!(error instanceof InvalidGrant))
      throw new Error(`The credential ${name} was not refreshed. ${(error as Error).message}`, {
        cause: error,
      });
    logEvent('CredentialRefused', { name, reason: error.message });
  }
}

/**
 * Refreshes a credential if it expires soon. After any failure or crash, the secret contains either the old credential or the new
 * one.
 *
 *     GetSecretValue (client, credential) ──── token endpoint ──── GetSecretValue ──── PutSecretValue
 *                                         ↑                    ↑                  ↑
 *                                     the old credential stays, and the next run refreshes it
 *
 * @throws InvalidGrant if the endpoint refuses the refresh token, and the secret still contains it
 */
export async function refreshCredential(
  secrets: CredentialSecrets,
  context: RequestContext,
): Promise<RefreshResult> {
  const [client, credential] = await Promise.all([
    readCredentialClient(secrets, context),
    readCredential(secrets, context),
  ]);
  if (!client || !credential) return 'absent';
  if (!expiresSoon(credential, context)) return 'fresh';
  const refreshed = await exchangeRefreshToken(client, credential.refresh_token, context).catch((error) => {
    if (error instanceof InvalidGrant) return error;
    throw error;
  });
  // A credential that the operator or another run has stored in the meantime is newer. It must not be overwritten, and may be why
  // the endpoint refused the old one.
  const current = await readCredential(secrets, context);
  if (JSON.stringify(current) !== JSON.stringify(credential)) return 'fresh';
  if (refreshed instanceof InvalidGrant) throw refreshed;
  await writeCredential(secrets, refreshed, context);
  return 'refreshed';
}

/** Also true if the credential seems to have been created in the future: a clock was wrong, so the expiry is unknown. */
function expiresSoon({ created, expires_in }: Credential, context: RequestContext): boolean {
  const now = seconds(context.now);
  return created + expires_in - now < minRemainingSeconds || created > now + clockSkewSeconds;
}
