import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  Architecture,
  CfnEventSourceMapping,
  type CfnFunction,
  Code,
  type IFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Capabilities } from '../lambdas/contract/routes.ts';
import type { Environment } from '../lambdas/environment.ts';
import type { Encryption } from './encryption.ts';

export interface FunctionDefaults {
  readonly logRetentionDays: number;
  readonly architecture: 'arm64' | 'x86_64';
  readonly memoryMegabytes: number;
  /** Whether Lambda chooses invocations to trace, unless the caller's trace header decides. */
  readonly tracing: boolean;
  readonly encryption: Encryption;
  readonly releases: 'allAtOnce' | 'canary'; // @extension canary
  readonly bundleOf: (entry: string) => string;
}

const architectures = { arm64: Architecture.ARM_64, x86_64: Architecture.X86_64 };

/** The role permits only logs and traces. Other constructs grant the rest. */
export class ServiceFunction extends NodejsFunction {
  /**
   * The alias that callers use, for gradual releases or provisioned concurrency. Undefined if the function needs
   * neither, or if `hasAlias` is false.
   */
  readonly alias: Alias | undefined;
  readonly capabilities: Capabilities;

  constructor(
    scope: Construct,
    id: string,
    defaults: FunctionDefaults,
    {
      entry,
      description,
      capabilities = {},
      timeout = Duration.seconds(10),
      functionName,
      reservedConcurrency = 0,
      provisionedConcurrency = 0,
      hasAlias = true,
    }: {
      entry: string;
      description: string;
      capabilities?: Capabilities;
      timeout?: Duration;
      functionName?: string;
      /** 0 reserves no concurrency. */
      reservedConcurrency?: number;
      provisionedConcurrency?: number;
      /** False prevents an alias. */
      hasAlias?: boolean;
    },
  ) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: defaults.logRetentionDays,
      ...(defaults.encryption.key && { encryptionKey: defaults.encryption.key }),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    const isProvisioned = provisionedConcurrency > 0;
    super(scope, id, {
      // Lambda publishes a new version only if the function has changed, and the concurrency of a version cannot change.
      description: isProvisioned ? `${description} (initialized: ${provisionedConcurrency})` : description,
      ...(functionName !== undefined && { functionName }),
      ...(reservedConcurrency > 0 && { reservedConcurrentExecutions: reservedConcurrency }),
      code: Code.fromAsset(defaults.bundleOf(entry)),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: architectures[defaults.architecture],
      memorySize: defaults.memoryMegabytes,
      timeout,
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      role,
      tracing: defaults.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      awsSdkConnectionReuse: false,
      // On an alias, Lambda would move it to a new version by routing weights. If that version cannot be initialized, the
      // weights remain, and Lambda then refuses every change to the alias, even a rollback.
      ...(isProvisioned && {
        currentVersionOptions: { provisionedConcurrentExecutions: provisionedConcurrency },
      }),
    });
    // Without this metadata, AWS SAM cannot find the functions of nested constructs by their construct IDs.
    (this.node.defaultChild as CfnFunction).addMetadata('SamResourceId', id);
    this.capabilities = capabilities;
    const [aliasName] = [
      ...(isProvisioned ? ['provisioned'] : []),
      // @extension canary {
      // The alias `live` of a stack that version 1.1.0 deployed can have provisioned concurrency, so it must not change.
      ...(defaults.releases === 'canary' ? ['live'] : []),
      // @extension canary }
    ];
    this.alias = hasAlias && aliasName !== undefined ? this.addAlias(aliasName) : undefined;
  }

  /** What callers invoke: the alias, or the function if it has no alias. */
  get entryPoint(): IFunction {
    // An Alias implements IFunction, but TypeScript does not accept how it declares optional properties.
    return (this.alias ?? this) as IFunction;
  }

  /**
   * Points the function's event source mappings at the alias, if there is one. A mapping that the alias created would
   * have a different logical ID, so adding or removing the alias would replace the mapping, and the new one would
   * read a whole day's records again.
   */
  readStreamsForAlias(): void {
    if (!this.alias) return;
    for (const construct of this.node.findAll())
      if (construct instanceof CfnEventSourceMapping) construct.functionName = this.alias.functionArn;
  }

  /** Accepts only the variables that `Environment` declares. */
  override addEnvironment(name: keyof Environment, value: string): this {
    return super.addEnvironment(name, value);
  }

  addPolicyStatement(actions: string[], resources: string[], conditions?: Record<string, unknown>): void {
    this.addToRolePolicy(
      new PolicyStatement({ effect: Effect.ALLOW, actions, resources, ...(conditions && { conditions }) }),
    );
  }
}
