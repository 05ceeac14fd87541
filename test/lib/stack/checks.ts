import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { pageRoutes } from '../../../lambdas/contract/pages.ts';
import { readStage } from '../../../lib/stages.ts';
import { extensions } from '../../support/extensions.ts';
import { largestSettings } from '../../support/other-settings.ts';
import { constructsWith } from '../../support/stack-template.ts';

interface Finding {
  readonly rule: string;
  /** The resource, by its path in the tree of constructs. */
  readonly path: string;
}

const acknowledged: readonly (Finding & { readonly reason: string })[] = [
  {
    rule: 'AwsSolutions-APIG2',
    path: '/Api/RestApi/Resource',
    reason: 'The functions validate requests, so that their responses name each invalid field.',
  },
  ...['AwsSolutions-APIG1', 'Serverless-APIGWAccessLogging'].map((rule) => ({
    rule,
    path: '/Api/RestApi/DeploymentStage.*/Resource',
    reason:
      'The setting accessLogs turns on access logs. They need a role of the account, which a stack must not own.',
  })),
  {
    rule: 'AwsSolutions-APIG3',
    path: '/Api/RestApi/DeploymentStage.*/Resource',
    reason: 'By default, the stage has no web ACL, which costs at least five dollars a month.',
  },
  {
    rule: 'AwsSolutions-APIG6',
    path: '/Api/RestApi/DeploymentStage.*/Resource',
    reason: 'Execution logs would contain headers with credentials.',
  },
  {
    rule: 'AwsSolutions-COG4',
    path: '/Api/RestApi/Default/*',
    reason: 'The service manages its users. The authorizer checks their passwords and access tokens.',
  },
  {
    rule: 'AwsSolutions-APIG4',
    path: '/Api/RestApi/Default/oauth2/v4/token/ANY/Resource',
    reason: 'A client that requests a token has no token yet.',
  },
  {
    rule: 'AwsSolutions-APIG4',
    path: '/Api/RestApi/Default/.well-known/jwks.json/*',
    reason: 'Any client may read the public keys.',
  },
  {
    rule: 'AwsSolutions-APIG4',
    path: '/Api/RestApi/Default/v1/dogs/{dog_id}/mail-subscription/{token}/(GET|HEAD|POST)/Resource',
    reason: 'A recipient of mail has no credentials. The token in the URL authorizes the request.',
  },
  ...pageRoutes.map(({ path }) => ({
    rule: 'AwsSolutions-APIG4',
    path: `/Api/RestApi/Default${path.replace(/\/$/, '')}/(GET|HEAD)/Resource`,
    reason: 'A reader of the API description has no credentials yet.',
  })),
  {
    rule: 'AwsSolutions-IAM5[Resource::*]',
    path: '/*/DefaultPolicy/Resource',
    reason: 'The actions of X-Ray and ListStreams of DynamoDB do not support resource-level permissions.',
  },
  {
    rule: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/dogs-*/*]',
    path: '/*Policy/Resource',
    reason: 'Schedules are named after their dogs. The group belongs to this stage.',
  },
  {
    rule: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]',
    path: '/*/DefaultPolicy/Resource',
    reason: 'In the sandbox, SES also checks the identities of recipients. The sender is a condition.',
  },
  {
    rule: 'AwsSolutions-IAM5[Resource::<*.Arn>:*]',
    path: '/*/DefaultPolicy/Resource',
    reason: 'The workflow or EventBridge Scheduler invokes the versions of one function.',
  },
  // @extension cli {
  {
    rule: 'AwsSolutions-IAM5[Resource::*]',
    path: '/Operator/Policy/Resource',
    reason: 'The actions on the suppression list of SES do not support resource-level permissions.',
  },
  // @extension cli }
  {
    rule: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:cloudformation:<AWS::Region>:<AWS::AccountId>:stack/DogService-*/*]',
    path: '/Operator/Policy/Resource',
    reason: 'CloudFormation appends an unpredictable ID to the name of a stack.',
  },
  // @extension cli {
  {
    rule: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:dynamodb:<AWS::Region>:<AWS::AccountId>:table/DogService-*-restored-*]',
    path: '/Operator/Policy/Resource',
    reason: 'The operator names the tables that a restore creates.',
  },
  // @extension cli }
  ...['AwsSolutions-SF2', 'Serverless-StepFunctionStateMachineXray'].map((rule) => ({
    rule,
    path: '/BarkWorkflow/*StateMachine/Resource',
    reason: 'The setting backgroundTracing traces executions: at least the first of each second.',
  })),
  {
    rule: 'Serverless-LambdaTracing',
    path: '/(BarkWorkflow|BarkSchedules|Purge|Mail|Tokens)/*/Resource',
    reason:
      'The setting backgroundTracing traces background functions: at least the first run of each second.',
  },
  {
    rule: 'AwsSolutions-SF1',
    path: '/BarkWorkflow/StateMachine/Resource',
    reason: 'Step Functions keeps the history of each execution for 90 days.',
  },
  {
    rule: 'AwsSolutions-SF1',
    path: '/BarkWorkflow/Express/StateMachine/Resource',
    reason: 'A log of all events would cost about as much as the executions. The log contains all errors.',
  },
  ...['AwsSolutions-SQS3', 'Serverless-SQSRedrivePolicy'].map((rule) => ({
    rule,
    path: '/*/Resource',
    reason: 'Each queue is itself a dead-letter queue, and has an alarm.',
  })),
  {
    rule: 'AwsSolutions-SMG4',
    path: '/Tokens/*',
    reason:
      'Rotation is too slow for credentials that expire in an hour. The operator replaces keys without a gap.',
  },
  {
    rule: 'Serverless-LambdaDLQ',
    path: '/*/Resource',
    reason:
      'Functions that are invoked asynchronously have a destination for failures. The others respond to their caller.',
  },
  {
    rule: 'Serverless-EventBusDLQ',
    path: '/Mail/(Feedback|Report)Rule/Resource',
    reason: 'The target of the rule is a queue.',
  },
  ...extensions.flatMap(({ acknowledged = [] }) => acknowledged),
];

const usual = findingsOf({});
const largest = findingsOf(largestSettings);

test.each<[string, Finding[]]>([
  ['the default stack', usual],
  ['the stage test', findingsOf(readStage('test').settings)],
  ['the stage prod', findingsOf(readStage('prod').settings)],
  ['the largest stack', largest],
])('cdk-nag reports only acknowledged findings in %s', (_, findings) => {
  const unexpected = findings.filter((finding) => !acknowledged.some((one) => fits(one, finding)));
  expect(unexpected).toEqual([]);
});

test.each(acknowledged)('cdk-nag reports $rule, which is acknowledged: $reason', (acknowledgement) => {
  expect([...usual, ...largest].filter((finding) => fits(acknowledgement, finding))).not.toEqual([]);
});

function findingsOf(settings: Parameters<typeof constructsWith>[0]): Finding[] {
  const stack = constructsWith(settings);
  return [new AwsSolutionsChecks(), new ServerlessChecks()]
    .flatMap((checks) => checks.validateScope(stack).violations)
    .flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath = '' }) => ({
        rule: ruleName,
        path: constructPath.replace(stack.node.path, ''),
      })),
    );
}

function fits(acknowledgement: Finding, finding: Finding): boolean {
  return matches(acknowledgement.rule, finding.rule) && matches(acknowledgement.path, finding.path);
}

/** Returns true if a text matches a pattern, in which `*` matches any text and `(a|b)` matches a or b. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(text);
}
