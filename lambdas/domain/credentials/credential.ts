import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { Unavailable } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { InvalidSecret, readSecret, writeSecret } from '../platform/secrets-manager.ts';

/** Client libraries expect exactly these five members in the secret. */
export const Credential = v.strictObject({
  access_token: v.string(),
  token_type: v.literal('Bearer'),
  /** The lifetime of the access token, in seconds from `created`. */
  expires_in: v.pipe(v.number(), v.integer(), v.minValue(0)),
  refresh_token: v.pipe(v.string(), v.nonEmpty()),
  /** When the access token was issued, in Unix seconds. */
  created: v.pipe(v.number(), v.integer()),
});
export type Credential = v.InferOutput<typeof Credential>;

/** The URL of a token endpoint, without the path `/oauth2/v4/token`. It receives the client secret and the refresh token. */
export const AuthUrl = v.pipe(
  v.string('is required'),
  v.url('must be an https URL'),
  v.check((url) => isConfidential(URL.parse(url)), 'must be an https URL, or a URL of this machine'),
  v.transform((url) => url.replace(/\/$/, '')),
);

/** Requests to this machine need no encryption. A name other than `localhost` could lead to another machine. */
function isConfidential(url: URL | null): boolean {
  if (url?.protocol !== 'http:') return url?.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)) return true;
  return Object.values(networkInterfaces()).some((own) => own?.some(({ address }) => address === host));
}

/** Stored in its own secret, because programs that use the credential do not need the client. */
export const CredentialClient = v.strictObject({
  auth_url: AuthUrl,
  /** The issuer of the ID tokens that the endpoint sends. Necessary only if it differs from `auth_url`. */
  issuer: v.optional(v.string()),
  client_id: v.pipe(v.string('is required'), v.nonEmpty('is required')),
  client_secret: v.pipe(v.string('is required'), v.nonEmpty('is required')),
});
export type CredentialClient = v.InferOutput<typeof CredentialClient>;

const MovableClient = v.strictObject({ ...CredentialClient.entries, auth_url: v.string() });

/** `client` and `credential` are the ARNs of secrets. */
export interface CredentialSecrets {
  readonly name: string;
  readonly client: string;
  readonly credential: string;
}

const retryPauseMs = 250;

export function readCredential(
  secrets: CredentialSecrets,
  context: RequestContext,
): Promise<Credential | undefined> {
  return readDocument(secrets.credential, Credential, context);
}

export function readCredentialClient(
  secrets: CredentialSecrets,
  context: RequestContext,
): Promise<CredentialClient | undefined> {
  return readDocument(secrets.client, CredentialClient, context);
}

/** Also returns a client whose `auth_url` is not safe to use, such as that of a machine whose address has changed. */
export function readMovableClient(
  secrets: CredentialSecrets,
  context: RequestContext,
): Promise<CredentialClient | undefined> {
  return readDocument(secrets.client, MovableClient, context);
}

/** During an outage, repeats the write until the deadline, because the new refresh token may not be stored anywhere else. */
export async function writeCredential(
  secrets: CredentialSecrets,
  credential: Credential,
  context: RequestContext,
): Promise<void> {
  for (;;) {
    try {
      await writeSecret(secrets.credential, credential, context, { once: true });
      return;
    } catch (error) {
      if (!(error instanceof Unavailable) || context.signal.aborted) throw error;
    }
    await sleep(retryPauseMs);
  }
}

/** Returns undefined if the operator has not stored the document yet. */
async function readDocument<Schema extends v.GenericSchema>(
  secret: string,
  schema: Schema,
  context: RequestContext,
): Promise<v.InferOutput<Schema> | undefined> {
  const document = await readSecret(secret, context);
  if (document === undefined) return undefined;
  const result = v.safeParse(schema, document);
  if (result.success) return result.output;
  // Only the names of the members are safe to log, because the schema's messages may quote the secret.
  const members = result.issues.map((issue) => v.getDotPath(issue) ?? 'the whole document').join(', ');
  throw new InvalidSecret(
    `The secret ${secret} has invalid content: ${members}. Store the credential again.`,
  );
}
