import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient, type DynamoDBStreamsClientConfig } from '@aws-sdk/client-dynamodb-streams';
import type { SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import { type Access, writeAccess } from './access.ts';
import { cloudFormationOf } from './cloudformation/emulator.ts';
import { createTables, EmbeddedDatabase } from './dynamodb/database.ts';
import { StartKeys } from './dynamodb/start-keys.ts';
import { StreamPoller } from './dynamodb/streams.ts';
import { type AwsCall, AwsEndpoint, partElsewhere, partOnThisMachine } from './endpoint/endpoint.ts';
import { EventBus } from './eventbridge/event-bus.ts';
import { ApiModel } from './gateway/api-model.ts';
import { Gateway } from './gateway/server.ts';
import { operator as operatorCaller, Permissions } from './iam/authorization.ts';
import { PermissionRecord } from './iam/record.ts';
import { LambdaPart } from './lambda/api.ts';
import { AsyncInvocations, type Invoke } from './lambda/async-invocations.ts';
import { environmentOf } from './lambda/environment.ts';
import { Concurrency, LocalFunction } from './lambda/functions.ts';
import { systemClock } from './platform/clock.ts';
import { DataDirectory } from './platform/data-directory.ts';
import { log } from './platform/log.ts';
import { UserError } from './platform/user-error.ts';
import { SchedulerPart } from './scheduler/emulator.ts';
import { createSecrets } from './secrets-manager/elsewhere.ts';
import { SecretsManagerPart } from './secrets-manager/emulator.ts';
import { MailPart } from './ses/emulator.ts';
import { SqsPart } from './sqs/api.ts';
import { DeadLetters } from './sqs/dead-letters.ts';
import { Queues } from './sqs/queues.ts';
import { StepFunctionsPart } from './step-functions/emulator.ts';
import { type Synthesized, synthesize } from './template/synthesize.ts';
import { region, type Template } from './template/template.ts';

/** What the parts that call functions are made of. */
interface Cloud {
  readonly endpoint: AwsEndpoint;
  readonly template: Template;
  readonly directory: DataDirectory;
  readonly invoke: Invoke;
  readonly invocations: AsyncInvocations;
  readonly deadLetters: DeadLetters;
  readonly bus: EventBus;
}

/** AWS's default quota of concurrent executions in a region. */
const usualConcurrentExecutions = '1000';

/** How long requests under way may take when the service is told to end, in milliseconds. */
const patience = 5_000;

/** What must be ended when the service ends, the last first. */
const endings: (() => unknown)[] = [];

async function start(): Promise<void> {
  // What the service writes, and what it starts to write for it, is its owner's alone, wherever DATA_DIR is.
  process.umask(0o077);
  const { host, port, concurrentExecutions, directoryPath, settings } = readOptions();
  const directory = new DataDirectory(directoryPath);
  endings.push(() => directory.release());
  const gateway = new Gateway();
  const baseUrl = await gateway.listen(host, port);

  const endpoint = new AwsEndpoint();
  await endpoint.listen(port === 0 ? 0 : port + 1);
  endings.push(() => endpoint.close());

  log('Synthesizing the stack and starting its parts …');
  const [{ template: synthesizedTemplate, directory: assets }] = await Promise.all([
    synthesize(settings, directory.file('cdk.out')),
    mountDatabase(endpoint, directory),
  ]);
  directory.keepFor(synthesizedTemplate.stackName);
  const administrator = clientOf(endpoint, 'administrator');
  const template = await mountSecrets(endpoint, synthesizedTemplate, { directory, client: administrator });
  const record = new PermissionRecord(directory.file('permissions.jsonl'));
  const permissions = new Permissions(template, (need) => record.note(need));
  const startKeys = new StartKeys(template);
  endpoint.guard((call) => permissions.refusalOf(call) ?? startKeys.refusalOf(call));
  const clients = { client: clientOf(endpoint, operatorCaller), administrator };
  const operator = operatorAccess(clients, template, baseUrl);
  endpoint.mount(
    'cloudformation',
    cloudFormationOf(template, () => operator.outputs),
  );
  directory.write('operator.json', operator);
  const database = new DynamoDBClient(administrator);
  await createTables(database, template).catch((cause) => {
    const { AWS_ENDPOINT_URL_DYNAMODB: elsewhere } = process.env;
    if (!elsewhere || cause instanceof UserError) throw cause;
    throw new UserError(`The DynamoDB at ${elsewhere} cannot be used: ${cause.message}`, { cause });
  });

  const cloud = createCloud({ template, directory: assets }, endpoint, directory, concurrentExecutions);
  endpoint.mount('lambda', new LambdaPart(template, cloud).serve);
  const mailUrl = mountMail(cloud);
  mountWorkflows(cloud);
  mountScheduler(cloud);
  startStreams(cloud, { database, client: administrator });
  cloud.invocations.resume();
  gateway.serve(new ApiModel(template), cloud.invoke);
  endings.push(() => gateway.close(patience));

  const first = !existsSync(directory.file('access.json'));
  // The first of the credentials that are kept fresh is this service's own.
  const [credential] = JSON.parse(template.outputs.Credentials ?? '[]') as { name: string }[];
  const access = await writeAccess(directory, credential?.name, {
    base_url: baseUrl,
    ...(mailUrl && { mail_url: mailUrl }),
  });
  tell(access, { first, inbox: `${endpoint.url}/`, directory });
}

function parseOptions() {
  try {
    return parseArgs({ options: { context: { type: 'string', short: 'c', multiple: true, default: [] } } });
  } catch (cause) {
    const fault = (cause as Error).message.replace(/\.?$/, '.');
    throw new UserError(`${fault} Settings are given so: npm start -- -c name=value`, { cause });
  }
}

function readOptions() {
  const { values } = parseOptions();
  const {
    PORT = '3000',
    HOST = '127.0.0.1',
    DATA_DIR = '.local',
    CONCURRENT_EXECUTIONS = usualConcurrentExecutions,
  } = process.env;
  const port = Number(PORT);
  if (!/^\d+$/.test(PORT) || port > 65_535)
    throw new UserError(`PORT must be a number from 0 to 65535, not "${PORT}".`);
  if (!/^[1-9]\d*$/.test(CONCURRENT_EXECUTIONS))
    throw new UserError(
      `CONCURRENT_EXECUTIONS must be a positive whole number, not "${CONCURRENT_EXECUTIONS}".`,
    );
  return {
    host: HOST,
    port,
    concurrentExecutions: Number(CONCURRENT_EXECUTIONS),
    directoryPath: resolve(DATA_DIR),
    settings: Object.fromEntries(values.context.map((setting) => setting.split(/=(.*)/s))) as Record<
      string,
      string
    >,
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
  const part = partElsewhere(url);
  endpoint.mount(service, (call) => part(changed(call)));
  return true;
}

async function mountDatabase(endpoint: AwsEndpoint, directory: DataDirectory): Promise<void> {
  if (mountElsewhere(endpoint, 'dynamodb', 'DynamoDB', 'AWS_ENDPOINT_URL_DYNAMODB')) return;
  const database = new EmbeddedDatabase(directory.file('dynamodb.sqlite'), log);
  endings.push(() => database.stop());
  await database.start();
  endpoint.mount(
    'dynamodb',
    partOnThisMachine(() => database.url),
  );
}

function mountMail({ endpoint, template, directory, bus }: Cloud): string | undefined {
  if (mountElsewhere(endpoint, 'ses', 'SES', 'AWS_ENDPOINT_URL_SES', withoutConfigurationSet))
    return undefined;
  const file = directory.file('mails.jsonl');
  const mail = new MailPart(template, file, { onEvent: (event) => bus.put(event) });
  endpoint.mount('ses', mail.serve);
  endpoint.show('/', mail.inbox);
  endpoint.show('/mails', mail.store);
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
  { directory, client }: { directory: DataDirectory; client: SecretsManagerClientConfig },
): Promise<Template> {
  const variable = 'AWS_ENDPOINT_URL_SECRETS_MANAGER';
  if (mountElsewhere(endpoint, 'secretsmanager', 'Secrets Manager', variable))
    return createSecrets(template, client, process.env[variable] ?? '');
  const secrets = new SecretsManagerPart(template, directory.file('secrets.sqlite'), { clock: systemClock });
  endings.push(() => secrets.stop());
  endpoint.mount('secretsmanager', secrets.serve);
  return template;
}

function mountWorkflows({ endpoint, template, directory, invoke, bus }: Cloud): void {
  if (mountElsewhere(endpoint, 'states', 'Step Functions', 'AWS_ENDPOINT_URL_SFN')) return;
  const workflows = new StepFunctionsPart(template, directory.file('executions.sqlite'), {
    invoke,
    onEnd: (event) => bus.put(event),
  });
  endings.push(() => workflows.stop());
  endpoint.mount('states', workflows.serve);
  workflows.resume();
}

function mountScheduler({ endpoint, template, directory, ...dependencies }: Cloud): void {
  if (mountElsewhere(endpoint, 'scheduler', 'EventBridge Scheduler', 'AWS_ENDPOINT_URL_SCHEDULER')) return;
  const scheduler = new SchedulerPart(template, directory.file('schedules.sqlite'), {
    ...dependencies,
    clock: systemClock,
  });
  endings.push(() => scheduler.stop());
  endpoint.mount('scheduler', scheduler.serve);
  scheduler.resume();
}

/** Returns the configuration of an SDK client whose calls are those of a caller. */
function clientOf(endpoint: AwsEndpoint, caller: string) {
  const accessKeyId = accessKey();
  endpoint.admit(accessKeyId, caller);
  return { endpoint: endpoint.url, region, credentials: { accessKeyId, secretAccessKey: 'local' } };
}

/**
 * Returns what the operator's command line needs to act on this service, as the outputs of a deployed stack do: a client
 * with the permissions of the operator's policy. The administrator's client has all permissions.
 */
function operatorAccess(
  clients: Record<'client' | 'administrator', ReturnType<typeof clientOf>>,
  template: Template,
  baseUrl: string,
) {
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
  endpoint: AwsEndpoint,
  directory: DataDirectory,
  concurrentExecutions: number,
): Cloud {
  const { template } = synthesized;
  const functions = createFunctions(synthesized, endpoint, directory);
  const concurrency = new Concurrency(concurrentExecutions);
  const invoke: Invoke = (functionArn, event, requestId) => {
    const lambda = functions.get(functionArn);
    if (!lambda) throw new Error(`There is no function ${functionArn}.`);
    return concurrency.run(() => lambda.invoke(event, requestId));
  };
  const queues = new Queues(template, directory.file('queues.sqlite'), systemClock);
  endings.push(() => queues.stop());
  endpoint.mount('sqs', new SqsPart(queues).serve);
  const deadLetters = new DeadLetters(queues);
  const file = directory.file('invocations.sqlite');
  const invocations = new AsyncInvocations(template, file, { invoke, deadLetters, clock: systemClock });
  endings.push(() => invocations.stop());
  const bus = new EventBus(template, { invocations, deadLetters });
  return { endpoint, template, directory, invoke, invocations, deadLetters, bus };
}

function createFunctions(
  { template, directory: assets }: Synthesized,
  endpoint: AwsEndpoint,
  directory: DataDirectory,
): Map<string, LocalFunction> {
  const logs = directory.file('logs');
  const inbox = process.env.AWS_ENDPOINT_URL_SES ? undefined : `${endpoint.url}/`;
  mkdirSync(logs, { recursive: true });
  const functions = template.ofType('AWS::Lambda::Function').map((resource) => {
    const { name, properties } = resource;
    const accessKeyId = accessKey();
    endpoint.admit(accessKeyId, name);
    return new LocalFunction({
      name,
      arn: template.arnOf(resource),
      directory: join(assets, properties.assetPath),
      handler: properties.Handler,
      timeoutSeconds: properties.Timeout ?? 3,
      memoryMegabytes: properties.MemorySize ?? 128,
      logFile: join(logs, `${name}.log`),
      environment: environmentOf(resource, { assets, endpoint: endpoint.url, accessKeyId, inbox }),
    });
  });
  endings.push(() => Promise.all(functions.map((lambda) => lambda.stop())));
  const byArn = new Map(functions.map((lambda) => [lambda.definition.arn, lambda]));
  return new Map(
    template.entryPoints.flatMap(({ arn, lambda }) => {
      const found = byArn.get(template.arnOf(lambda));
      return found ? [[arn, found] as const] : [];
    }),
  );
}

function startStreams(
  { template, directory, invoke, deadLetters }: Cloud,
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
        ...(queueArn && { giveUp: (body) => deadLetters.put(queueArn, body) }),
      },
      { database, streams, directory },
    );
    endings.push(() => poller.stop());
    void poller.run();
  }
}

function tell(
  { base_url, username, password, mail_url }: Access,
  { first, inbox, directory }: { first: boolean; inbox: string; directory: DataDirectory },
): void {
  log(`Dog service ready at ${base_url}`);
  if (first) log(`  user      ${username}\n  password  ${password}`);
  log(`  access    ${directory.file('access.json')}`);
  if (mail_url) log(`  inbox     ${inbox}`);
  if (!first) return;
  const curl = `curl -iu ${username}:${password}`;
  log(`
Make a dog bark, see what it did, and have it send you mail:
  ${curl} -X POST ${base_url}/v1/dogs/record-sync/barks
  ${curl} ${base_url}/v1/dogs/record-sync/
  ${curl} ${base_url}/v1/dogs/message-sync/barks -H 'Content-Type: application/json' -d '{"message":"Hello from the dog"}'`);
}

let ending = false;

/** Ends every part, the last started first, and with them the process. */
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  for (const finish of endings.toReversed()) await finish();
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0));

await start().catch((error: Error) => {
  console.error(error instanceof UserError ? error.message : error);
  return end(1);
});
