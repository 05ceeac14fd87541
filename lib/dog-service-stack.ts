import { Annotations, CfnOutput, RemovalPolicy, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type RouteName, routes } from '../lambdas/routes.ts';
import { Api } from './api.ts';
import { BarkSchedules } from './bark-schedules.ts';
import { BarkWorkflow } from './bark-workflow.ts';
import { addBudget } from './budget.ts';
import { bundle } from './bundles.ts';
import { DeadLetters } from './dead-letters.ts';
import { Encryption } from './encryption.ts';
import { Firewall } from './firewall.ts';
import { Mail } from './mail.ts';
import { Monitoring } from './monitoring.ts';
import { Purge } from './purge.ts';
import type { FunctionDefaults } from './service-function.ts';
import { exampleSender, type Settings } from './settings.ts';
import { type TableAccess, Tables } from './tables.ts';
import { Tokens } from './tokens.ts';

/** What each route does with the tables, and nothing that it does not do. */
const tableAccess: Record<RouteName, TableAccess> = {
  ListDogs: { dogs: ['Scan'] },
  GetDog: { dogs: ['GetItem'], barks: ['Query'] },
  PutDog: { dogs: ['GetItem', 'UpdateItem'] },
  PatchDog: { dogs: ['GetItem', 'UpdateItem'], barks: ['GetItem', 'PutItem', 'UpdateItem'] },
  DeleteDog: { dogs: ['DeleteItem', 'GetItem'] },
  PostBarks: { dogs: ['GetItem', 'UpdateItem'], barks: ['PutItem'] },
  ListBarks: { dogs: ['GetItem'], barks: ['Query'] },
  GetBark: { dogs: ['GetItem'], barks: ['GetItem'] },
  DeleteBark: { dogs: ['GetItem'], barks: ['DeleteItem', 'GetItem', 'UpdateItem'] },
  PostBarkSchedule: { dogs: ['GetItem', 'UpdateItem'], barks: ['GetItem', 'PutItem', 'UpdateItem'] },
  GetBarkSchedule: { dogs: ['GetItem'] },
  DeleteBarkSchedule: { dogs: ['GetItem', 'UpdateItem'] },
  PostLastBark: { dogs: ['GetItem', 'UpdateItem'], barks: ['PutItem'] },
  GetLastBark: { dogs: ['GetItem'], barks: ['Query'] },
  DeleteLastBark: { dogs: ['GetItem'] },
  IssueToken: { access: ['GetItem'] },
  GetKeys: { access: ['GetItem'] },
};

/** The modules that are functions of the service. */
export const entries = [
  ...routes.map(({ entry }) => entry),
  'api/fallback.ts',
  'jobs/authorizer.ts',
  'jobs/bark-on-schedule.ts',
  'jobs/give-up-bark.ts',
  'jobs/purge-dog.ts',
  'jobs/refresh-credentials.ts',
  'jobs/take-effect.ts',
];

/** The whole service. */
export class DogServiceStack extends Stack {
  constructor(scope: Construct, id: string, settings: Settings, props?: StackProps) {
    super(scope, id, { description: 'REST actions without verbs: a dog that barks', ...props });
    if (settings.mailSender === exampleSender)
      Annotations.of(this).addWarningV2(
        'dogs:mailSender',
        `No mail can be sent from ${exampleSender}: set mailSender in cdk.json to an address that SES has verified.`,
      );

    const bundles = bundle(entries);
    const removalPolicy = settings.deletionProtection
      ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
      : RemovalPolicy.DESTROY;
    const defaults: FunctionDefaults = { ...settings, bundleOf: (entry) => bundles.get(entry) ?? '' };

    const encryption = new Encryption(this, 'Encryption', settings.encryptionKeyArn);
    const tables = new Tables(this, 'Tables', encryption, {
      deletionProtection: settings.deletionProtection,
      removalPolicy,
    });
    const api = new Api(this, 'Api', settings, defaults);
    for (const { name } of routes) tables.allow(api.functionOf(name), tableAccess[name]);
    tables.allow(api.authorizer, { access: ['GetItem'] });
    const workflow = new BarkWorkflow(this, 'BarkWorkflow', settings.cancellationWindowSeconds, defaults);
    const schedules = new BarkSchedules(this, 'BarkSchedules', { ...settings, removalPolicy }, defaults);

    for (const route of ['PostBarks', 'PostLastBark'] as const) workflow.allowStart(api.functionOf(route));
    workflow.allowStop(api.functionOf('DeleteBark'));
    tables.allow(workflow.takeEffect, {
      dogs: ['GetItem', 'UpdateItem'],
      barks: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
    });
    tables.allow(workflow.giveUp, { barks: ['DeleteItem', 'GetItem', 'UpdateItem'] });

    for (const route of ['PatchDog', 'PostBarkSchedule'] as const) schedules.allowSet(api.functionOf(route));
    tables.allow(schedules.target, {
      dogs: ['GetItem', 'UpdateItem'],
      barks: ['GetItem', 'PutItem', 'UpdateItem'],
    });
    const purge = new Purge(this, 'Purge', tables, defaults);
    for (const lambda of [api.functionOf('DeleteBarkSchedule'), schedules.target, purge.lambda])
      schedules.allowDelete(lambda);

    const mailers = (['PatchDog', 'PostBarks', 'PostBarkSchedule', 'PostLastBark'] as const).map((route) =>
      api.functionOf(route),
    );
    const mail = new Mail(this, 'Mail', settings);
    for (const lambda of [...mailers, workflow.takeEffect, schedules.target]) mail.allow(lambda);

    const baseUrl = settings.baseUrl || (settings.domainName && api.baseUrl);
    const tokens = new Tokens(this, 'Tokens', { ...settings, baseUrl, encryption, removalPolicy }, defaults);
    tokens.allowSign(api.functionOf('IssueToken'));
    tokens.allowVerify(api.authorizer);

    if (settings.firewallRequestsPerAddress > 0)
      new Firewall(this, 'Firewall', {
        requestsPerAddress: settings.firewallRequestsPerAddress,
        stage: api.restApi.deploymentStage,
      });
    if (settings.monthlyBudgetDollars > 0)
      addBudget(this, 'Budget', { ...settings, dollars: settings.monthlyBudgetDollars });
    new Monitoring(this, 'Monitoring', settings, {
      api: api.restApi,
      workflow: workflow.stateMachine,
      scheduleGroupName: schedules.group.scheduleGroupName,
      tables: { Dogs: tables.dogs, Barks: tables.barks, Access: tables.access },
      jobs: [
        api.authorizer,
        workflow.takeEffect,
        workflow.giveUp,
        schedules.target,
        purge.lambda,
        tokens.refreshCredentials,
      ],
    });
    for (const [name, value] of Object.entries(settings.tags)) Tags.of(this).add(name, value);

    new CfnOutput(this, 'BaseUrl', { value: api.baseUrl, description: 'Where clients call the service' });
    new CfnOutput(this, 'DogsTable', { value: tables.dogs.tableName });
    new CfnOutput(this, 'BarksTable', { value: tables.barks.tableName });
    new CfnOutput(this, 'AccessTable', { value: tables.access.tableName });
    for (const [name, value] of Object.entries({ ...schedules.outputs, ...tokens.outputs }))
      new CfnOutput(this, name, { value });
    new CfnOutput(this, 'Queues', { value: this.toJsonString(this.queues()) });
  }

  /** What could not be done, and the function that each queue's messages are for. */
  private queues(): object[] {
    return this.node
      .findAll()
      .filter((construct) => construct instanceof DeadLetters)
      .map(({ node, queueUrl, lambda }) => ({
        name: node.id,
        url: queueUrl,
        ...(lambda && { function: lambda.functionName }),
      }));
  }
}
