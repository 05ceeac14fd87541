import { Annotations, CfnOutput, RemovalPolicy, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type RouteName, routes } from '../lambdas/contract/routes.ts';
import { Api } from './api.ts';
import { BarkSchedules } from './bark-schedules.ts';
import { BarkWorkflow } from './bark-workflow.ts';
import { addBudget } from './budget.ts';
import { bundle, type FilesOfEntries } from './bundles.ts';
import { constructsOf } from './constructs.ts';
import { DeadLetters } from './dead-letters.ts';
import { Encryption } from './encryption.ts';
import { Firewall } from './firewall.ts';
import { Mail } from './mail.ts';
import { Monitoring } from './monitoring.ts';
import { OperatorPolicy } from './operator-policy.ts';
import { Purge } from './purge.ts';
import { Releases } from './releases.ts';
import type { FunctionDefaults } from './service-function.ts';
import { exampleSender, type Settings } from './settings.ts';
import { type TableAccess, Tables } from './tables.ts';
import { Tokens } from './tokens.ts';

/** What each route does with the tables, and nothing that it does not do. */
const tableAccess: Record<RouteName, TableAccess> = {
  ListDogs: { dogs: ['Scan'] },
  GetDog: { dogs: ['GetItem'], barks: ['Query'] },
  PutDog: { dogs: ['GetItem', 'UpdateItem'] },
  PatchDog: {
    dogs: ['ConditionCheckItem', 'GetItem', 'UpdateItem'],
    barks: ['GetItem', 'PutItem', 'UpdateItem'],
  },
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
  GetConsole: {},
  GetOpenApi: {},
  GetDocs: {},
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

/** The whole service. The caller passes the pages, because the stack does not know how the interface is described. */
export class DogServiceStack extends Stack {
  constructor(scope: Construct, id: string, settings: Settings, pages: FilesOfEntries, props?: StackProps) {
    super(scope, id, {
      description: 'REST actions without verbs: a dog that barks',
      terminationProtection: settings.deletionProtection,
      ...props,
    });
    this.warnOfSender(settings);
    const bundles = bundle(entries, pages);
    const removalPolicy = settings.deletionProtection
      ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
      : RemovalPolicy.DESTROY;
    const encryption = new Encryption(this, 'Encryption', settings.encryptionKeyArn);
    const defaults: FunctionDefaults = {
      ...settings,
      encryption,
      bundleOf: (entry) => bundles.get(entry) ?? '',
    };

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
    for (const route of ['DeleteBark', 'PostBarks', 'PostLastBark'] as const)
      workflow.allowStop(api.functionOf(route));
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
    const purge = new Purge(this, 'Purge', { tables, concurrency: settings.purgeConcurrency }, defaults);
    for (const lambda of [api.functionOf('DeleteBarkSchedule'), schedules.target, purge.lambda])
      schedules.allowDelete(lambda);

    const mailers = (['PatchDog', 'PostBarks', 'PostBarkSchedule', 'PostLastBark'] as const).map((route) =>
      api.functionOf(route),
    );
    const mail = new Mail(this, 'Mail', { ...settings, removalPolicy, encryption });
    for (const lambda of [...mailers, workflow.takeEffect, schedules.target]) mail.allow(lambda);

    // The API's own URL would make its functions depend on it, and it on them; a name that it was given would not.
    const issuer = settings.baseUrl || (settings.domainName && api.baseUrl);
    const tokens = new Tokens(this, 'Tokens', { ...settings, baseUrl: issuer, removalPolicy }, defaults);
    tokens.allowSign(api.functionOf('IssueToken'));
    tokens.allowVerify(api.authorizer);

    this.addWhatSettingsAsk(settings, api);
    const monitoring = new Monitoring(this, 'Monitoring', settings, {
      api: api.restApi,
      workflow: workflow.stateMachine,
      scheduleGroup: schedules.group,
      tables: { Dogs: tables.dogs, Barks: tables.barks, Access: tables.access },
      jobs: [workflow.takeEffect, workflow.giveUp, schedules.target, purge.lambda, tokens.refreshCredentials],
      purge: purge.lambda,
    });
    if (settings.releases === 'canary') new Releases(this, 'Releases', monitoring.ofReleases);
    new OperatorPolicy(this, 'Operator', { tables, schedules, tokens, encryption });
    this.addOutputs({
      BaseUrl: settings.baseUrl || api.baseUrl,
      DogsTable: tables.dogs.tableName,
      BarksTable: tables.barks.tableName,
      AccessTable: tables.access.tableName,
      Queues: this.toJsonString(this.queues()),
      ...schedules.outputs,
      ...tokens.outputs,
    });
  }

  private warnOfSender({ mailSender }: Settings): void {
    if (mailSender === exampleSender)
      Annotations.of(this).addWarningV2(
        'dogs:mailSender',
        `No mail can be sent from ${exampleSender}: set mailSender in cdk.json to an address that SES has verified.`,
      );
  }

  /** What there is only if the settings say so. */
  private addWhatSettingsAsk(settings: Settings, { restApi }: Api): void {
    const { firewallRequestsPerAddress: requestsPerAddress, monthlyBudgetDollars: dollars, tags } = settings;
    if (requestsPerAddress > 0)
      new Firewall(this, 'Firewall', { requestsPerAddress, stage: restApi.deploymentStage });
    if (dollars > 0) addBudget(this, 'Budget', { ...settings, dollars });
    for (const [name, value] of Object.entries(tags)) Tags.of(this).add(name, value);
  }

  /** What the operator's command line needs to know of the stack. */
  private addOutputs(outputs: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }

  /** What could not be done, and the function that each queue's messages are for. */
  private queues(): object[] {
    return constructsOf(this, DeadLetters).map(({ node, queueUrl, lambda }) => ({
      name: node.id,
      url: queueUrl,
      ...(lambda && { function: lambda.entryPoint.functionName }),
    }));
  }
}
