import type { Template } from '../template/template.ts';

export interface SecretDefinition {
  readonly logicalId: string;
  readonly name: string;
  readonly description: string | undefined;
}

/**
 * Ignores the KMS keys, because a key exists only in AWS.
 *
 * @throws Error with the logical ID of the secret if the template contains its value
 */
export function secretsOf(template: Template): SecretDefinition[] {
  return template.ofType('AWS::SecretsManager::Secret').map((resource) => {
    const { Name: _, KmsKeyId: __, Description: description, ...others } = resource.properties;
    const [unsupported] = Object.keys(others);
    if (unsupported !== undefined)
      throw new Error(`${resource.logicalId}: the local cloud does not support secrets with ${unsupported}.`);
    return { logicalId: resource.logicalId, name: template.secretNameOf(resource), description };
  });
}
