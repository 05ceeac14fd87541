import { DynamoDbEmulator } from './dynamodb/emulator.ts';
import type { Emulator } from './endpoint/emulator.ts';
import type { AwsEndpoint } from './endpoint/endpoint.ts';
import { forwardSigned } from './endpoint/forwarding.ts';
import { createEventBridgeEmulator } from './eventbridge/emulator.ts';
import { type BusEvent, EventBus } from './eventbridge/event-bus.ts';
import { AsyncInvocations, type Invoke } from './lambda/async-invocations.ts';
import { LambdaEmulator } from './lambda/emulator.ts';
import { LogsEmulator } from './logs/emulator.ts';
import type { AwsVariables } from './platform/aws-configuration.ts';
import type { Clock } from './platform/clock.ts';
import type { DataDirectory } from './platform/data-directory.ts';
import { log } from './platform/log.ts';
import type { ServiceTexts } from './platform/service-texts.ts';
import type { Shutdown } from './platform/shutdown.ts';
import { keptPath } from './platform/unguessable-path.ts';
import { SchedulerEmulator } from './scheduler/emulator.ts';
import { SecretsManagerEmulator } from './secrets-manager/emulator.ts';
import { SesEmulator } from './ses/emulator.ts';
import { type MailPages, serveInbox } from './ses/inbox.ts';
import { inboxPage } from './ses/inbox-page.ts';
import { Mailbox } from './ses/mailbox.ts';
import { serveSuppressionList } from './ses/suppression-list.ts';
import { DeadLetterQueues } from './sqs/dead-letter-queues.ts';
import { SqsEmulator } from './sqs/emulator.ts';
import { Queues } from './sqs/queues.ts';
import { StepFunctionsEmulator } from './step-functions/emulator.ts';
import type { RunningStack } from './template/running-stack.ts';
import type { Template } from './template/template.ts';

export interface EmulatorContext {
  readonly endpoint: AwsEndpoint;
  readonly directory: DataDirectory;
  readonly shutdown: Shutdown;
  readonly clock: Clock;
  readonly texts: ServiceTexts;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The user's AWS configuration. Its variable `AWS_ENDPOINT_URL_DYNAMODB` replaces the database. */
  readonly aws: AwsVariables;
  readonly stack: RunningStack;
}

/** The interfaces of Lambda, SQS and EventBridge that other emulators call. */
export interface CalledEmulators {
  readonly invoke: Invoke;
  readonly invocations: AsyncInvocations;
  readonly deadLetterQueues: DeadLetterQueues;
  readonly bus: EventBus;
}

/** Earlier versions replaced these services, too. */
const formerVariables = ['SES', 'SFN', 'SCHEDULER', 'SECRETS_MANAGER'].map(
  (name) => `AWS_ENDPOINT_URL_${name}`,
);

export async function mountDynamoDb({
  endpoint,
  directory,
  shutdown,
  aws,
}: Pick<EmulatorContext, 'endpoint' | 'directory' | 'shutdown' | 'aws'>): Promise<Emulator> {
  for (const name of formerVariables.filter((one) => aws[one]))
    log(`${name} has no effect, because only the database can be replaced. Remove the variable.`);
  const { AWS_ENDPOINT_URL_DYNAMODB: url } = aws;
  if (url) {
    log(`Using DynamoDB at ${url}.`);
    const serve = forwardSigned(url, aws);
    endpoint.mount('dynamodb', serve);
    return serve;
  }
  const database = new DynamoDbEmulator(directory.file('dynamodb.sqlite'), log);
  shutdown.add(() => database.stop());
  await database.start();
  endpoint.mount('dynamodb', database.serve);
  return database.serve;
}

export function mountSecretsManager(
  template: Template,
  { endpoint, directory, shutdown, clock }: Omit<EmulatorContext, 'stack'>,
): SecretsManagerEmulator {
  const secrets = new SecretsManagerEmulator(template, directory.file('secrets.sqlite'), clock);
  shutdown.add(() => secrets.stop());
  endpoint.mount('secretsmanager', secrets.serve);
  return secrets;
}

export function mountCalledEmulators(invoke: Invoke, context: EmulatorContext): CalledEmulators {
  const { endpoint, directory, clock, texts, stack } = context;
  const { template } = stack.current;
  const queues = run(new Queues(template, directory.file('queues.sqlite'), clock), context);
  endpoint.mount('sqs', new SqsEmulator(queues).serve);
  const deadLetterQueues = new DeadLetterQueues(queues, texts);
  const file = directory.file('invocations.sqlite');
  const dependencies = { invoke, deadLetterQueues, clock };
  const invocations = run(new AsyncInvocations(template, file, dependencies), context);
  endpoint.mount('lambda', run(new LambdaEmulator(template, { invoke, invocations }), context).serve);
  const logs = run(new LogsEmulator(template, directory.file('logs.sqlite'), clock), context);
  endpoint.mount('logs', logs.serve);
  const bus = run(new EventBus(template, { invocations, deadLetterQueues, logs }), context);
  endpoint.mount('events', createEventBridgeEmulator(bus, clock));
  return { invoke, invocations, deadLetterQueues, bus };
}

export function mountSes({ bus }: CalledEmulators, context: EmulatorContext): MailPages {
  const { endpoint, directory, clock, texts, stack, baseUrl } = context;
  endpoint.mount('sesv2', serveSuppressionList);
  const mailbox = new Mailbox(directory.file('mails.jsonl'));
  const dependencies = { onEvent: (event: BusEvent) => bus.put(event), clock };
  const { serve } = run(new SesEmulator(stack.current.template, mailbox, dependencies), context);
  endpoint.mount('ses', serve);
  const page = (inboxUrl: string) => inboxPage(texts, baseUrl, inboxUrl);
  return serveInbox(endpoint, mailbox, keptPath(directory, 'inbox'), page);
}

export function mountStepFunctions(called: CalledEmulators, context: EmulatorContext): void {
  const { endpoint, directory, clock, stack } = context;
  const file = directory.file('executions.sqlite');
  const dependencies = { ...called, onEnd: (event: BusEvent) => called.bus.put(event), clock };
  const workflows = run(new StepFunctionsEmulator(stack.current.template, file, dependencies), context);
  endpoint.mount('states', workflows.serve);
  workflows.resume();
}

export function mountScheduler(called: CalledEmulators, context: EmulatorContext): void {
  const { endpoint, directory, clock, stack } = context;
  const file = directory.file('schedules.sqlite');
  const dependencies = { ...called, clock };
  const scheduler = run(new SchedulerEmulator(stack.current.template, file, dependencies), context);
  endpoint.mount('scheduler', scheduler.serve);
  scheduler.resume();
}

/** Stops an emulator at shutdown, and deploys each later stack to it. */
function run<Deployed extends { deploy(template: Template): void; stop?(): void }>(
  emulator: Deployed,
  { shutdown, stack }: EmulatorContext,
): Deployed {
  shutdown.add(() => emulator.stop?.());
  stack.onChange(({ template }) => emulator.deploy(template));
  return emulator;
}
