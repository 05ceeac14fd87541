import {
  CreateSecretCommand,
  DescribeSecretCommand,
  ResourceExistsException,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';
import { initialContentOf } from './secrets-manager.ts';
import type { Resource, Template } from './template.ts';
import { UserError } from './user-error.ts';

/**
 * Creates the template's secrets in the user's own Secrets Manager, unless it has them, as CloudFormation does on a
 * deployment. Each Secrets Manager ends the ARN of a secret in six random characters
 * (https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_CreateSecret.html), and
 * `Ref` returns that ARN, so nobody can know it before. Safe to call again.
 *
 * @returns the template in which `Ref` of each secret resolves to the ARN that the service returned
 * @throws UserError if the service does not respond or refuses
 */
export async function createSecrets(
  template: Template,
  configuration: SecretsManagerClientConfig,
  url: string,
): Promise<Template> {
  const client = new SecretsManagerClient(configuration);
  try {
    const secretArns = new Map<string, string>();
    for (const resource of template.ofType('AWS::SecretsManager::Secret'))
      secretArns.set(resource.logicalId, await createSecret(template, resource, client));
    return template.withSecretArns(secretArns);
  } catch (cause) {
    const { message } = cause as Error;
    throw new UserError(`The Secrets Manager at ${url} cannot be used: ${message}`, { cause });
  } finally {
    client.destroy();
  }
}

/** The template's key is not used: it is a key of KMS in AWS. */
async function createSecret(
  template: Template,
  resource: Resource,
  client: SecretsManagerClient,
): Promise<string> {
  const Name = template.secretNameOf(resource);
  const { Description } = resource.properties;
  const create = new CreateSecretCommand({
    ...{ Name, Description },
    ...JSON.parse(initialContentOf(resource.properties) ?? '{}'),
  });
  const { ARN } = await client.send(create).catch((error) => {
    if (!(error instanceof ResourceExistsException)) throw error;
    return client.send(new DescribeSecretCommand({ SecretId: Name }));
  });
  if (ARN === undefined) throw new Error(`It returned no ARN for the secret ${Name}.`);
  return ARN;
}
