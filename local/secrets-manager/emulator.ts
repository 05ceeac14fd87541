import type { Emulator } from '../endpoint/emulator.ts';
import { jsonOperations } from '../endpoint/json-operations.ts';
import type { Clock } from '../platform/clock.ts';
import { check } from '../platform/service-error.ts';
import { secretArn } from '../template/arns.ts';
import type { Template } from '../template/template.ts';
import { SecretStore } from './store.ts';

interface Request {
  readonly SecretId?: string;
  readonly ClientRequestToken?: string;
  readonly SecretString?: string;
}

const maximumSecretBytes = 65_536;

/**
 * Keeps a secret that is no longer in the template, because there may be no other copy of its value. Responds to a write request
 * only after the change is on disk.
 */
export class SecretsManagerEmulator {
  private readonly store: SecretStore;

  constructor(template: Template, file: string, clock: Pick<Clock, 'now'>) {
    this.store = new SecretStore(file, clock);
    this.deploy(template);
  }

  deploy(template: Template): void {
    for (const name of secretNamesOf(template)) this.store.create(name);
  }

  stop(): void {
    this.store.close();
  }

  readonly serve: Emulator = jsonOperations(
    'Secrets Manager',
    this.operations(),
    'application/x-amz-json-1.1',
  );

  private operations(): Record<string, (request: Request) => object> {
    return {
      GetSecretValue: ({ SecretId = '', ...others }) => {
        checkSupported(others);
        const name = this.nameIn(SecretId);
        const version = this.store.current(name);
        check(
          version,
          'ResourceNotFoundException',
          "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT",
        );
        const { id, content, created } = version;
        const state = { VersionStages: ['AWSCURRENT'], CreatedDate: created / 1000 };
        return { ...identity(name, id), ...state, ...JSON.parse(content) };
      },
      PutSecretValue: ({ SecretId = '', ClientRequestToken: token = '', SecretString, ...others }) => {
        checkSupported(others);
        const name = this.nameIn(SecretId);
        check(
          SecretString,
          'InvalidRequestException',
          'You must provide either SecretString or SecretBinary.',
        );
        check(
          Buffer.byteLength(SecretString) <= maximumSecretBytes,
          'ValidationException',
          `1 validation error detected: Value at 'secretString' failed to satisfy constraint: Member must have length less than or equal to ${maximumSecretBytes}`,
        );
        const content = JSON.stringify({ SecretString });
        const existing = this.store.find(name, token);
        check(
          existing === undefined || existing.content === content,
          'ResourceExistsException',
          `You can't use ClientRequestToken ${token} because that value is already in use for a version of secret ${secretArn(name)}.`,
        );
        if (!existing) this.store.add(name, token, content);
        return identity(name, token);
      },
    };
  }

  private nameIn(secretId: string): string {
    const [, ofArn = ''] = /:secret:(.+)-[^-]{6}$/.exec(secretId) ?? [];
    const name = secretArn(ofArn) === secretId ? ofArn : secretId;
    check(
      this.store.has(name),
      'ResourceNotFoundException',
      "Secrets Manager can't find the specified secret.",
    );
    return name;
  }
}

function identity(Name: string, VersionId: string): object {
  return { ARN: secretArn(Name), Name, VersionId };
}

function checkSupported(others: object): void {
  const [name] = Object.keys(others);
  check(name === undefined, 'InvalidParameterException', `The local cloud does not support ${name}.`);
}

/**
 * Ignores KMS keys, which exist only in AWS.
 *
 * @throws Error with the logical ID of a secret that has an unsupported property, such as a value
 */
function secretNamesOf(template: Template): string[] {
  return template.ofType('AWS::SecretsManager::Secret').map((resource) => {
    const { Name: _, KmsKeyId: __, Description: ___, ...others } = resource.properties;
    const [unsupported] = Object.keys(others);
    if (unsupported !== undefined)
      throw new Error(`${resource.logicalId}: the local cloud does not support secrets with ${unsupported}.`);
    return template.secretNameOf(resource);
  });
}
