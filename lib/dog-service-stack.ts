import { Annotations, CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Api } from './api.ts';
import { BarkSchedules } from './bark-schedules.ts';
import { BarkWorkflow } from './bark-workflow.ts';
import { bundle, type FilesOfEntries } from './bundles.ts';
import { constructsOf } from './constructs.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { Encryption } from './encryption.ts';
import { entries } from './entries.ts';
import { Events } from './extensions/events.ts'; // @extension events
import { addExtensions } from './extensions.ts'; // @extension budget|canary|events|firewall|waiting
import { Limits } from './limits.ts';
import { Mail } from './mail.ts';
import { Monitoring } from './monitoring.ts';
import { OperatorPolicy } from './operator-policy.ts';
import { Purge } from './purge.ts';
import { type FunctionDefaults, ServiceFunction } from './service-function.ts';
import { exampleSender, type Settings } from './settings.ts';
import { fileOf } from './stages.ts';
import { Tables } from './tables.ts';
import { Tokens } from './tokens.ts';

/** `pages` are the console, the API reference and the OpenAPI document. */
export class DogServiceStack extends Stack {
  constructor(scope: Construct, id: string, settings: Settings, pages: FilesOfEntries, props?: StackProps) {
    super(scope, id, {
      description: 'The dog service: REST actions without verbs in the URL',
      terminationProtection: settings.deletionProtection,
      // CloudFormation also adds them to the resources. Tags in the template as well would make the mail identity fail.
      tags: settings.tags,
      ...props,
    });
    this.warnAboutSender(settings);
    const bundles = bundle(entries, pages);
    const removalPolicy = settings.deletionProtection
      ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
      : RemovalPolicy.DESTROY;
    const encryption = new Encryption(this, 'Encryption', settings.encryptionKeyArn);
    const defaults: FunctionDefaults = {
      ...settings,
      tracing: settings.backgroundTracing,
      encryption,
      bundleOf: (entry) => bundles.get(entry) ?? '',
    };

    const tables = new Tables(this, 'Tables', encryption, { ...settings, removalPolicy });
    const api = new Api(this, 'Api', settings, defaults);
    const workflow = new BarkWorkflow(this, 'BarkWorkflow', settings, defaults);
    const schedules = new BarkSchedules(this, 'BarkSchedules', { ...settings, removalPolicy }, defaults);
    const purge = new Purge(
      this,
      'Purge',
      { dogs: tables.dogs, concurrency: settings.purgeConcurrency },
      defaults,
    );
    const limits = new Limits(this, 'Limits', settings, schedules.target);
    const baseUrl = settings.baseUrl || api.baseUrl;
    const mail = new Mail(this, 'Mail', { ...settings, baseUrl, removalPolicy }, defaults);
    // The URL that API Gateway generates is never the issuer, because a stack that is created again gets another URL.
    const chosenUrl = settings.baseUrl || (settings.domainName && api.baseUrl);
    const tokens = new Tokens(this, 'Tokens', { ...settings, baseUrl: chosenUrl, removalPolicy }, defaults);
    // @extension events {
    if (settings.events)
      new Events(this, 'Events', { tables, stage: settings.stage, source: baseUrl }, defaults);
    // @extension events }
    for (const lambda of constructsOf(this, ServiceFunction))
      grantCapabilities(lambda, { tables, workflow, schedules, mail, limits, tokens });

    new Monitoring(this, 'Monitoring', settings, {
      api: api.restApi,
      workflow: workflow.stateMachine,
      scheduleGroup: schedules.group,
      tables: { Dogs: tables.dogs, Barks: tables.barks, Access: tables.access },
      jobs: constructsOf(this, ServiceFunction).filter(({ node }) => !node.scopes.includes(api)),
      purge: purge.lambda,
    });
    new OperatorPolicy(this, 'Operator', { tables, tokens, encryption });
    this.addOutputs({
      BaseUrl: baseUrl,
      DogsTable: tables.dogs.tableName,
      BarksTable: tables.barks.tableName,
      AccessTable: tables.access.tableName,
      Queues: this.toJsonString(this.queues()),
      Settings: JSON.stringify(settings),
      ...schedules.outputs,
      ...tokens.outputs,
    });
    addExtensions(this, settings); // @extension budget|canary|events|firewall|waiting
  }

  private warnAboutSender({ mailSender, stage }: Settings): void {
    if (mailSender === exampleSender)
      Annotations.of(this).addWarningV2(
        'dogs:mailSender',
        `SES cannot send mail from ${exampleSender}. Set mailSender in ${fileOf(stage)} to an address that SES has verified.`,
      );
  }

  /** The operator CLI reads the outputs. The next deployment compares the output `Settings` with its own settings. */
  private addOutputs(outputs: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }

  private queues(): object[] {
    return constructsOf(this, DeadLetterQueue).map(({ node, queueUrl, lambda }) => ({
      name: node.id,
      url: queueUrl,
      ...(lambda && { function: lambda.entryPoint.functionName }),
    }));
  }
}

interface Grantors {
  readonly tables: Tables;
  readonly workflow: BarkWorkflow;
  readonly schedules: BarkSchedules;
  readonly mail: Mail;
  readonly limits: Limits;
  readonly tokens: Tokens;
}

function grantCapabilities(
  lambda: ServiceFunction,
  { tables, workflow, schedules, mail, limits, tokens }: Grantors,
): void {
  const { capabilities } = lambda;
  tables.grant(lambda);
  if (capabilities.workflow) workflow.grantStart(lambda);
  if (capabilities.schedules === 'set') schedules.grantSet(lambda);
  if (capabilities.schedules === 'delete') schedules.grantDelete(lambda);
  if (capabilities.mail) mail.grantSend(lambda);
  if (capabilities.limits) limits.setFor(lambda);
  if (capabilities.tokens === 'sign') tokens.grantSign(lambda);
  if (capabilities.tokens === 'verify') tokens.grantVerify(lambda);
}
