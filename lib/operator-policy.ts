import { CfnOutput, Stack } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { grantResourceCommands } from './command-permissions.ts'; // @extension cli
import type { Encryption } from './encryption.ts';
import type { Tables } from './tables.ts';
import type { Tokens } from './tokens.ts';

interface Operated {
  readonly tables: Tables;
  readonly tokens: Tokens;
  readonly encryption: Encryption;
}

/**
 * Two policies, because the ARNs of all resources, including the secrets of up to ten credentials, do not fit into the
 * 6,144 characters of a single policy. Create this construct after all queues.
 */
export class OperatorPolicy extends Construct {
  private readonly policy: ManagedPolicy;

  constructor(scope: Construct, id: string, { tables, tokens, encryption }: Operated) {
    super(scope, id);
    const stack = Stack.of(this);
    this.policy = new ManagedPolicy(this, 'Policy', {
      description: `Permissions for the operator commands on ${stack.stackName}`,
    });
    const secretsPolicy = new ManagedPolicy(this, 'SecretsPolicy', {
      description: `Permissions for the operator commands on the secrets of ${stack.stackName}`,
    });
    const stackArn = stack.formatArn({
      service: 'cloudformation',
      resource: 'stack',
      resourceName: `${stack.stackName}/*`,
    });
    this.grant(['cloudformation:DescribeStacks'], [stackArn]);
    const { tableArn } = tables.access;
    // In this order, the CDK merges the statements into the fewest.
    this.grant(['dynamodb:PutItem'], [tableArn]);
    grantResourceCommands(this.policy, tables); // @extension cli
    const actions = [
      'ConditionCheckItem',
      'DeleteItem', // @extension cli|verify
      'GetItem',
      'UpdateItem',
    ];
    this.grant(
      actions.map((action) => `dynamodb:${action}`),
      [tableArn],
    );
    secretsPolicy.addStatements(
      new PolicyStatement({
        actions: ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
        resources: tokens.secretArns,
      }),
    );
    encryption.grantOperator(this.policy);
    new CfnOutput(this, 'OperatorPolicies', {
      key: 'OperatorPolicies',
      value: [this.policy, secretsPolicy].map(({ managedPolicyArn }) => managedPolicyArn).join(' '),
      description: 'The managed policies with the permissions of the operator commands',
    });
  }

  grant(actions: string[], resources: string[]): void {
    this.policy.addStatements(new PolicyStatement({ actions, resources }));
  }
}
