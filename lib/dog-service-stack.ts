import { Annotations, CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type RouteName, routes } from '../lambdas/routes.ts';
import { Api } from './api.ts';
import { BarkWorkflow } from './bark-workflow.ts';
import { bundle } from './bundles.ts';
import { allowMail } from './mail.ts';
import { Purge } from './purge.ts';
import type { FunctionDefaults } from './service-function.ts';
import { exampleSender, type Settings } from './settings.ts';
import { type TableAccess, Tables } from './tables.ts';

/** What each route does with the tables, and nothing that it does not do. */
const tableAccess: Record<RouteName, TableAccess> = {
  ListDogs: { dogs: ['Scan'] },
  GetDog: { dogs: ['GetItem'], barks: ['Query'] },
  PutDog: { dogs: ['GetItem', 'UpdateItem'] },
  DeleteDog: { dogs: ['DeleteItem', 'GetItem'] },
  PostBarks: { dogs: ['GetItem', 'UpdateItem'], barks: ['PutItem'] },
  ListBarks: { dogs: ['GetItem'], barks: ['Query'] },
  GetBark: { dogs: ['GetItem'], barks: ['GetItem'] },
  DeleteBark: { dogs: ['GetItem'], barks: ['DeleteItem', 'GetItem', 'UpdateItem'] },
};

/** The modules that are functions of the service. */
export const entries = [
  ...routes.map(({ entry }) => entry),
  'api/fallback.ts',
  'jobs/authorizer.ts',
  'jobs/give-up-bark.ts',
  'jobs/purge-dog.ts',
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
    const removalPolicy = settings.deletionProtection ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const defaults: FunctionDefaults = { ...settings, bundleOf: (entry) => bundles.get(entry) ?? '' };

    const tables = new Tables(this, 'Tables', {
      deletionProtection: settings.deletionProtection,
      removalPolicy,
    });
    const api = new Api(this, 'Api', settings, defaults);
    for (const { name } of routes) tables.allow(api.functionOf(name), tableAccess[name]);
    tables.allow(api.authorizer, { access: ['GetItem'] });
    allowMail(api.functionOf('PostBarks'), settings.mailSender);
    const workflow = new BarkWorkflow(this, 'BarkWorkflow', settings.cancellationWindowSeconds, defaults);
    workflow.allowStart(api.functionOf('PostBarks'));
    workflow.allowStop(api.functionOf('DeleteBark'));
    allowMail(workflow.takeEffect, settings.mailSender);
    tables.allow(workflow.takeEffect, {
      dogs: ['GetItem', 'UpdateItem'],
      barks: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
    });
    tables.allow(workflow.giveUp, { barks: ['DeleteItem', 'GetItem', 'UpdateItem'] });
    new Purge(this, 'Purge', tables, defaults);

    new CfnOutput(this, 'BaseUrl', { value: api.baseUrl, description: 'Where clients call the service' });
    new CfnOutput(this, 'DogsTable', { value: tables.dogs.tableName });
    new CfnOutput(this, 'BarksTable', { value: tables.barks.tableName });
    new CfnOutput(this, 'AccessTable', { value: tables.access.tableName });
  }
}
