import { hash } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { jsonOf } from './json.ts';
import { unavailableIfOutage } from './outage.ts';
import type { RequestContext } from './request-context.ts';

/** The operator must store the secret again. The message does not quote the secret. */
export class InvalidSecret extends Error {
  override readonly name = 'InvalidSecret';
}

export const secretsManager = new SecretsManagerClient({
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
});

/** Returns undefined if the secret has no value yet. */
export async function readSecret(secret: string, context: RequestContext): Promise<unknown> {
  const command = new GetSecretValueCommand({ SecretId: secret });
  try {
    const { SecretString = '' } = await secretsManager.send(command, { abortSignal: context.signal });
    const document = jsonOf(SecretString);
    // The parser's error would quote the secret, which must not be logged.
    if (document === undefined)
      throw new InvalidSecret(`The secret ${secret} is not JSON. Store its content again.`);
    return document;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw unavailableIfOutage('Secrets Manager', error);
  }
}

/**
 * @param once true if no other call, except a retry, ever writes this document. Its digest is then the version ID, so that a
 *   retry writes nothing
 */
export async function writeSecret(
  secret: string,
  document: unknown,
  context: RequestContext,
  { once = false } = {},
): Promise<void> {
  const SecretString = JSON.stringify(document);
  const command = new PutSecretValueCommand({
    SecretId: secret,
    SecretString,
    ...(once && { ClientRequestToken: hash('sha256', SecretString) }),
  });
  await secretsManager.send(command, { abortSignal: context.signal }).catch((error) => {
    throw unavailableIfOutage('Secrets Manager', error);
  });
}
