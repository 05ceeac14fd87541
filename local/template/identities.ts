import { account, arn, queueUrl, region, secretArn, streamArn } from './arns.ts';
import type { Properties } from './resource.ts';

type Resolve = (value: unknown) => unknown;

/** The values of `Ref` and `Fn::GetAtt` for a resource. */
export interface Identity {
  readonly Ref: string;
  readonly [attribute: string]: string;
}

/**
 * @param defaultName the name of the resource if no property sets it
 * @throws Error if the type is unknown, because the template must not run without that resource
 */
export function identityOf(
  logicalId: string,
  type: string,
  properties: Properties,
  { defaultName, resolve }: { readonly defaultName: string; readonly resolve: Resolve },
): Identity {
  const name = String(resolve(properties[nameProperties[type] ?? '']) ?? defaultName);
  const [, service = '', kind = ''] = type.split('::');
  if (plainTypes[service]?.split(' ').includes(kind)) return { Ref: name };
  const arnOf = arns[type];
  if (arnOf) return { Ref: name, Arn: arnOf(name) };
  const identify = identities[type];
  if (!identify) throw new Error(`${logicalId}: the local cloud does not support ${type}.`);
  return identify(name, properties, resolve);
}

/** The types for which only `Ref` is supported, by service. */
const plainTypes: Record<string, string> = {
  ApiGateway: 'Authorizer BasePathMapping Deployment GatewayResponse Method Resource',
  Budgets: 'Budget',
  CloudWatch: 'Dashboard',
  CodeDeploy: 'Application DeploymentGroup',
  IAM: 'Policy',
  Lambda: 'EventInvokeConfig EventSourceMapping Permission',
  Logs: 'MetricFilter ResourcePolicy',
  SES: 'ConfigurationSet ConfigurationSetEventDestination',
  SecretsManager: 'ResourcePolicy',
  SQS: 'QueuePolicy',
  WAFv2: 'WebACLAssociation',
  XRay: 'SamplingRule',
};

/** The ARNs of the types for which only `Arn` and `Ref`, the name of the resource, are supported. */
const arns: Record<string, (name: string) => string> = {
  'AWS::CloudWatch::Alarm': (name) => arn('cloudwatch', `alarm:${name}`),
  'AWS::Events::EventBus': (name) => arn('events', `event-bus/${name}`),
  'AWS::Events::Rule': (name) => arn('events', `rule/${name}`),
  'AWS::IAM::Role': (name) => `arn:aws:iam::${account}:role/${name}`,
  'AWS::Lambda::Function': (name) => arn('lambda', `function:${name}`),
  'AWS::Logs::LogGroup': (name) => arn('logs', `log-group:${name}:*`),
  'AWS::Scheduler::ScheduleGroup': (name) => arn('scheduler', `schedule-group/${name}`),
  'AWS::WAFv2::WebACL': (name) => arn('wafv2', `regional/webacl/${name}/1`),
};

/** All other supported types. */
const identities: Record<string, (name: string, properties: Properties, resolve: Resolve) => Identity> = {
  'AWS::ApiGateway::DomainName': (_, { DomainName }) => ({
    Ref: DomainName,
    RegionalDomainName: `d-local.execute-api.${region}.amazonaws.com`,
  }),
  'AWS::ApiGateway::RestApi': (name) => ({ Ref: name, RootResourceId: `${name}-root` }),
  'AWS::ApiGateway::Stage': (_, { StageName }) => ({ Ref: StageName }),
  'AWS::DynamoDB::Table': (name) => ({
    Ref: name,
    Arn: arn('dynamodb', `table/${name}`),
    StreamArn: streamArn(name),
  }),
  'AWS::IAM::ManagedPolicy': (name) => ({ Ref: `arn:aws:iam::${account}:policy/${name}` }),
  'AWS::Lambda::Alias': (_, { FunctionName, Name }, resolve) => qualified(FunctionName, Name, resolve),
  // The local cloud runs only the current code of a function, so each function has only one version.
  'AWS::Lambda::Version': (_, { FunctionName }, resolve) =>
    qualified(FunctionName, '1', resolve, { Version: '1' }),
  'AWS::Scheduler::Schedule': (name, { GroupName = 'default' }, resolve) => ({
    Ref: name,
    // Lazy, because the group can come later in the template.
    get Arn() {
      return arn('scheduler', `schedule/${resolve(GroupName)}/${name}`);
    },
  }),
  'AWS::SES::EmailIdentity': (_, { EmailIdentity }) => ({
    Ref: EmailIdentity,
    ...Object.fromEntries(
      [1, 2, 3].flatMap((number) => [
        [`DkimDNSTokenName${number}`, `token${number}._domainkey.${EmailIdentity}`],
        [`DkimDNSTokenValue${number}`, `token${number}.dkim.amazonses.com`],
      ]),
    ),
  }),
  'AWS::SecretsManager::Secret': (name, { Name }) => {
    const secretName = Name === undefined ? withOneHyphen(name) : name;
    return { Ref: secretArn(secretName), Name: secretName };
  },
  'AWS::SQS::Queue': (name) => ({ Ref: queueUrl(name), Arn: arn('sqs', name), QueueName: name }),
  'AWS::StepFunctions::StateMachine': (name) => {
    const id = arn('states', `stateMachine:${name}`);
    return { Ref: id, Arn: id };
  },
};

/** `Ref` is lazy, because the function can come later in the template. */
function qualified(
  FunctionName: unknown,
  qualifier: string,
  resolve: Resolve,
  attributes: Record<string, string> = {},
): Identity {
  return {
    ...attributes,
    get Ref() {
      return arn('lambda', `function:${resolve(FunctionName)}:${qualifier}`);
    },
  };
}

/** The CDK expects a secret's generated name to have exactly one hyphen. */
function withOneHyphen(name: string): string {
  return name.replace(/-(?=.*-)/g, '');
}

/** The property that sets the name of a resource, by type. */
const nameProperties: Record<string, string> = {
  'AWS::Events::EventBus': 'Name',
  'AWS::IAM::Role': 'RoleName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::SQS::Queue': 'QueueName',
  'AWS::Scheduler::Schedule': 'Name',
  'AWS::Scheduler::ScheduleGroup': 'Name',
  'AWS::SecretsManager::Secret': 'Name',
};
