import { Stack } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { type ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BarkSchedules } from './bark-schedules.ts';
import { constructsOf } from './constructs.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { Tables } from './tables.ts';

/** Permits the commands for users, clients, grants, schedules, addresses, queues, tables and orphans. */
export function grantResourceCommands(policy: ManagedPolicy, tables: Tables): void {
  const stack = Stack.of(policy);
  const grant = (actions: string[], resources: string[]) =>
    policy.addStatements(new PolicyStatement({ actions, resources }));
  const grantOn = (table: Table, ...actions: string[]) =>
    grant(
      actions.map((action) => `dynamodb:${action}`),
      [table.tableArn],
    );
  // `tables fill` and `tables protect` need these permissions on every table.
  for (const table of [tables.access, tables.dogs, tables.barks])
    grantOn(table, 'DescribeTable', 'PutItem', 'UpdateTable');
  grantOn(tables.access, 'Scan');
  grantOn(tables.dogs, 'GetItem', 'Scan', 'UpdateItem');
  grantOn(tables.barks, 'DeleteItem', 'Query', 'Scan');
  const restored = stack.formatArn({
    service: 'dynamodb',
    resource: 'table',
    resourceName: `${stack.stackName}-restored-*`,
  });
  grant(['dynamodb:DescribeTable', 'dynamodb:Scan'], [restored]);
  const streams = [tables.dogs, tables.barks].flatMap(({ tableStreamArn }) => tableStreamArn ?? []);
  grant(['dynamodb:GetRecords', 'dynamodb:GetShardIterator'], streams);
  // SES supports no resource-level permissions for these actions.
  grant(
    ['ses:DeleteSuppressedDestination', 'ses:GetSuppressedDestination', 'ses:ListSuppressedDestinations'],
    ['*'],
  );
  for (const schedules of constructsOf(policy, BarkSchedules))
    policy.addStatements(...schedules.createStatements(), schedules.deleteStatement());
  const queues = constructsOf(policy, DeadLetterQueue);
  grant(
    ['sqs:ChangeMessageVisibility', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
    queues.map(({ queueArn }) => queueArn),
  );
  const functions = queues.flatMap(({ lambda }) => (lambda ? [lambda.entryPoint.functionArn] : []));
  grant(['lambda:InvokeFunction'], [...new Set(functions)]);
}
