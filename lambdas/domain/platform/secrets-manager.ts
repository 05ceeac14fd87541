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

export const secretsManager = new SecretsManagerClient({
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
});

/**
 * The current value of a secret: the document that it holds as JSON; undefined if it was given none yet.
 *
 * @throws Unavailable
 */
export async function readSecret(secret: string, context: RequestContext): Promise<unknown> {
  const command = new GetSecretValueCommand({ SecretId: secret });
  try {
    const { SecretString = '' } = await secretsManager.send(command, { abortSignal: context.signal });
    const document = jsonOf(SecretString);
    // The parser's own error would quote the secret, which must not get into a log.
    if (document === undefined) throw new Error(`The secret ${secret} does not hold JSON.`);
    return document;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw unavailableIfOutage('Secrets Manager', error);
  }
}

/**
 * Gives a secret a document as its value.
 *
 * @param once whether this very document never comes again: its version is named after it then, and a repeat writes
 *   nothing
 * @throws Unavailable: it is then unknown whether it was written
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
