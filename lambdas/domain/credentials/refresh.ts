import { setTimeout as sleep } from 'node:timers/promises';
import {
  allowInsecureRequests,
  ClientSecretPost,
  processRefreshTokenResponse,
  ResponseBodyError,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import * as v from 'valibot';
import { environment } from '../../environment.ts';
import { InvalidGrant, Unavailable } from '../platform/errors.ts';
import { logEvent } from '../platform/logging.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { readSecret, writeSecret } from '../platform/secrets-manager.ts';

/** A credential that is kept fresh: its name, and the secrets that hold it and the client that it belongs to. */
export interface CredentialSecrets {
  readonly name: string;
  /** Where the `CredentialClient` is. */
  readonly client: string;
  /** Where the `Credential` is, for whoever calls with it. */
  readonly credential: string;
}

/** What a client library takes as it is: these five members, and no more. */
const Credential = v.strictObject({
  access_token: v.string(),
  token_type: v.literal('Bearer'),
  /** Seconds, from `created` on. */
  expires_in: v.pipe(v.number(), v.integer(), v.minValue(0)),
  refresh_token: v.pipe(v.string(), v.nonEmpty()),
  /** Unix seconds. */
  created: v.pipe(v.number(), v.integer()),
});
export type Credential = v.InferOutput<typeof Credential>;

/** How and where it is refreshed; kept apart, since whoever calls with the credential needs none of it. */
export const CredentialClient = v.strictObject({
  /** The token endpoint is below it: `/oauth2/v4/token`. */
  auth_url: v.pipe(
    v.string('must be given'),
    v.url('must be an https URL'),
    v.regex(
      /^(https:|http:\/\/(127\.0\.0\.1|localhost)[:/])/,
      'must be an https URL, or one of this machine',
    ),
    v.transform((url) => url.replace(/\/$/, '')),
  ),
  /** Who signs its id tokens, where the endpoint sends such and it is another URL. */
  issuer: v.optional(v.string()),
  client_id: v.pipe(v.string('must be given'), v.nonEmpty('must be given')),
  client_secret: v.pipe(v.string('must be given'), v.nonEmpty('must be given')),
});
export type CredentialClient = v.InferOutput<typeof CredentialClient>;

/** A credential with less time left than this is refreshed. */
const minRemainingSeconds = 40 * 60;

/** How long the token endpoint may take, in milliseconds. */
const tokenEndpointTimeoutMs = 8_000;

/** What was done about a credential; `absent`: there is none yet. */
export type Refreshed = 'absent' | 'fresh' | 'refreshed';

/**
 * Refreshes those credentials of this deployment that must be. One that fails does no harm to the others.
 *
 * @throws AggregateError of what may work at another try. A refresh token that is taken no more is not of this kind: it
 *   is logged as `CredentialRefused`, for which there is an alarm.
 */
export async function refreshCredentials(context: RequestContext): Promise<void> {
  const all: CredentialSecrets[] = JSON.parse(environment('CREDENTIALS'));
  const outcomes = await Promise.allSettled(all.map((secrets) => refreshAndLog(secrets, context)));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
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
 * Refreshes a credential if it must be. The one that is stored stays as it is until there is a whole new one: whatever
 * fails or dies, the secret holds the old one or the new one, and the refresh token with it.
 *
 *     GetSecretValue (client, credential) ──── token endpoint ──── PutSecretValue
 *                                         ↑                    ↑
 *                                     the old one stays, and is refreshed the next time
 *
 * @throws InvalidGrant if the refresh token yields nothing any more: somebody must act
 * @throws Unavailable if the endpoint or Secrets Manager does not answer, or not as it should
 */
export async function refreshCredential(
  secrets: CredentialSecrets,
  context: RequestContext,
): Promise<Refreshed> {
  const [client, credential] = await Promise.all([
    readDocument(secrets.client, CredentialClient, context),
    readCredential(secrets, context),
  ]);
  if (!client || !credential) return 'absent';
  if (credential.created + credential.expires_in - seconds(context.now) >= minRemainingSeconds)
    return 'fresh';
  const fresh = await exchange(client, credential.refresh_token, context);
  // The operator may have stored another one meanwhile: that is newer.
  const current = await readCredential(secrets, context);
  if (JSON.stringify(current) !== JSON.stringify(credential)) return 'fresh';
  await writeUntilDeadline(secrets.credential, fresh, context);
  return 'refreshed';
}

/**
 * Stores a client, and the credential that its refresh token yields; nothing, if it yields none.
 *
 * @throws InvalidGrant, Unavailable
 */
export async function storeCredential(
  secrets: CredentialSecrets,
  client: CredentialClient,
  refreshToken: string,
  context: RequestContext,
): Promise<void> {
  const credential = await exchange(client, refreshToken, context);
  await writeUntilDeadline(secrets.credential, credential, context);
  await writeSecret(secrets.client, client, context);
}

/** A new refresh token may be nowhere else: it is written as long as there is time. @throws Unavailable */
async function writeUntilDeadline(
  secret: string,
  credential: Credential,
  context: RequestContext,
): Promise<void> {
  for (;;) {
    try {
      await writeSecret(secret, credential, context, { once: true });
      return;
    } catch (error) {
      if (!(error instanceof Unavailable) || context.signal.aborted) throw error;
    }
    await sleep(250);
  }
}

/** The credential as it is stored; undefined if there is none yet. @throws Unavailable */
export function readCredential(
  secrets: CredentialSecrets,
  context: RequestContext,
): Promise<Credential | undefined> {
  return readDocument(secrets.credential, Credential, context);
}

/**
 * Has a credential refreshed at another URL, because its token endpoint has moved.
 *
 * @returns false if it is not refreshed at the former one
 * @throws Unavailable
 */
export async function moveCredential(
  secrets: CredentialSecrets,
  { from, to }: { readonly from: string; readonly to: string },
  context: RequestContext,
): Promise<boolean> {
  const client = await readDocument(secrets.client, CredentialClient, context);
  if (client?.auth_url !== from) return false;
  await writeSecret(secrets.client, { ...client, auth_url: to }, context);
  return true;
}

async function readDocument<Schema extends v.GenericSchema>(
  secret: string,
  schema: Schema,
  context: RequestContext,
): Promise<v.InferOutput<Schema> | undefined> {
  const document = await readSecret(secret, context);
  if (document === undefined) return undefined;
  const result = v.safeParse(schema, document);
  if (result.success) return result.output;
  // What the rules say quotes what they find, and must not get into a log.
  const faulty = result.issues.map((issue) => v.getDotPath(issue) ?? 'the whole').join(', ');
  throw new Error(`The secret ${secret} does not hold what it should: ${faulty}.`);
}

/** Asks the token endpoint. @throws InvalidGrant, Unavailable */
async function exchange(
  { auth_url, issuer, client_id, client_secret }: CredentialClient,
  refreshToken: string,
  context: RequestContext,
): Promise<Credential> {
  const server = { issuer: issuer ?? auth_url, token_endpoint: `${auth_url}/oauth2/v4/token` };
  try {
    const response = await refreshTokenGrantRequest(
      server,
      { client_id },
      ClientSecretPost(client_secret),
      refreshToken,
      {
        signal: AbortSignal.any([context.signal, AbortSignal.timeout(tokenEndpointTimeoutMs)]),
        // The schema lets no other URL pass than one of this machine.
        [allowInsecureRequests]: auth_url.startsWith('http:'),
      },
    );
    return credentialOf(
      await processRefreshTokenResponse(server, { client_id }, response),
      refreshToken,
      context,
    );
  } catch (cause) {
    if (cause instanceof ResponseBodyError && cause.error === 'invalid_grant')
      throw new InvalidGrant(`${auth_url} takes the refresh token no more.`);
    throw new Unavailable(`${server.token_endpoint} did not issue a token: ${reasonOf(cause)}`, { cause });
  }
}

/** What went wrong, in the words that tell most: the endpoint's own, or those of the network. */
function reasonOf(error: unknown): string {
  if (error instanceof ResponseBodyError)
    return [error.error, error.error_description].filter(Boolean).join(': ');
  const { message, cause } = error as Error;
  // Other causes may quote the answer, which must not get into a log.
  return message === 'fetch failed' ? `${message}: ${(cause as Error).message}` : message;
}

/** The credential that an answer makes. @throws Error if the answer is not whole */
function credentialOf(
  answer: TokenEndpointResponse,
  formerRefreshToken: string,
  context: RequestContext,
): Credential {
  const { access_token, token_type, expires_in, refresh_token = formerRefreshToken } = answer;
  if (access_token === '' || token_type !== 'bearer' || expires_in === undefined || expires_in < 1)
    throw new Error('it answered no bearer token with an end.');
  return {
    access_token,
    token_type: 'Bearer',
    expires_in: Math.floor(expires_in),
    refresh_token,
    created: seconds(context.now),
  };
}
