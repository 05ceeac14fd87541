import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Schedule, ScheduleExpression, ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { LoggedEventAlarm } from './alarms.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { Encryption } from './encryption.ts';
import { schedulerRole } from './scheduler-role.ts';
import { type FunctionDefaults, ServiceFunction } from './service-function.ts';

export interface TokenSettings {
  readonly stage: string;
  /** The issuer of access tokens. If empty, the issuer is a URN. */
  readonly baseUrl: string;
  readonly credentials: readonly string[];
  readonly removalPolicy: RemovalPolicy;
}

/** A credential may be for this service or for another one. The secrets are empty until the operator fills them. */
export class Tokens extends Construct {
  private readonly issuer: string;
  private readonly encryption: Encryption;
  private readonly signingKey: CfnSecret;
  private readonly credentials: readonly { name: string; client: CfnSecret; credential: CfnSecret }[];

  constructor(
    scope: Construct,
    id: string,
    { stage, baseUrl, credentials, removalPolicy }: TokenSettings,
    defaults: FunctionDefaults,
  ) {
    super(scope, id);
    const { account, region } = Stack.of(this);
    this.issuer = baseUrl || `urn:dogs:${account}:${region}:${stage}`;
    const { encryption } = defaults;
    this.encryption = encryption;
    const secret = (name: string, description: string) => {
      const created = new CfnSecret(this, name, {
        description,
        ...(encryption.key && { kmsKeyId: encryption.key.keyArn }),
      });
      created.applyRemovalPolicy(removalPolicy);
      return created;
    };
    this.signingKey = secret('SigningKey', 'The keys that sign access tokens');
    this.credentials = credentials.map((name) => ({
      name,
      client: secret(`${name}Client`, `The client that refreshes the credential ${name}`),
      credential: secret(`${name}Credential`, `The credential ${name}, which the service refreshes`),
    }));
    this.addRefresh(stage, defaults);
  }

  get outputs(): Readonly<Record<string, string>> {
    return { SigningKeySecret: this.signingKey.ref, Credentials: this.credentialsAsJson() };
  }

  get secretArns(): string[] {
    return [
      this.signingKey.ref,
      ...this.credentials.flatMap(({ client, credential }) => [client.ref, credential.ref]),
    ];
  }

  grantSign(lambda: ServiceFunction): void {
    this.grantVerify(lambda);
    lambda.addEnvironment('SIGNING_KEY_SECRET', this.signingKey.ref);
    lambda.addPolicyStatement(['secretsmanager:GetSecretValue'], [this.signingKey.ref]);
    this.encryption.grantRead(lambda, 'secretsmanager');
  }

  /** `Tables` grants the permission to read the public keys. */
  grantVerify(lambda: ServiceFunction): void {
    lambda.addEnvironment('TOKEN_ISSUER', this.issuer);
  }

  private credentialsAsJson(): string {
    return Stack.of(this).toJsonString(
      this.credentials.map(({ name, client, credential }) => ({
        name,
        client: client.ref,
        credential: credential.ref,
      })),
    );
  }

  private addRefresh(stage: string, defaults: FunctionDefaults): void {
    const lambda = new ServiceFunction(this, 'RefreshCredentials', defaults, {
      entry: 'jobs/refresh-credentials.ts',
      description: 'Refreshes the stored credentials',
      timeout: Duration.seconds(30),
    });
    lambda.addEnvironment('CREDENTIALS', this.credentialsAsJson());
    const clients = this.credentials.map(({ client }) => client.ref);
    const credentials = this.credentials.map(({ credential }) => credential.ref);
    if (credentials.length > 0) {
      lambda.addPolicyStatement(['secretsmanager:GetSecretValue'], [...clients, ...credentials]);
      lambda.addPolicyStatement(['secretsmanager:PutSecretValue'], credentials);
      this.encryption.grantWrite(lambda, 'secretsmanager');
    }

    const deadLetterQueue = new DeadLetterQueue(this, 'RefreshDlq', {
      lambda,
      alarmDescription: 'Stored credentials could not be refreshed.',
      encryption: this.encryption,
    });
    lambda.entryPoint.configureAsyncInvoke({
      retryAttempts: 2,
      maxEventAge: Duration.minutes(10),
      onFailure: new SqsDestination(deadLetterQueue),
    });
    // EventBridge Scheduler publishes metrics per group. Those of the default group would cover other schedules, too.
    const scheduleGroup = new ScheduleGroup(this, 'RefreshGroup', {
      scheduleGroupName: `dogs-${stage}-credentials`,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = schedulerRole(this, 'SchedulerRole', scheduleGroup);
    this.encryption.grantWrite(role, 'sqs');
    new Schedule(this, 'EveryTenMinutes', {
      description: 'Refreshes the credentials that expire soon',
      scheduleGroup,
      schedule: ScheduleExpression.rate(Duration.minutes(10)),
      target: new LambdaInvoke(lambda.entryPoint, {
        role,
        deadLetterQueue,
        retryAttempts: 3,
        maxEventAge: Duration.minutes(10),
      }),
    }).node.addDependency(scheduleGroup);
    new LoggedEventAlarm(
      this,
      'CredentialRefused',
      'The token endpoint rejected a refresh token. The log entry names the credential.',
    ).watch(lambda);
  }
}
