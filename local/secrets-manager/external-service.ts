import {
  CreateSecretCommand,
  DescribeSecretCommand,
  ResourceExistsException,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';
import { UserError } from '../platform/user-error.ts';
import type { Template } from '../template/template.ts';
import { type SecretDefinition, secretsOf } from './emulator.ts';

/**
 * Creates the template's missing secrets in another Secrets Manager. Safe to call again. Returns the template with the service's
 * ARNs, which end in six random characters.
 *
 * @throws Error if a secret has an unsupported property
 * @throws UserError if the service does not respond, or refuses a call
 * @see {@link https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_CreateSecret.html CreateSecret}
 */
export async function createSecrets(
  template: Template,
  configuration: SecretsManagerClientConfig,
  url: string,
): Promise<Template> {
  const secrets = secretsOf(template);
  const client = new SecretsManagerClient(configuration);
  try {
    const secretArns = new Map<string, string>();
    for (const secret of secrets) secretArns.set(secret.logicalId, await createSecret(secret, client));
    return template.withSecretArns(secretArns);
  } catch (cause) {
    const { message } = cause as Error;
    throw new UserError(
      `The Secrets Manager endpoint ${url} cannot be used. Check AWS_ENDPOINT_URL_SECRETS_MANAGER. ${message}`,
      { cause },
    );
  } finally {
    client.destroy();
  }
}

async function createSecret(
  { name: Name, description: Description }: SecretDefinition,
  client: SecretsManagerClient,
): Promise<string> {
  const { ARN } = await client.send(new CreateSecretCommand({ Name, Description })).catch((error) => {
    if (!(error instanceof ResourceExistsException)) throw error;
    return client.send(new DescribeSecretCommand({ SecretId: Name }));
  });
  if (ARN === undefined) throw new Error(`The endpoint returned no ARN for the secret ${Name}.`);
  return ARN;
}
