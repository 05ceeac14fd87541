import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Emulator } from '../endpoint/emulator.ts';
import { type AwsResponse, jsonError } from '../endpoint/response.ts';
import type { Clock } from '../platform/clock.ts';
import { inTransaction, openStore } from '../platform/store.ts';
import { secretArn } from '../template/arns.ts';
import type { Properties, Resource } from '../template/resource.ts';
import type { Template } from '../template/template.ts';
import { generateSecretString } from './secret-string.ts';

interface SecretRow {
  readonly name: string;
  readonly description: string | null;
  /** Milliseconds since 1970, as all times of the store. */
  readonly created: number;
  readonly changed: number;
}

interface VersionRow {
  readonly id: string;
  /** The value: JSON with a SecretString or a SecretBinary. */
  readonly content: string;
  readonly created: number;
}

/** What a client asks for, before it was looked at. */
interface Request {
  readonly SecretId?: string;
  readonly Name?: string;
  readonly Description?: string;
  readonly ClientRequestToken?: string;
  readonly SecretString?: string;
  /** Base64. */
  readonly SecretBinary?: string;
  readonly VersionId?: string;
  readonly VersionStage?: string;
  readonly VersionStages?: readonly string[];
}

type ErrorName =
  | 'InvalidParameterException'
  | 'InvalidRequestException'
  | 'ResourceExistsException'
  | 'ResourceNotFoundException'
  | 'ValidationException';

/** An error that the service answers, with its name. */
class SecretsManagerError extends Error {
  override readonly name: ErrorName;

  constructor(name: ErrorName, message: string) {
    super(message);
    this.name = name;
  }
}

/** How long a version without a stage is kept, in milliseconds: a put of it that comes late must not bring it back. */
const deprecatedLife = 24 * 60 * 60 * 1000;

const mostBytes = 65_536;

/**
 * Secrets Manager on this machine, for the SDK's own protocol: keeps the secrets of the template, and those that
 * functions make. A secret that the template has no more is kept too, for its value may be nowhere else. What was put
 * is on disk before it is answered, even if the power fails.
 */
export class SecretsManagerEmulator {
  private readonly clock: Pick<Clock, 'now'>;
  private readonly store: DatabaseSync;
  private readonly arnOf: (name: string) => string;

  /**
   * @param arnOf returns the ARN of a secret; the default is the one that the template resolves to on this machine
   * @throws Error that names the secret of the template that this machine cannot make
   */
  constructor(
    template: Template,
    file: string,
    {
      clock,
      arnOf = secretArn,
    }: { readonly clock: Pick<Clock, 'now'>; readonly arnOf?: (name: string) => string },
  ) {
    this.clock = clock;
    this.arnOf = arnOf;
    this.store = openStore(file, 'FULL');
    this.store.exec(`
      CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, description TEXT, created INTEGER, changed INTEGER);
      CREATE TABLE IF NOT EXISTS versions (
        secret TEXT, id TEXT, content TEXT, created INTEGER, PRIMARY KEY (secret, id));
      CREATE TABLE IF NOT EXISTS stages (secret TEXT, stage TEXT, version TEXT, PRIMARY KEY (secret, stage));`);
    for (const resource of template.ofType('AWS::SecretsManager::Secret'))
      inTransaction(this.store, () => this.load(resource, template.secretNameOf(resource)));
  }

  stop(): void {
    this.store.close();
  }

  readonly serve: Emulator = async ({ headers, body }) => {
    const action = headers['x-amz-target']?.replace('secretsmanager.', '') ?? '';
    const handle = this.actions[action];
    if (!handle) return jsonError(400, 'UnknownOperationException', `This machine has no ${action}.`);
    const request: Request = JSON.parse(body.toString('utf8'));
    try {
      return answer(inTransaction(this.store, () => handle(request)));
    } catch (error) {
      if (error instanceof SecretsManagerError) return jsonError(400, error.name, error.message);
      throw error;
    }
  };

  private readonly actions: Record<string, (request: Request) => object> = {
    CreateSecret: (request) => this.create(request),
    DescribeSecret: ({ SecretId }) => this.describe(this.find(SecretId)),
    GetSecretValue: (request) => this.get(request),
    PutSecretValue: (request) => this.put(request),
  };

  /** Makes a secret of the template, unless a former start has done so. */
  private load({ logicalId, properties }: Resource, name: string): void {
    try {
      const content = initialContentOf(properties);
      checkName(name);
      if (this.read(name)) return;
      this.insert(name, properties.Description);
      if (content !== undefined) this.addVersion(name, randomUUID(), content, ['AWSCURRENT']);
    } catch (error) {
      throw new Error(`${logicalId}: ${(error as Error).message}`, { cause: error });
    }
  }

  private create({ Name = '', Description, ...request }: Request): object {
    checkName(Name);
    const token = tokenOf(request);
    const content = contentOf(request);
    const identity = { ARN: this.arnOf(Name), Name, ...(content !== undefined && { VersionId: token }) };
    if (this.read(Name)) {
      const same = content !== undefined && this.readVersion(Name, token)?.content === content;
      check(
        same,
        'ResourceExistsException',
        `The operation failed because the secret ${Name} already exists.`,
      );
      return identity;
    }
    this.insert(Name, Description);
    if (content !== undefined) this.addVersion(Name, token, content, ['AWSCURRENT']);
    return identity;
  }

  private put({ SecretId, VersionStages = ['AWSCURRENT'], ...request }: Request): object {
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
      'VersionStages must be from 1 to 20.',
    );
    const known = this.readVersion(name, token);
    check(
      known === undefined || known.content === content,
      'ResourceExistsException',
      `You can't use ClientRequestToken ${token} because that value is already in use for a version of secret ${this.arnOf(name)}.`,
    );
    if (known === undefined) this.addVersion(name, token, content, VersionStages);
    return {
      ARN: this.arnOf(name),
      Name: name,
      VersionId: token,
      VersionStages: this.stagesOf(name)[token] ?? [],
    };
  }

  private get({ SecretId, VersionId, VersionStage }: Request): object {
    const { name } = this.find(SecretId);
    const stage = VersionStage ?? 'AWSCURRENT';
    const id = VersionId ?? this.versionAt(name, stage);
    const version = id === undefined ? undefined : this.readVersion(name, id);
    check(
      version,
      'ResourceNotFoundException',
      `Secrets Manager can't find the specified secret value for ${VersionId === undefined ? `staging label: ${stage}` : `VersionId: ${VersionId}`}`,
    );
    const stages = this.stagesOf(name)[version.id] ?? [];
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
    const stages = this.stagesOf(name);
    return {
      ARN: this.arnOf(name),
      Name: name,
      ...(description !== null && { Description: description }),
      CreatedDate: created / 1000,
      LastChangedDate: changed / 1000,
      ...(Object.keys(stages).length > 0 && { VersionIdsToStages: stages }),
    };
  }

  private addVersion(name: string, id: string, content: string, stages: readonly string[]): void {
    const now = this.clock.now();
    const former = this.versionAt(name, 'AWSCURRENT');
    const attached = new Set(former === undefined ? [...stages, 'AWSCURRENT'] : stages);
    this.store.prepare('INSERT INTO versions VALUES (?, ?, ?, ?)').run(name, id, content, now);
    for (const stage of attached) this.moveStage(name, stage, id);
    if (former !== undefined && attached.has('AWSCURRENT')) this.moveStage(name, 'AWSPREVIOUS', former);
    this.store.prepare('UPDATE secrets SET changed = ? WHERE name = ?').run(now, name);
    this.store
      .prepare(
        `DELETE FROM versions WHERE secret = ? AND created < ?
           AND id NOT IN (SELECT version FROM stages WHERE stages.secret = versions.secret)`,
      )
      .run(name, now - deprecatedLife);
  }

  private moveStage(name: string, stage: string, version: string): void {
    this.store.prepare('INSERT OR REPLACE INTO stages VALUES (?, ?, ?)').run(name, stage, version);
  }

  private insert(name: string, description: string | undefined): void {
    const now = this.clock.now();
    this.store.prepare('INSERT INTO secrets VALUES (?, ?, ?, ?)').run(name, description ?? null, now, now);
  }

  private find(secretId: string | undefined): SecretRow {
    check(secretId, 'InvalidParameterException', 'You must provide a SecretId.');
    const secret = this.read(this.nameIn(secretId));
    check(secret, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    return secret;
  }

  /** Returns the name that an ARN contains. The service also accepts an ARN without its suffix. */
  private nameIn(secretId: string): string {
    const [, rest = ''] = /^arn:[^:]+:secretsmanager:[^:]+:\d+:secret:(.+)$/.exec(secretId) ?? [];
    const name = rest.replace(/-[^-]{6}$/, '');
    if (this.arnOf(name) === secretId) return name;
    return this.arnOf(rest).slice(0, -'-123456'.length) === secretId ? rest : secretId;
  }

  private read(name: string): SecretRow | undefined {
    return this.store.prepare('SELECT * FROM secrets WHERE name = ?').get(name) as unknown as
      | SecretRow
      | undefined;
  }

  private readVersion(name: string, id: string): VersionRow | undefined {
    return this.store
      .prepare('SELECT id, content, created FROM versions WHERE secret = ? AND id = ?')
      .get(name, id) as unknown as VersionRow | undefined;
  }

  private versionAt(name: string, stage: string): string | undefined {
    const row = this.store
      .prepare('SELECT version FROM stages WHERE secret = ? AND stage = ?')
      .get(name, stage);
    return row?.version as string | undefined;
  }

  /** The stages of each version that has any. */
  private stagesOf(name: string): Record<string, string[]> {
    const rows = this.store
      .prepare(
        'SELECT version, json_group_array(stage ORDER BY stage) AS stages FROM stages WHERE secret = ? GROUP BY version',
      )
      .all(name) as unknown as { version: string; stages: string }[];
    return Object.fromEntries(rows.map(({ version, stages }) => [version, JSON.parse(stages)]));
  }
}

function checkName(name: string): void {
  check(
    /^[\w/+=.@!-]{1,512}$/.test(name),
    'ValidationException',
    'Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!',
  );
}

/** The id that a new version gets. */
function tokenOf({ ClientRequestToken }: Request): string {
  check(
    ClientRequestToken,
    'InvalidRequestException',
    'You must provide a ClientRequestToken value. We recommend a UUID-type value.',
  );
  check(
    ClientRequestToken.length >= 32 && ClientRequestToken.length <= 64,
    'InvalidParameterException',
    'ClientRequestToken must be 32-64 characters long.',
  );
  return ClientRequestToken;
}

/** The value that is asked for, if one is: JSON. */
function contentOf({ SecretString, SecretBinary }: Request): string | undefined {
  check(
    !SecretString || !SecretBinary,
    'InvalidParameterException',
    "You can't specify both a binary secret value and a string secret value in the same secret.",
  );
  if (SecretString) {
    checkSize('secretString', Buffer.byteLength(SecretString));
    return JSON.stringify({ SecretString });
  }
  if (SecretBinary) {
    checkSize('secretBinary', Buffer.byteLength(SecretBinary, 'base64'));
    return JSON.stringify({ SecretBinary });
  }
  return undefined;
}

function checkSize(member: string, bytes: number): void {
  check(
    bytes <= mostBytes,
    'ValidationException',
    `1 validation error detected: Value at '${member}' failed to satisfy constraint: Member must have length less than or equal to ${mostBytes}`,
  );
}

/** Returns the value that the template gives a secret, if it gives one: JSON with a SecretString. */
export function initialContentOf({ SecretString, GenerateSecretString }: Properties): string | undefined {
  if (GenerateSecretString === undefined) return contentOf({ SecretString });
  if (SecretString !== undefined) throw new Error('a secret has a SecretString or a GenerateSecretString.');
  return contentOf({ SecretString: generateSecretString(GenerateSecretString) });
}

function check(condition: unknown, name: ErrorName, message: string): asserts condition {
  if (!condition) throw new SecretsManagerError(name, message);
}

function answer(body: object): AwsResponse {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/x-amz-json-1.1' },
    body: JSON.stringify(body),
  };
}
