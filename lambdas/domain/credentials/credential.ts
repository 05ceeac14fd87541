import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { Unavailable } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { readSecret, writeSecret } from '../platform/secrets-manager.ts';
import { Credential, CredentialClient } from './schema.ts';

/** A credential that the service refreshes: its name, and the ARNs of its two secrets. */
export interface CredentialSecrets {
  readonly name: string;
  /** The secret that contains the `CredentialClient`. */
  readonly client: string;
  /** The secret that contains the `Credential`. Programs that use the credential read this secret. */
  readonly credential: string;
}

const retryPauseMs = 250;

/**
 * Returns a credential.
 *
 * @returns undefined if the operator has not stored it yet
 * @throws Error if the secret does not contain a valid credential
 * @throws Unavailable if Secrets Manager is unavailable
 */
export function readCredential(
  secrets: CredentialSecrets,
  context: RequestContext,
): Promise<Credential | undefined> {
  return readDocument(secrets.credential, Credential, context);
}

/**
 * Returns the client of a credential.
 *
 * @returns undefined if the operator has not stored it yet
 * @throws Error if the secret does not contain a valid client
 * @throws Unavailable if Secrets Manager is unavailable
 */
export function readCredentialClient(
  secrets: CredentialSecrets,
  context: RequestContext,
): Promise<CredentialClient | undefined> {
  return readDocument(secrets.client, CredentialClient, context);
}

/**
 * Writes a credential. While Secrets Manager is unavailable, repeats the write until the deadline, because the new refresh token
 * may not be stored anywhere else.
 *
 * @throws Unavailable if Secrets Manager is unavailable until the deadline: it is then unknown whether the credential was written
 */
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

/**
 * Writes the client of a credential.
 *
 * @throws Unavailable if Secrets Manager is unavailable: it is then unknown whether the client was written
 */
export function writeCredentialClient(
  secrets: CredentialSecrets,
  client: CredentialClient,
  context: RequestContext,
): Promise<void> {
  return writeSecret(secrets.client, client, context);
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
  // The messages of the schema may quote the secret, which must not be logged. The names of the members are safe to log.
  const members = result.issues.map((issue) => v.getDotPath(issue) ?? 'the whole document').join(', ');
  throw new Error(`The secret ${secret} has invalid content: ${members}. Store the credential again.`);
}
