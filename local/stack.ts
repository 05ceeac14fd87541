import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Clients, createClients, operatorAccess } from './clients.ts';
import { createCloudFormationEmulator } from './cloudformation/emulator.ts';
import { StreamPollers } from './dynamodb/event-source-mappings.ts';
import { StreamsClient } from './dynamodb/streams-client.ts';
import { createTables } from './dynamodb/tables.ts';
import {
  type EmulatorContext,
  mountCalledEmulators,
  mountScheduler,
  mountSecretsManager,
  mountSes,
  mountStepFunctions,
} from './emulators.ts';
import type { Emulator } from './endpoint/emulator.ts';
import { ApiModel } from './gateway/api-model.ts';
import type { Gateway } from './gateway/server.ts';
import { Authorizer } from './iam/authorization.ts';
import { Functions } from './lambda/deployment.ts';
import type { AwsVariables } from './platform/aws-configuration.ts';
import { UserError } from './platform/user-error.ts';
import type { MailPages } from './ses/inbox.ts';
import { RunningStack } from './template/running-stack.ts';
import type { Synthesized } from './template/synthesize.ts';
import type { Template } from './template/template.ts';

const drainTimeoutMs = 5_000;

interface Cloud extends Omit<EmulatorContext, 'stack'> {
  readonly gateway: Gateway;
  readonly dynamodb: Emulator;
  readonly concurrentExecutions: number;
}

export interface StackEmulators {
  readonly clients: Clients;
  readonly stack: RunningStack;
  /** Creates missing tables and secrets. Safe to call again. */
  readonly createData: (next: Template) => Promise<void>;
  readonly mailPages: MailPages;
}

export async function startEmulators(synthesized: Synthesized, cloud: Cloud): Promise<StackEmulators> {
  const { gateway, dynamodb, concurrentExecutions, ...services } = cloud;
  const { endpoint, directory, shutdown, aws } = services;
  directory.bindTo(synthesized.template.stackName);
  const clients = createClients(endpoint);
  const secrets = mountSecretsManager(synthesized.template, services);
  const database = new DynamoDBClient(clients.administrator);
  const createData = async (next: Template) => {
    secrets.deploy(next);
    await createTables(database, next).catch((error) => throwTableError(error, aws));
  };
  await createData(synthesized.template);
  const stack = new RunningStack(synthesized);
  const context: EmulatorContext = { ...services, stack };

  stack.deploy(({ template }) => {
    const authorizer = new Authorizer(template);
    endpoint.guard((call) => authorizer.errorFor(call));
  });
  publishStack(clients, context);
  const functions = new Functions({ ...context, concurrentExecutions });
  shutdown.add(() => functions.stop());
  stack.deploy((next) => functions.deploy(next));
  const called = mountCalledEmulators(functions.invoke, context);
  const mailPages = mountSes(called, context);
  mountStepFunctions(called, context);
  mountScheduler(called, context);
  const streams = new StreamsClient(dynamodb);
  const pollers = new StreamPollers(called, { directory, database, streams });
  shutdown.add(() => pollers.stop());
  stack.deploy((next) => pollers.deploy(next.template));
  called.invocations.resume();
  stack.deploy(({ template }) =>
    gateway.serve(new ApiModel(template), functions.invoke, functionNames(template)),
  );
  shutdown.add(() => gateway.close(drainTimeoutMs));
  return { clients, stack, createData, mailPages };
}

function publishStack(
  clients: Clients,
  { endpoint, directory, shutdown, stack, baseUrl }: EmulatorContext,
): void {
  stack.deploy(({ template }) => {
    const access = operatorAccess(clients, endpoint, template, baseUrl);
    endpoint.mount('cloudformation', createCloudFormationEmulator(template, access.outputs));
    directory.write('operator.json', access);
  });
  // After the shutdown, another program may use the endpoint's port. The operator CLI must not call that program.
  shutdown.add(() => directory.remove('operator.json'));
}

function functionNames({ entryPoints }: Template): (functionArn: string) => string {
  const names = new Map(entryPoints.map(({ arn, lambda }) => [arn, lambda.name]));
  return (functionArn) => names.get(functionArn) ?? functionArn;
}

function throwTableError(cause: Error, { AWS_ENDPOINT_URL_DYNAMODB: url }: AwsVariables): never {
  if (!url || cause instanceof UserError) throw cause;
  throw new UserError(
    `The DynamoDB endpoint ${url} cannot be used. Check AWS_ENDPOINT_URL_DYNAMODB. ${cause.message}`,
    { cause },
  );
}
