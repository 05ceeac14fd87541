import { createHash } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { Call } from './call.ts';
import { Unavailable } from './errors.ts';
import { isOutage } from './outage.ts';

export const secretsManager = new SecretsManagerClient({
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
});

/**
 * The current value of a secret; undefined if it was given none yet.
 *
 * @throws Unavailable
 */
export async function readSecret(secret: string, call: Call): Promise<string | undefined> {
  const command = new GetSecretValueCommand({ SecretId: secret });
  try {
    const { SecretString } = await secretsManager.send(command, { abortSignal: call.signal });
    return SecretString;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw unavailable(error);
  }
}

/**
 * Gives a secret a value.
 *
 * @param source what the value was made from, if that never comes again: it names the version, so that it is written once
 * @throws Unavailable: it is then unknown whether it was written
 */
export async function writeSecret(secret: string, value: string, call: Call, source?: string): Promise<void> {
  const command = new PutSecretValueCommand({
    SecretId: secret,
    SecretString: value,
    ...(source !== undefined && {
      ClientRequestToken: createHash('sha256').update(source).digest('hex'),
    }),
  });
  await secretsManager.send(command, { abortSignal: call.signal }).catch((error) => {
    throw unavailable(error);
  });
}

function unavailable(error: unknown): unknown {
  return isOutage(error)
    ? new Unavailable('Secrets Manager is overloaded or out of reach.', { cause: error })
    : error;
}
