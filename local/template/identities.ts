import { account, arn, queueUrl, region, secretArn, streamArn } from './arns.ts';
import type { Properties } from './resource.ts';

/** Resolves the references in a value. */
type Resolve = (value: unknown) => unknown;

/** The values of `Ref` and `Fn::GetAtt` for a resource. */
export interface Identity {
  readonly Ref: string;
  readonly [attribute: string]: string;
}

/**
 * Returns the identity of a resource.
 *
 * @param defaultName the name of the resource if no property sets it
 * @param properties the properties, with unresolved references
 * @throws Error if the local cloud does not support the type, or a reference in the name of the resource
 */
export function identityOf(
  logicalId: string,
  type: string,
  properties: Properties,
  { defaultName, resolve }: { readonly defaultName: string; readonly resolve: Resolve },
): Identity {
  const identify = identities[type];
  if (!identify) throw new Error(`${logicalId}: the local cloud does not support ${type}.`);
  const name = resolve(properties[nameProperties[type] ?? '']) ?? defaultName;
  return identify(String(name), properties, resolve);
}

/**
 * The supported resource types, with their identities. The local cloud refuses a template with any other type, because it
 * would otherwise run the template without that resource.
 */
const identities: Record<string, (name: string, properties: Properties, resolve: Resolve) => Identity> = {
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
  'AWS::Events::EventBus': (name) => ({ Ref: name, Arn: arn('events', `event-bus/${name}`), Name: name }),
  'AWS::Events::Rule': (name) => ({ Ref: name, Arn: arn('events', `rule/${name}`) }),
  'AWS::IAM::ManagedPolicy': (name) => ({ Ref: `arn:aws:iam::${account}:policy/${name}` }),
  'AWS::IAM::Policy': (name) => ({ Ref: name }),
  'AWS::IAM::Role': (name) => ({ Ref: name, Arn: `arn:aws:iam::${account}:role/${name}` }),
  'AWS::Lambda::Alias': (_, { FunctionName, Name }, resolve) => qualified(FunctionName, Name, resolve),
  'AWS::Lambda::EventInvokeConfig': (name) => ({ Ref: name }),
  'AWS::Lambda::EventSourceMapping': (name) => ({ Ref: name }),
  'AWS::Lambda::Function': (name) => ({ Ref: name, Arn: arn('lambda', `function:${name}`) }),
  'AWS::Lambda::Permission': (name) => ({ Ref: name }),
  // The local cloud runs only the current code of a function, so each function has only one version.
  'AWS::Lambda::Version': (_, { FunctionName }, resolve) =>
    qualified(FunctionName, '1', resolve, { Version: '1' }),
  'AWS::Logs::LogGroup': (name) => ({ Ref: name, Arn: arn('logs', `log-group:${name}:*`) }),
  'AWS::Logs::MetricFilter': (name) => ({ Ref: name }),
  'AWS::Logs::ResourcePolicy': (name) => ({ Ref: name }),
  'AWS::Scheduler::Schedule': (name, { GroupName = 'default' }, resolve) => ({
    Ref: name,
    // Lazy, because the group can come later in the template.
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

/** Returns the identity of a version or an alias. The ARN is lazy, because the function can come later in the template. */
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

/** Removes all hyphens but the last one. The CDK expects a generated name of a secret to have exactly one hyphen. */
function withOneHyphen(name: string): string {
  return name.replace(/-(?=.*-)/g, '');
}

/** The property that sets the name of a resource, by type. For all other types, `identityOf` uses the default name. */
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
