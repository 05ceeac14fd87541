import { createHash } from 'node:crypto';

/** A resource of the template, its properties resolved. */
export interface Resource {
  readonly logicalId: string;
  readonly type: string;
  /** The construct's own id, by which people know it. */
  readonly name: string;
  readonly properties: Properties;
}

// biome-ignore lint/suspicious/noExplicitAny: the properties are CloudFormation's, and as various as it is
export type Properties = Record<string, any>;

interface TemplateDocument {
  readonly Resources: Record<
    string,
    { readonly Type: string; readonly Properties?: Properties; readonly Metadata?: Record<string, unknown> }
  >;
  readonly Outputs?: Record<string, { readonly Value: unknown }>;
}

/**
 * What a caller of Lambda names: a function or an alias. An alias has its own ARN and its own asynchronous invocation
 * settings.
 *
 * @see {@link https://docs.aws.amazon.com/lambda/latest/dg/configuration-aliases.html}
 */
export interface EntryPoint {
  readonly arn: string;
  readonly lambda: Resource;
  /** `$LATEST`, or the name of the alias. */
  readonly qualifier: string;
  /** The version that runs. */
  readonly version: string;
}

/** Where this machine pretends to be. */
export const region = 'us-east-1';
export const account = '000000000000';
export const arn = (service: string, resource: string) =>
  `arn:aws:${service}:${region}:${account}:${resource}`;

/** A secret's ARN. The service ends it in six characters of its own; here they are the same for the same name. */
export function secretArn(name: string): string {
  const suffix = createHash('sha256').update(name).digest('hex').slice(0, 6);
  return arn('secretsmanager', `secret:${name}-${suffix}`);
}

/** Returns the ARN of a stack. AWS ends it in a random ID. */
export function stackArn(name: string): string {
  return arn('cloudformation', `stack/${name}/1`);
}

/** Returns the ARN of a table's stream. AWS ends it in the time at which the stream began. */
export function streamArn(tableName: string): string {
  return arn('dynamodb', `table/${tableName}/stream/1`);
}

/** The origin of the queues' URLs on AWS. */
export const queueOrigin = `https://sqs.${region}.amazonaws.com`;

/** Returns a queue's URL on AWS. */
function queueUrl(name: string): string {
  return `${queueOrigin}/${account}/${name}`;
}

/** What `Ref` and `Fn::GetAtt` give for a resource on this machine. */
interface Identity {
  readonly Ref: string;
  readonly [attribute: string]: string;
}

/**
 * How each type of resource is called on this machine. A type that is not here has no part on this machine: the
 * template is then refused, rather than run without it.
 */
const identities: Record<
  string,
  (name: string, properties: Properties, resolve: (value: unknown) => unknown) => Identity
> = {
  'AWS::ApiGateway::Authorizer': (name) => ({ Ref: name }),
  'AWS::ApiGateway::BasePathMapping': (name) => ({ Ref: name }),
  'AWS::ApiGateway::Deployment': (name) => ({ Ref: name }),
  'AWS::ApiGateway::DomainName': (name, { DomainName }) => ({
    Ref: DomainName ?? name,
    RegionalDomainName: `d-local.execute-api.${region}.amazonaws.com`,
  }),
  'AWS::ApiGateway::GatewayResponse': (name) => ({ Ref: name }),
  'AWS::ApiGateway::Method': (name) => ({ Ref: name }),
  'AWS::ApiGateway::Resource': (name) => ({ Ref: name }),
  'AWS::ApiGateway::RestApi': (name) => ({ Ref: name, RootResourceId: `${name}-root` }),
  'AWS::ApiGateway::Stage': (name, { StageName }) => ({ Ref: StageName ?? name }),
  'AWS::Budgets::Budget': (name) => ({ Ref: name }),
  'AWS::CloudWatch::Alarm': (name) => ({ Ref: name, Arn: arn('cloudwatch', `alarm:${name}`) }),
  'AWS::CloudWatch::Dashboard': (name) => ({ Ref: name }),
  'AWS::CodeDeploy::Application': (name) => ({ Ref: name }),
  'AWS::CodeDeploy::DeploymentGroup': (name) => ({ Ref: name }),
  'AWS::DynamoDB::Table': (name) => ({
    Ref: name,
    Arn: arn('dynamodb', `table/${name}`),
    StreamArn: streamArn(name),
  }),
  'AWS::Events::Rule': (name) => ({ Ref: name, Arn: arn('events', `rule/${name}`) }),
  'AWS::IAM::ManagedPolicy': (name) => ({ Ref: `arn:aws:iam::${account}:policy/${name}` }),
  'AWS::IAM::Policy': (name) => ({ Ref: name }),
  'AWS::IAM::Role': (name) => ({ Ref: name, Arn: `arn:aws:iam::${account}:role/${name}` }),
  'AWS::Lambda::Alias': (_, { FunctionName, Name }, resolve) => qualified(FunctionName, Name, resolve),
  'AWS::Lambda::EventInvokeConfig': (name) => ({ Ref: name }),
  'AWS::Lambda::EventSourceMapping': (name) => ({ Ref: name }),
  'AWS::Lambda::Function': (name) => ({ Ref: name, Arn: arn('lambda', `function:${name}`) }),
  'AWS::Lambda::Permission': (name) => ({ Ref: name }),
  // Each start of this machine is a new deployment, so a function has only one version.
  'AWS::Lambda::Version': (_, { FunctionName }, resolve) =>
    qualified(FunctionName, '1', resolve, { Version: '1' }),
  'AWS::Logs::LogGroup': (name) => ({ Ref: name, Arn: arn('logs', `log-group:${name}:*`) }),
  'AWS::Logs::MetricFilter': (name) => ({ Ref: name }),
  'AWS::Scheduler::Schedule': (name, { GroupName = 'default' }, resolve) => ({
    Ref: name,
    // Its group may come later in the template.
    get Arn() {
      return arn('scheduler', `schedule/${resolve(GroupName)}/${name}`);
    },
  }),
  'AWS::Scheduler::ScheduleGroup': (name) => ({ Ref: name, Arn: arn('scheduler', `schedule-group/${name}`) }),
  'AWS::SES::ConfigurationSet': (name) => ({ Ref: name }),
  'AWS::SES::ConfigurationSetEventDestination': (name) => ({ Ref: name }),
  'AWS::SES::EmailIdentity': (name, { EmailIdentity }) => ({
    Ref: EmailIdentity ?? name,
    ...Object.fromEntries(
      [1, 2, 3].flatMap((number) => [
        [`DkimDNSTokenName${number}`, `token${number}._domainkey.${EmailIdentity}`],
        [`DkimDNSTokenValue${number}`, `token${number}.dkim.amazonses.com`],
      ]),
    ),
  }),
  'AWS::SecretsManager::ResourcePolicy': (name) => ({ Ref: name }),
  'AWS::SecretsManager::Secret': (name, { Name }) => {
    const secretName = Name === undefined ? withOneHyphen(name) : name;
    const id = secretArn(secretName);
    return { Ref: id, Id: id, Name: secretName };
  },
  'AWS::SQS::Queue': (name) => ({ Ref: queueUrl(name), Arn: arn('sqs', name), QueueName: name }),
  'AWS::SQS::QueuePolicy': (name) => ({ Ref: name }),
  'AWS::StepFunctions::StateMachine': (name) => ({
    Ref: arn('states', `stateMachine:${name}`),
    Arn: arn('states', `stateMachine:${name}`),
    Name: name,
  }),
  'AWS::WAFv2::WebACL': (name) => ({ Ref: name, Arn: arn('wafv2', `regional/webacl/${name}/1`) }),
  'AWS::WAFv2::WebACLAssociation': (name) => ({ Ref: name }),
};

/** Returns the identity of a version or an alias: its ARN, which is lazy, because the function may come later. */
function qualified(
  FunctionName: unknown,
  qualifier: string,
  resolve: (value: unknown) => unknown,
  attributes: Record<string, string> = {},
): Identity {
  return {
    ...attributes,
    get Ref() {
      return arn('lambda', `function:${resolve(FunctionName)}:${qualifier}`);
    },
  };
}

/** The names that CloudFormation gives secrets are so, and the CDK finds them in ARNs by that. */
function withOneHyphen(name: string): string {
  return name.replace(/-(?=.*-)/g, '');
}

/** The property by which the template may give a resource a name of its own, where its identity bears that. */
const nameProperties: Record<string, string> = {
  'AWS::IAM::Role': 'RoleName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::SQS::Queue': 'QueueName',
  'AWS::Scheduler::Schedule': 'Name',
  'AWS::Scheduler::ScheduleGroup': 'Name',
  'AWS::SecretsManager::Secret': 'Name',
};

/** A synthesized template, and what its references mean on this machine. */
export class Template {
  readonly resources: readonly Resource[];
  readonly outputs: Readonly<Record<string, string>>;
  private readonly identities = new Map<string, Identity>();
  private readonly document: TemplateDocument;
  readonly stackName: string;

  /** @param secretArns by logical ID: the ARNs of secrets that another service has created */
  constructor(
    document: TemplateDocument,
    stackName: string,
    secretArns: ReadonlyMap<string, string> = new Map(),
  ) {
    this.document = document;
    this.stackName = stackName;
    const entries = Object.entries(document.Resources).filter(
      ([, { Type }]) => Type !== 'AWS::CDK::Metadata',
    );
    for (const [logicalId, { Type, Properties = {} }] of entries) {
      const identify = identities[Type];
      if (!identify) throw new Error(`${logicalId}: this machine has no part for ${Type}.`);
      const given = this.resolve(Properties[nameProperties[Type] ?? ''], logicalId);
      const name = String(given ?? `${stackName}-${logicalId}`);
      const identity = identify(name, Properties, (value) => this.resolve(value, logicalId));
      const secretArn = secretArns.get(logicalId);
      this.identities.set(
        logicalId,
        secretArn === undefined ? identity : { ...identity, Ref: secretArn, Id: secretArn },
      );
    }
    this.resources = entries.map(([logicalId, { Type, Properties = {}, Metadata }]) => ({
      logicalId,
      type: Type,
      name:
        String(Metadata?.['aws:cdk:path'] ?? logicalId)
          .split('/')
          .at(-2) ?? logicalId,
      properties: {
        ...(this.resolve(Properties, logicalId) as Properties),
        ...(Metadata?.['aws:asset:path'] !== undefined && { assetPath: Metadata['aws:asset:path'] }),
      },
    }));
    this.outputs = Object.fromEntries(
      Object.entries(document.Outputs ?? {}).map(([name, { Value }]) => [
        name,
        String(this.resolve(Value, name)),
      ]),
    );
  }

  ofType(type: string): Resource[] {
    return this.resources.filter((resource) => resource.type === type);
  }

  /** Returns the same template, in which `Ref` of these secrets resolves to the ARNs that another service gave them. */
  withSecretArns(secretArns: ReadonlyMap<string, string>): Template {
    return new Template(this.document, this.stackName, secretArns);
  }

  /** Returns the name of a secret. */
  secretNameOf({ logicalId }: Resource): string {
    return this.attributeOf(logicalId, 'Name', logicalId);
  }

  /**
   * Returns what callers may invoke: the functions and their aliases.
   *
   * @throws Error if the template has an alias without its function
   */
  get entryPoints(): EntryPoint[] {
    const functions = this.ofType('AWS::Lambda::Function');
    const aliases = this.ofType('AWS::Lambda::Alias').map((resource) => {
      const { logicalId, properties } = resource;
      const lambda = functions.find((one) => this.idOf(one) === properties.FunctionName);
      if (!lambda) throw new Error(`${logicalId}: the alias has no function in the template.`);
      return {
        arn: this.idOf(resource),
        lambda,
        qualifier: properties.Name,
        version: properties.FunctionVersion,
      };
    });
    const latest = '$LATEST';
    return [
      ...functions.map((lambda) => ({
        arn: this.arnOf(lambda),
        lambda,
        qualifier: latest,
        version: latest,
      })),
      ...aliases,
    ];
  }

  /** What `Ref` gives for a resource. */
  idOf({ logicalId }: Resource): string {
    return this.identityOf(logicalId, logicalId).Ref;
  }

  arnOf({ logicalId }: Resource): string {
    return this.attributeOf(logicalId, 'Arn', logicalId);
  }

  private resolve(value: unknown, owner: string): unknown {
    if (Array.isArray(value))
      return value.map((item) => this.resolve(item, owner)).filter((item) => item !== undefined);
    if (typeof value !== 'object' || value === null) return value;
    const [[key, argument] = [undefined, undefined], ...rest] = Object.entries(value);
    if (key !== undefined && rest.length === 0 && (key === 'Ref' || key.startsWith('Fn::')))
      return this.resolveIntrinsic(key, argument, owner);
    return Object.fromEntries(
      Object.entries(value)
        .map(([name, item]) => [name, this.resolve(item, owner)])
        .filter(([, item]) => item !== undefined),
    );
  }

  private resolveIntrinsic(key: string, argument: unknown, owner: string): unknown {
    switch (key) {
      case 'Ref':
        return this.resolveRef(String(argument), owner);
      case 'Fn::GetAtt': {
        const [logicalId, attribute] = argument as [string, string];
        return this.attributeOf(logicalId, attribute, owner);
      }
      case 'Fn::Join': {
        const [separator, parts] = argument as [string, unknown[]];
        return (this.resolve(parts, owner) as string[]).join(separator);
      }
      case 'Fn::Split': {
        const [separator, text] = argument as [string, unknown];
        return String(this.resolve(text, owner)).split(separator);
      }
      case 'Fn::Select': {
        const [index, list] = argument as [number | string, unknown];
        return (this.resolve(list, owner) as unknown[])[Number(index)];
      }
      case 'Fn::Sub':
        return String(argument).replace(/\$\{([^}]+)\}/g, (_, name) => String(this.resolveRef(name, owner)));
      default:
        throw new Error(`${owner}: this machine does not know ${key}.`);
    }
  }

  private resolveRef(name: string, owner: string): unknown {
    const pseudoParameters: Record<string, string | undefined> = {
      'AWS::AccountId': account,
      'AWS::NoValue': undefined,
      'AWS::Partition': 'aws',
      'AWS::Region': region,
      'AWS::StackName': this.stackName,
      'AWS::URLSuffix': 'amazonaws.com',
    };
    return name in pseudoParameters ? pseudoParameters[name] : this.identityOf(name, owner).Ref;
  }

  private attributeOf(logicalId: string, attribute: string, owner: string): string {
    const value = this.identityOf(logicalId, owner)[attribute];
    if (value === undefined)
      throw new Error(`${owner}: this machine does not know ${logicalId}.${attribute}.`);
    return value;
  }

  private identityOf(logicalId: string, owner: string): Identity {
    const identity = this.identities.get(logicalId);
    if (!identity) throw new Error(`${owner}: there is no ${logicalId} in the template.`);
    return identity;
  }
}
