import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient, type DynamoDBStreamsClientConfig } from '@aws-sdk/client-dynamodb-streams';
import type { SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import { createCloudFormationEmulator } from './cloudformation/emulator.ts';
import { DynamoDbEmulator } from './dynamodb/emulator.ts';
import { StartKeys } from './dynamodb/start-keys.ts';
import { StreamPoller } from './dynamodb/stream-poller.ts';
import { createTables } from './dynamodb/tables.ts';
import type { AwsCall } from './endpoint/emulator.ts';
import { AwsEndpoint } from './endpoint/endpoint.ts';
import { forwardSigned, forwardUnsigned } from './endpoint/forwarding.ts';
import { EventBus } from './eventbridge/event-bus.ts';
import { ApiModel } from './gateway/api-model.ts';
import { Gateway } from './gateway/server.ts';
import { Authorizer, operator as operatorCaller } from './iam/authorization.ts';
import { DecisionLog } from './iam/decision-log.ts';
import { AsyncInvocations, type Invoke } from './lambda/async-invocations.ts';
import { ConcurrencyLimit } from './lambda/concurrency-limit.ts';
import { LambdaEmulator } from './lambda/emulator.ts';
import { environmentVariablesOf } from './lambda/environment-variables.ts';
import { LocalFunction } from './lambda/local-function.ts';
import { systemClock } from './platform/clock.ts';
import { DataDirectory } from './platform/data-directory.ts';
import { log } from './platform/log.ts';
import { defaultTexts, type ServiceTexts } from './platform/service-texts.ts';
import { Shutdown } from './platform/shutdown.ts';
import { UserError } from './platform/user-error.ts';
import { SchedulerEmulator } from './scheduler/emulator.ts';
import { SecretsManagerEmulator } from './secrets-manager/emulator.ts';
import { createSecrets } from './secrets-manager/external-service.ts';
import { SesEmulator } from './ses/emulator.ts';
import { DeadLetterQueues } from './sqs/dead-letter-queues.ts';
import { SqsEmulator } from './sqs/emulator.ts';
import { Queues } from './sqs/queues.ts';
import { StepFunctionsEmulator } from './step-functions/emulator.ts';
import { region } from './template/arns.ts';
import { type Synthesized, synthesize } from './template/synthesize.ts';
import type { Template } from './template/template.ts';

/** What the parts that call functions are made of. */
interface Cloud {
  readonly texts: ServiceTexts;
  readonly shutdown: Shutdown;
  readonly endpoint: AwsEndpoint;
  readonly template: Template;
  readonly directory: DataDirectory;
  readonly invoke: Invoke;
  readonly invocations: AsyncInvocations;
  readonly deadLetterQueues: DeadLetterQueues;
  readonly bus: EventBus;
}

/** The configuration of an SDK client that calls the local cloud. */
export interface ClientConfiguration {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** The clients of the local cloud, apart from its functions. */
interface Clients {
  /** Has the permissions of the template's managed policies. */
  readonly client: ClientConfiguration;
  /** Has all permissions. */
  readonly administrator: ClientConfiguration;
}

/** A CDK app that the local cloud synthesizes before it starts. */
export interface CdkApp {
  /** The folder that has the app's `cdk.json`. */
  readonly project: string;
  /** Context values that take precedence over those of `cdk.json`. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface CloudOptions {
  /** The path of the folder that has all state, and the synthesized template. */
  readonly directory: string;
  readonly host?: string;
  /** The port of the API. The AWS endpoint listens on the next port if it is free. 0: a free port for each. */
  readonly port?: number;
  /** The account's quota of concurrent executions of its functions. */
  readonly concurrentExecutions?: number;
  readonly texts?: ServiceTexts;
  /** Ends the cloud, even while it is starting. */
  readonly shutdown?: Shutdown;
}

/** A local cloud that runs. */
export interface LocalCloud extends Clients {
  /** The URL of the API, without a slash at its end. */
  readonly baseUrl: string;
  /** The URL of the page that shows sent mail. Undefined if another SES sends the mail. */
  readonly inboxUrl: string | undefined;
  /** The URL that returns the sent mail as JSON. Undefined if another SES sends the mail. */
  readonly mailUrl: string | undefined;
  readonly template: Template;
  readonly directory: DataDirectory;
  /** Stops all emulators, the last started first. Returns the same promise if it is called again. */
  close(): Promise<void>;
}

/** AWS's default quota of concurrent executions in a region. */
export const defaultConcurrentExecutions = 1000;

/** How long requests in flight may take after the cloud was told to close. */
const requestDrainMs = 5_000;

/**
 * Starts the AWS services that a template uses, on this machine, and the template's API.
 *
 * Environment variables such as `AWS_ENDPOINT_URL_DYNAMODB` replace an emulator by another implementation. Writes the
 * folder's `operator.json`, which has the clients, the outputs of the stack and the names of the functions. If the start
 * fails, it stops all that it has started.
 *
 * @param source the CDK app, or a template that was synthesized before
 * @throws UserError if the user can correct the cause, such as a port in use or an invalid setting
 */
export async function startCloud(source: CdkApp | Synthesized, options: CloudOptions): Promise<LocalCloud> {
  const { shutdown = new Shutdown() } = options;
  const gateway = new Gateway();
  try {
    return await startAll(source, gateway, { ...options, shutdown });
  } catch (error) {
    await shutdown.run();
    await gateway.close(0);
    throw error;
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

  if ('project' in source) log('Synthesizing the stack and starting its parts …');
  const [{ template: synthesizedTemplate, directory: assets }] = await Promise.all([
    'project' in source ? synthesize(source.settings, directory.file('cdk.out'), source.project) : source,
    mountDatabase(endpoint, directory, shutdown),
  ]);
  directory.bindTo(synthesizedTemplate.stackName);
  const administrator = clientOf(endpoint, 'administrator');
  const template = await mountSecrets(endpoint, synthesizedTemplate, {
    directory,
    client: administrator,
    shutdown,
  });
  const record = new DecisionLog(directory.file('permissions.jsonl'));
  const permissions = new Authorizer(template, (need) => record.add(need));
  const startKeys = new StartKeys(template);
  endpoint.guard((call) => permissions.errorFor(call) ?? startKeys.errorFor(call));
  const clients = { client: clientOf(endpoint, operatorCaller), administrator };
  const operator = operatorAccess(clients, template, baseUrl);
  endpoint.mount(
    'cloudformation',
    createCloudFormationEmulator(template, () => operator.outputs),
  );
  directory.write('operator.json', operator);
  const database = new DynamoDBClient(administrator);
  await createTables(database, template).catch((cause) => {
    const { AWS_ENDPOINT_URL_DYNAMODB: elsewhere } = process.env;
    if (!elsewhere || cause instanceof UserError) throw cause;
    throw new UserError(`The DynamoDB at ${elsewhere} cannot be used: ${cause.message}`, { cause });
  });

  const synthesized = { template, directory: assets };
  const cloud = createCloud(synthesized, { texts, shutdown, endpoint, directory }, concurrentExecutions);
  endpoint.mount('lambda', new LambdaEmulator(template, cloud).serve);
  const mailUrl = mountMail(cloud);
  mountWorkflows(cloud);
  mountScheduler(cloud);
  startStreams(cloud, { database, client: administrator });
  cloud.invocations.resume();
  gateway.serve(new ApiModel(template), cloud.invoke);
  shutdown.add(() => gateway.close(requestDrainMs));
  return {
    ...clients,
    baseUrl,
    mailUrl,
    inboxUrl: mailUrl && `${endpoint.url}/`,
    template,
    directory,
    close: () => shutdown.run(),
  };
}

/** Mounts the service that the user has named by a variable in the place of a part. @returns false if there is none */
function mountElsewhere(
  endpoint: AwsEndpoint,
  service: string,
  name: string,
  variable: string,
  changed: (call: AwsCall) => AwsCall = (call) => call,
): boolean {
  const url = process.env[variable];
  if (!url) return false;
  log(`${name} is the one at ${url}.`);
  const part = forwardSigned(url);
  endpoint.mount(service, (call) => part(changed(call)));
  return true;
}

async function mountDatabase(
  endpoint: AwsEndpoint,
  directory: DataDirectory,
  shutdown: Shutdown,
): Promise<void> {
  if (mountElsewhere(endpoint, 'dynamodb', 'DynamoDB', 'AWS_ENDPOINT_URL_DYNAMODB')) return;
  const database = new DynamoDbEmulator(directory.file('dynamodb.sqlite'), log);
  shutdown.add(() => database.stop());
  await database.start();
  endpoint.mount(
    'dynamodb',
    forwardUnsigned(() => database.url),
  );
}

function mountMail({ texts, endpoint, template, directory, bus }: Cloud): string | undefined {
  if (mountElsewhere(endpoint, 'ses', 'SES', 'AWS_ENDPOINT_URL_SES', withoutConfigurationSet))
    return undefined;
  const file = directory.file('mails.jsonl');
  const mail = new SesEmulator(template, file, { onEvent: (event) => bus.put(event), texts });
  endpoint.mount('ses', mail.serve);
  endpoint.addPage('/', mail.inbox);
  endpoint.addPage('/mails', mail.mailsPage);
  return `${endpoint.url}/mails`;
}

/** The template's configuration set is there on this machine alone. */
function withoutConfigurationSet(call: AwsCall): AwsCall {
  const parameters = new URLSearchParams(call.body.toString('utf8'));
  parameters.delete('ConfigurationSetName');
  return { ...call, body: Buffer.from(parameters.toString()) };
}

/**
 * Mounts the Secrets Manager of this machine, or the user's own.
 *
 * @returns the template with the ARNs of its secrets
 */
async function mountSecrets(
  endpoint: AwsEndpoint,
  template: Template,
  {
    directory,
    client,
    shutdown,
  }: { directory: DataDirectory; client: SecretsManagerClientConfig; shutdown: Shutdown },
): Promise<Template> {
  const variable = 'AWS_ENDPOINT_URL_SECRETS_MANAGER';
  if (mountElsewhere(endpoint, 'secretsmanager', 'Secrets Manager', variable))
    return createSecrets(template, client, process.env[variable] ?? '');
  const secrets = new SecretsManagerEmulator(template, directory.file('secrets.sqlite'), {
    clock: systemClock,
  });
  shutdown.add(() => secrets.stop());
  endpoint.mount('secretsmanager', secrets.serve);
  return template;
}

function mountWorkflows({ shutdown, endpoint, template, directory, invoke, bus }: Cloud): void {
  if (mountElsewhere(endpoint, 'states', 'Step Functions', 'AWS_ENDPOINT_URL_SFN')) return;
  const workflows = new StepFunctionsEmulator(template, directory.file('executions.sqlite'), {
    invoke,
    onEnd: (event) => bus.put(event),
  });
  shutdown.add(() => workflows.stop());
  endpoint.mount('states', workflows.serve);
  workflows.resume();
}

function mountScheduler({ shutdown, endpoint, template, directory, ...dependencies }: Cloud): void {
  if (mountElsewhere(endpoint, 'scheduler', 'EventBridge Scheduler', 'AWS_ENDPOINT_URL_SCHEDULER')) return;
  const scheduler = new SchedulerEmulator(template, directory.file('schedules.sqlite'), {
    ...dependencies,
    clock: systemClock,
  });
  shutdown.add(() => scheduler.stop());
  endpoint.mount('scheduler', scheduler.serve);
  scheduler.resume();
}

/** Returns the configuration of an SDK client whose calls are those of a caller. */
function clientOf(endpoint: AwsEndpoint, caller: string): ClientConfiguration {
  const accessKeyId = accessKey();
  endpoint.addCaller(accessKeyId, caller);
  return { endpoint: endpoint.url, region, credentials: { accessKeyId, secretAccessKey: 'local' } };
}

/**
 * Returns what the operator's command line needs to act on this service, as the outputs of a deployed stack do: a client
 * with the permissions of the operator's policy. The administrator's client has all permissions.
 */
function operatorAccess(clients: Clients, template: Template, baseUrl: string) {
  return {
    ...clients,
    outputs: { ...template.outputs, BaseUrl: baseUrl },
    functions: Object.fromEntries(
      template.ofType('AWS::Lambda::Function').map((resource) => [resource.name, template.idOf(resource)]),
    ),
  };
}

/** An access key of its own for each caller, by which the endpoint knows it. */
function accessKey(): string {
  return `LOCAL${randomBytes(10).toString('hex').toUpperCase()}`;
}

function createCloud(
  synthesized: Synthesized,
  base: Pick<Cloud, 'texts' | 'shutdown' | 'endpoint' | 'directory'>,
  concurrentExecutions: number,
): Cloud {
  const { template } = synthesized;
  const { shutdown, endpoint, directory } = base;
  const functions = createFunctions(synthesized, base);
  const concurrency = new ConcurrencyLimit(concurrentExecutions);
  const invoke: Invoke = (functionArn, event, requestId) => {
    const lambda = functions.get(functionArn);
    if (!lambda) throw new Error(`There is no function ${functionArn}.`);
    return concurrency.run(() => lambda.invoke(event, requestId));
  };
  const queues = new Queues(template, directory.file('queues.sqlite'), systemClock);
  shutdown.add(() => queues.stop());
  endpoint.mount('sqs', new SqsEmulator(queues).serve);
  const deadLetterQueues = new DeadLetterQueues(queues, base.texts);
  const file = directory.file('invocations.sqlite');
  const invocations = new AsyncInvocations(template, file, { invoke, deadLetterQueues, clock: systemClock });
  shutdown.add(() => invocations.stop());
  const bus = new EventBus(template, { invocations, deadLetterQueues });
  return { ...base, template, invoke, invocations, deadLetterQueues, bus };
}

function createFunctions(
  { template, directory: assets }: Synthesized,
  { shutdown, endpoint, directory }: Pick<Cloud, 'shutdown' | 'endpoint' | 'directory'>,
): Map<string, LocalFunction> {
  const logs = directory.file('logs');
  const inbox = process.env.AWS_ENDPOINT_URL_SES ? undefined : `${endpoint.url}/`;
  mkdirSync(logs, { recursive: true });
  const functions = template.ofType('AWS::Lambda::Function').map((resource) => {
    const { name, properties } = resource;
    const accessKeyId = accessKey();
    endpoint.addCaller(accessKeyId, name);
    return new LocalFunction({
      name,
      arn: template.arnOf(resource),
      directory: join(assets, properties.assetPath),
      handler: properties.Handler,
      timeoutSeconds: properties.Timeout ?? 3,
      memoryMegabytes: properties.MemorySize ?? 128,
      logFile: join(logs, `${name}.log`),
      environment: environmentVariablesOf(resource, { assets, endpoint: endpoint.url, accessKeyId, inbox }),
    });
  });
  shutdown.add(() => Promise.all(functions.map((lambda) => lambda.stop())));
  const byArn = new Map(functions.map((lambda) => [lambda.definition.arn, lambda]));
  return new Map(
    template.entryPoints.flatMap(({ arn, lambda }) => {
      const found = byArn.get(template.arnOf(lambda));
      return found ? [[arn, found] as const] : [];
    }),
  );
}

function startStreams(
  { shutdown, template, directory, invoke, deadLetterQueues }: Cloud,
  { database, client }: { database: DynamoDBClient; client: DynamoDBStreamsClientConfig },
): void {
  const streams = new DynamoDBStreamsClient(client);
  const tables = template.ofType('AWS::DynamoDB::Table').map((resource) => template.idOf(resource));
  for (const { logicalId, properties } of template.ofType('AWS::Lambda::EventSourceMapping')) {
    const entryPoint = template.entryPoints.find(({ arn, lambda }) =>
      [arn, template.idOf(lambda)].includes(properties.FunctionName),
    );
    const tableName = tables.find((name) => properties.EventSourceArn.includes(`:table/${name}/`));
    if (!entryPoint || !tableName) throw new Error(`${logicalId}: not the stream of a table to a function.`);
    const { arn: functionArn, lambda } = entryPoint;
    const filters: { Pattern: string }[] = properties.FilterCriteria?.Filters ?? [];
    const queueArn: string | undefined = properties.DestinationConfig?.OnFailure?.Destination;
    const poller = new StreamPoller(
      {
        name: lambda.name,
        functionArn,
        tableName,
        eventNames: new Set(filters.flatMap(({ Pattern }) => JSON.parse(Pattern).eventName)),
        retryAttempts: properties.MaximumRetryAttempts ?? Number.POSITIVE_INFINITY,
        invoke: (event) => invoke(functionArn, event),
        ...(queueArn && { onFailure: (body) => deadLetterQueues.put(queueArn, body) }),
      },
      { database, streams, directory },
    );
    shutdown.add(() => poller.stop());
    void poller.run();
  }
}
