import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { type Clients, createClients, operatorAccess } from './clients.ts';
import { createCloudFormationEmulator } from './cloudformation/emulator.ts';
import { startStreamPollers } from './dynamodb/event-source-mappings.ts';
import { StartKeys } from './dynamodb/start-keys.ts';
import { createTables } from './dynamodb/tables.ts';
import {
  type CalledEmulators,
  type EmulatorContext,
  type MailPages,
  mountCalledEmulators,
  mountDynamoDb,
  mountScheduler,
  mountSecretsManager,
  mountSes,
  mountStepFunctions,
} from './emulators.ts';
import { AwsEndpoint, type Page } from './endpoint/endpoint.ts';
import { ApiModel } from './gateway/api-model.ts';
import { Gateway } from './gateway/server.ts';
import { Authorizer } from './iam/authorization.ts';
import { DecisionLog } from './iam/decision-log.ts';
import { deployFunctions } from './lambda/deployment.ts';
import { DataDirectory } from './platform/data-directory.ts';
import { explainDiskError } from './platform/disk-errors.ts';
import { log } from './platform/log.ts';
import { defaultTexts, type ServiceTexts } from './platform/service-texts.ts';
import { Shutdown } from './platform/shutdown.ts';
import { UserError } from './platform/user-error.ts';
import { type Synthesized, synthesize } from './template/synthesize.ts';
import type { Template } from './template/template.ts';

/** A CDK app that the local cloud synthesizes before it starts. */
export interface CdkApp {
  /** The folder that contains the app's `cdk.json`. */
  readonly project: string;
  /** Context values that take precedence over those of `cdk.json`. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface CloudOptions {
  /** The path of the folder for all state and the synthesized template. */
  readonly directory: string;
  readonly host?: string;
  /** The port of the API. The AWS endpoint uses the next port if it is free. If this is 0, both use any free port. */
  readonly port?: number;
  /** The account's quota of concurrent executions of its functions. */
  readonly concurrentExecutions?: number;
  readonly texts?: ServiceTexts;
  /** The shutdown that stops the local cloud. It can run even while the local cloud is starting. */
  readonly shutdown?: Shutdown;
}

/** A running local cloud. */
export interface LocalCloud extends Clients {
  /** The URL of the API, without a trailing slash. */
  readonly baseUrl: string;
  /** The URL of the page that shows sent mail. Undefined if another SES sends the mail. */
  readonly inboxUrl: string | undefined;
  /** The URL of the sent mail as JSON. Undefined if another SES sends the mail. */
  readonly mailUrl: string | undefined;
  readonly template: Template;
  readonly directory: DataDirectory;
  /** Serves a page at a path of the AWS endpoint, and returns its URL. */
  addPage(path: string, page: Page): string;
  /** Stops all emulators, last started first. Returns the same promise if it is called again. */
  close(): Promise<void>;
}

/** The default quota of concurrent executions in an AWS region. */
export const defaultConcurrentExecutions = 1000;

/** How long a shutdown waits for the requests in progress. */
const drainTimeoutMs = 5_000;

/**
 * Starts an emulator for each AWS service that a template uses, and serves the API of the template.
 *
 * Environment variables such as `AWS_ENDPOINT_URL_DYNAMODB` replace an emulator with another implementation of the
 * service. Writes `operator.json` to the folder, with the clients, the outputs of the stack and the names of the
 * functions, and deletes it at the end. If the start fails, stops everything that was started.
 *
 * @param source the CDK app, or a template that has already been synthesized
 * @throws UserError if the user can correct the cause, such as a port in use, an invalid setting or a full disk
 */
export async function startCloud(source: CdkApp | Synthesized, options: CloudOptions): Promise<LocalCloud> {
  const { shutdown = new Shutdown() } = options;
  const gateway = new Gateway();
  try {
    return await startAll(source, gateway, { ...options, shutdown });
  } catch (error) {
    await shutdown.run();
    await gateway.close(0);
    throw explainDiskError(options.directory, error);
  }
}

async function startAll(
  source: CdkApp | Synthesized,
  gateway: Gateway,
  {
    directory: path,
    host = '127.0.0.1',
    port = 0,
    concurrentExecutions = defaultConcurrentExecutions,
    texts = defaultTexts,
    shutdown,
  }: CloudOptions & { readonly shutdown: Shutdown },
): Promise<LocalCloud> {
  const directory = new DataDirectory(path, texts.name);
  shutdown.add(() => directory.release());
  const baseUrl = await gateway.listen(host, port);
  const endpoint = new AwsEndpoint();
  await endpoint.listen(port === 0 ? 0 : port + 1);
  shutdown.add(() => endpoint.close());
  const context: EmulatorContext = { endpoint, directory, shutdown, texts };

  const [synthesized, embedded] = await Promise.all([
    synthesizedOf(source, directory),
    mountDynamoDb(context),
  ]);
  directory.bindTo(synthesized.template.stackName);
  const clients = createClients(endpoint);
  const template = await mountSecretsManager(synthesized.template, clients.administrator, context);
  guard(endpoint, template, directory);
  publishStack(clients, template, baseUrl, context);
  const database = new DynamoDBClient(clients.administrator);
  await createTables(database, template).catch(throwTableError);

  const invoke = deployFunctions(
    { ...synthesized, template },
    {
      ...context,
      concurrentExecutions,
    },
  );
  const called = mountCalledEmulators(template, invoke, context);
  const mailPages = mountCallingEmulators(template, called, context);
  const streams = new DynamoDBStreamsClient(clients.administrator);
  const dependencies = { ...called, ...(embedded && { trim: embedded.trim }) };
  startStreamPollers(template, dependencies, { ...context, database, streams });
  called.invocations.resume();
  const names = new Map(template.entryPoints.map(({ arn, lambda }) => [arn, lambda.name]));
  gateway.serve(new ApiModel(template), invoke, (functionArn) => names.get(functionArn) ?? functionArn);
  shutdown.add(() => gateway.close(drainTimeoutMs));
  return {
    ...clients,
    baseUrl,
    mailUrl: mailPages?.mailUrl,
    inboxUrl: mailPages?.inboxUrl,
    template,
    directory,
    addPage: (path, page) => endpoint.addPage(path, page),
    close: () => shutdown.run(),
  };
}

async function synthesizedOf(source: CdkApp | Synthesized, directory: DataDirectory): Promise<Synthesized> {
  if (!('project' in source)) return source;
  log('Synthesizing the stack and starting its emulators …');
  return synthesize(source.settings, directory.file('cdk.out'), source.project);
}

/** Makes the endpoint refuse calls without the required permissions, and calls with a start key that DynamoDB refuses. */
function guard(endpoint: AwsEndpoint, template: Template, directory: DataDirectory): void {
  const decisions = new DecisionLog(directory.file('permissions.jsonl'));
  const authorizer = new Authorizer(template, (decision) => decisions.add(decision));
  const startKeys = new StartKeys(template);
  endpoint.guard((call) => authorizer.errorFor(call) ?? startKeys.errorFor(call));
}

/** Makes the outputs of the stack available to the operator: in `operator.json`, and through CloudFormation. */
function publishStack(
  clients: Clients,
  template: Template,
  baseUrl: string,
  { endpoint, directory, shutdown }: EmulatorContext,
): void {
  const access = operatorAccess(clients, endpoint, template, baseUrl);
  endpoint.mount(
    'cloudformation',
    createCloudFormationEmulator(template, () => access.outputs),
  );
  directory.write('operator.json', access);
  // After the end, another program may listen on the port of the endpoint.
  shutdown.add(() => directory.remove('operator.json'));
}

function throwTableError(cause: Error): never {
  const { AWS_ENDPOINT_URL_DYNAMODB: url } = process.env;
  if (!url || cause instanceof UserError) throw cause;
  throw new UserError(
    `The DynamoDB endpoint ${url} cannot be used. Check AWS_ENDPOINT_URL_DYNAMODB. ${cause.message}`,
    { cause },
  );
}

/** Returns the URLs of the sent mail, or undefined if another SES sends the mail. */
function mountCallingEmulators(
  template: Template,
  called: CalledEmulators,
  context: EmulatorContext,
): MailPages | undefined {
  const mailPages = mountSes(template, called, context);
  mountStepFunctions(template, called, context);
  mountScheduler(template, called, context);
  return mailPages;
}
