import { randomUUID } from 'node:crypto';
import type { Emulator } from '../endpoint/emulator.ts';
import { json, jsonError } from '../endpoint/response.ts';
import type { Clock } from '../platform/clock.ts';
import { secretArn } from '../template/arns.ts';
import type { Resource } from '../template/resource.ts';
import type { Template } from '../template/template.ts';
import { check, SecretsManagerError } from './errors.ts';
import { type SecretRow, SecretStore, type VersionRow } from './store.ts';
import { checkName, contentOf, initialContentOf, type SecretRequest, tokenOf } from './validation.ts';

/**
 * The emulator of Secrets Manager: CreateSecret, DescribeSecret, GetSecretValue and PutSecretValue, in the SDK's protocol.
 * If a secret is no longer in the template, the emulator still keeps it, because there may be no other copy of its value.
 * The emulator responds to a write request only after the change is on disk.
 */
export class SecretsManagerEmulator {
  private readonly store: SecretStore;
  private readonly arnOf: (name: string) => string;

  /**
   * Opens the file, and creates the secrets of the template that do not exist yet.
   *
   * @param arnOf returns the ARN of a secret. By default, this is the ARN that `Ref` resolves to in the template
   * @throws Error with the logical ID of the secret if a secret in the template is invalid
   */
  constructor(
    template: Template,
    file: string,
    {
      clock,
      arnOf = secretArn,
    }: { readonly clock: Pick<Clock, 'now'>; readonly arnOf?: (name: string) => string },
  ) {
    this.arnOf = arnOf;
    this.store = new SecretStore(file, clock);
    this.deploy(template);
  }

  /**
   * Creates the secrets of a template that do not exist. Keeps all other secrets.
   *
   * @throws Error with the logical ID of the secret if a secret of the template is invalid
   */
  deploy(template: Template): void {
    for (const resource of template.ofType('AWS::SecretsManager::Secret'))
      this.store.inTransaction(() => this.createSecret(resource, template.secretNameOf(resource)));
  }

  stop(): void {
    this.store.close();
  }

  readonly serve: Emulator = async ({ headers, body }) => {
    const name = headers['x-amz-target']?.replace('secretsmanager.', '') ?? '';
    const action = this.actions[name];
    if (!action)
      return jsonError(
        400,
        'UnknownOperationException',
        `The local cloud does not support the Secrets Manager operation ${name}.`,
      );
    const request: SecretRequest = JSON.parse(body.toString('utf8'));
    try {
      const result = this.store.inTransaction(() => action(request));
      return json(result, 'application/x-amz-json-1.1');
    } catch (error) {
      if (error instanceof SecretsManagerError) return jsonError(400, error.name, error.message);
      throw error;
    }
  };

  private readonly actions: Record<string, (request: SecretRequest) => object> = {
    CreateSecret: (request) => this.create(request),
    DescribeSecret: ({ SecretId }) => this.describe(this.find(SecretId)),
    GetSecretValue: (request) => this.get(request),
    PutSecretValue: (request) => this.put(request),
  };

  private createSecret({ logicalId, properties }: Resource, name: string): void {
    try {
      const content = initialContentOf(properties);
      checkName(name);
      if (this.store.read(name)) return;
      this.store.insert(name, properties.Description);
      if (content !== undefined) this.store.addVersion(name, randomUUID(), content, ['AWSCURRENT']);
    } catch (cause) {
      throw new Error(`${logicalId}: ${(cause as Error).message}`, { cause });
    }
  }

  private create({ Name = '', Description, ...request }: SecretRequest): object {
    checkName(Name);
    const token = tokenOf(request);
    const content = contentOf(request);
    const identity = { ARN: this.arnOf(Name), Name, ...(content !== undefined && { VersionId: token }) };
    if (this.store.read(Name)) {
      const isRepeat = content !== undefined && this.store.readVersion(Name, token)?.content === content;
      check(
        isRepeat,
        'ResourceExistsException',
        `The operation failed because the secret ${Name} already exists.`,
      );
      return identity;
    }
    this.store.insert(Name, Description);
    if (content !== undefined) this.store.addVersion(Name, token, content, ['AWSCURRENT']);
    return identity;
  }

  private put({ SecretId, VersionStages = ['AWSCURRENT'], ...request }: SecretRequest): object {
    const { name } = this.find(SecretId);
    const token = tokenOf(request);
    const content = contentOf(request);
    check(
      content !== undefined,
      'InvalidRequestException',
      'You must provide either SecretString or SecretBinary.',
    );
    check(
      VersionStages.length >= 1 && VersionStages.length <= 20,
      'InvalidParameterException',
      'VersionStages must contain from 1 to 20 staging labels.',
    );
    const existing = this.store.readVersion(name, token);
    check(
      existing === undefined || existing.content === content,
      'ResourceExistsException',
      `You can't use ClientRequestToken ${token} because that value is already in use for a version of secret ${this.arnOf(name)}.`,
    );
    if (existing === undefined) this.store.addVersion(name, token, content, VersionStages);
    return {
      ARN: this.arnOf(name),
      Name: name,
      VersionId: token,
      VersionStages: this.store.stagesOf(name)[token] ?? [],
    };
  }

  private get({ SecretId, VersionId, VersionStage }: SecretRequest): object {
    const { name } = this.find(SecretId);
    const version = this.findVersion(name, VersionId, VersionStage ?? 'AWSCURRENT');
    const stages = this.store.stagesOf(name)[version.id] ?? [];
    check(
      VersionStage === undefined || stages.includes(VersionStage),
      'InvalidRequestException',
      'You provided a VersionStage that is not associated to the provided VersionId.',
    );
    return {
      ARN: this.arnOf(name),
      Name: name,
      VersionId: version.id,
      VersionStages: stages,
      CreatedDate: version.created / 1000,
      ...JSON.parse(version.content),
    };
  }

  private describe({ name, description, created, changed }: SecretRow): object {
    const stages = this.store.stagesOf(name);
    return {
      ARN: this.arnOf(name),
      Name: name,
      ...(description !== null && { Description: description }),
      CreatedDate: created / 1000,
      LastChangedDate: changed / 1000,
      ...(Object.keys(stages).length > 0 && { VersionIdsToStages: stages }),
    };
  }

  private findVersion(name: string, versionId: string | undefined, stage: string): VersionRow {
    const id = versionId ?? this.store.versionAt(name, stage);
    const version = id === undefined ? undefined : this.store.readVersion(name, id);
    check(
      version,
      'ResourceNotFoundException',
      `Secrets Manager can't find the specified secret value for ${versionId === undefined ? `staging label: ${stage}` : `VersionId: ${versionId}`}`,
    );
    return version;
  }

  private find(secretId: string | undefined): SecretRow {
    check(secretId, 'InvalidParameterException', 'You must provide a SecretId.');
    const secret = this.store.read(this.nameIn(secretId));
    check(secret, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    return secret;
  }

  /** Returns the name of a secret, given its name or its ARN. Like the service, accepts an ARN without its random suffix. */
  private nameIn(secretId: string): string {
    const [, rest = ''] = /^arn:[^:]+:secretsmanager:[^:]+:\d+:secret:(.+)$/.exec(secretId) ?? [];
    const name = rest.replace(/-[^-]{6}$/, '');
    if (this.arnOf(name) === secretId) return name;
    return this.arnOf(rest).slice(0, -'-123456'.length) === secretId ? rest : secretId;
  }
}
