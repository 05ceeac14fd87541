import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { BarkSchedules } from './bark-schedules.ts';
import { constructsOf } from './constructs.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { Encryption } from './encryption.ts';
import type { Tables } from './tables.ts';
import type { Tokens } from './tokens.ts';

export interface Operated {
  readonly tables: Tables;
  readonly schedules: BarkSchedules;
  readonly tokens: Tokens;
  readonly encryption: Encryption;
}

/**
 * Two policies, because the ARNs of all resources, including the secrets of up to ten credentials, do not fit into the
 * 6,144 characters of a single policy. Create this construct after all queues.
 */
export class OperatorPolicy extends Construct {
  private readonly policy: ManagedPolicy;

  constructor(scope: Construct, id: string, { tables, schedules, tokens, encryption }: Operated) {
    super(scope, id);
    const stack = Stack.of(this);
    const policy = new ManagedPolicy(this, 'Policy', {
      description: `Permissions for the operator commands on ${stack.stackName}`,
    });
    const secretsPolicy = new ManagedPolicy(this, 'SecretsPolicy', {
      description: `Permissions for the operator commands on the secrets of ${stack.stackName}`,
    });
    this.policy = policy;

    const stackArn = stack.formatArn({
      service: 'cloudformation',
      resource: 'stack',
      resourceName: `${stack.stackName}/*`,
    });
    this.grant(['cloudformation:DescribeStacks'], [stackArn]);
    const grantOn = (table: Table, ...actions: string[]) =>
      this.grant(
        actions.map((action) => `dynamodb:${action}`),
        [table.tableArn],
      );
    // `tables fill` and `tables protect` need these permissions on every table.
    for (const table of [tables.access, tables.dogs, tables.barks])
      grantOn(table, 'DescribeTable', 'PutItem', 'UpdateTable');
    grantOn(tables.access, 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'Scan', 'UpdateItem');
    grantOn(tables.dogs, 'GetItem', 'Scan', 'UpdateItem');
    grantOn(tables.barks, 'DeleteItem', 'Query', 'Scan');
    const restored = stack.formatArn({
      service: 'dynamodb',
      resource: 'table',
      resourceName: `${stack.stackName}-restored-*`,
    });
    this.grant(['dynamodb:DescribeTable', 'dynamodb:Scan'], [restored]);
    const streams = [tables.dogs, tables.barks].flatMap(({ tableStreamArn }) => tableStreamArn ?? []);
    this.grant(['dynamodb:GetRecords', 'dynamodb:GetShardIterator'], streams);
    secretsPolicy.addStatements(
      new PolicyStatement({
        actions: ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
        resources: tokens.secretArns,
      }),
    );
    // SES supports no resource-level permissions for these actions.
    this.grant(
      ['ses:DeleteSuppressedDestination', 'ses:GetSuppressedDestination', 'ses:ListSuppressedDestinations'],
      ['*'],
    );
    policy.addStatements(...schedules.createStatements(), schedules.deleteStatement());
    this.grantQueues();
    encryption.grantOperator(policy);
    new CfnOutput(this, 'OperatorPolicies', {
      key: 'OperatorPolicies',
      value: [policy, secretsPolicy].map(({ managedPolicyArn }) => managedPolicyArn).join(' '),
      description: 'The managed policies with the permissions of the operator commands',
    });
  }

  grant(actions: string[], resources: string[]): void {
    this.policy.addStatements(new PolicyStatement({ actions, resources }));
  }

  private grantQueues(): void {
    const queues = constructsOf(this, DeadLetterQueue);
    this.grant(
      ['sqs:ChangeMessageVisibility', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
      queues.map(({ queueArn }) => queueArn),
    );
    const functions = queues.flatMap(({ lambda }) => (lambda ? [lambda.entryPoint.functionArn] : []));
    this.grant(['lambda:InvokeFunction'], [...new Set(functions)]);
  }
}
