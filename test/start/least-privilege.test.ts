import { join } from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { Template } from '@rest-actions/local-cloud/template';
import { readAssembly } from '@rest-actions/local-cloud/template';
import { eventually } from '@rest-actions/local-cloud/testing';
import { subscriptionTokenOf } from '../../lambdas/domain/suspensions/subscription.ts';
import { header } from '../support/client.ts';
import { authorizationDecisions, deniedPermissions, recordingStart } from '../support/permissions.ts';
import { preparedStack } from '../support/prepare-services.ts';
import { type Grant, grantsOf, superfluous } from './grants.ts';
import { operatorAccess, withClient } from './operator-access.ts';
import { client, restart, service, temporaryDirectory } from './support.ts';
import { dogItemOf } from './tables.ts';

/** The actions that AWS services perform with a function's role. The function itself performs none of them. */
const byServices = new Map([
  ['logs:CreateLogStream', 'Lambda stores the logs of the function'],
  ['logs:PutLogEvents', 'Lambda stores the logs of the function'],
  ['xray:PutTelemetryRecords', 'Lambda traces the function'],
  ['xray:PutTraceSegments', 'Lambda traces the function'],
  ['sqs:GetQueueAttributes', 'the CDK grants it with sqs:SendMessage'],
  ['sqs:GetQueueUrl', 'the CDK grants it with sqs:SendMessage'],
  ['sqs:SendMessage', 'Lambda sends failed events to the dead-letter queue'],
  ['dynamodb:DescribeStream', 'Lambda reads the stream for the function'],
  ['dynamodb:GetRecords', 'Lambda reads the stream for the function'],
  ['dynamodb:GetShardIterator', 'Lambda reads the stream for the function'],
  ['dynamodb:ListStreams', 'Lambda reads the stream for the function'],
]);

interface FunctionGrant extends Grant {
  readonly lambda: string;
}

const directory = temporaryDirectory();
const { template } = readAssembly(preparedStack);
const grants = functionGrantsOf(template);

/** Starts a service that records its decisions, and in which the mail service, the scheduler and the workflows fail. */
const [node, ...parameters] = recordingStart;
const failingServices = join(import.meta.dirname, '../fixtures/failing-services.ts');

beforeAll(async () => {
  await restart(directory, { command: [node, '--import', failingServices, ...parameters] });
  await Promise.all([
    useDogs(),
    useBarks(),
    useAsyncBarks(),
    useSchedule('posted', postSchedule),
    useSchedule('patched', patchSchedule),
    useTokens(),
    useMailFeedback(),
  ]);
});

/** While the setting `workflowType` changes, the previous version of a function needs the other state machine. */
function isForPreviousVersion({ action, resource }: Grant): boolean {
  const machines = template.ofType('AWS::StepFunctions::StateMachine');
  const other = machines.find(({ properties }) => properties.StateMachineType === 'STANDARD');
  return action === 'states:StartExecution' && resource === (other && template.idOf(other));
}

function functionGrantsOf({ resources }: Template): FunctionGrant[] {
  const ofType = (wanted: string) => resources.filter(({ type }) => type === wanted);
  return ofType('AWS::Lambda::Function').flatMap(({ name: lambda, properties: { Role } }) =>
    ofType('AWS::IAM::Policy')
      .filter(({ properties }) => properties.Roles.some((role: string) => Role.endsWith(`:role/${role}`)))
      .flatMap(grantsOf)
      .filter((grant) => !byServices.has(grant.action) && !isForPreviousVersion(grant))
      .map((grant) => ({ ...grant, lambda })),
  );
}

/** Sends a request, and checks the status of the response. */
async function send(status: number, method: string, path: string, request: object = {}) {
  const response = await client.send(method, path, request);
  expect([method, path, response.status, response.text]).toEqual([method, path, status, response.text]);
  return response;
}

/** Invokes a function as its AWS service does, and checks its result. */
async function invoke(name: string, event: object, result: object | null = null): Promise<void> {
  const lambda = template.ofType('AWS::Lambda::Function').find((resource) => resource.name === name);
  const FunctionName = lambda && template.arnOf(lambda);
  const command = new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) });
  const { FunctionError, Payload } = await withClient(LambdaClient, directory, (one) => one.send(command));
  const returned = JSON.parse(Payload?.transformToString() ?? '');
  expect([name, FunctionError, returned]).toEqual([name, undefined, result]);
}

const mailing = { email: 'rex@example.com', barkEffects: ['emailDog', 'record'] };
const now = () => Math.floor(Date.now() / 1000);

async function useDogs(): Promise<void> {
  const path = '/v1/dogs/rex/';
  // If the header names several entity tags, the function reads the dog before it writes.
  const listOf = async () => {
    const tag = header(await send(200, 'GET', path), 'ETag');
    return { fields: { 'If-Match': `${tag}, ${tag}` } };
  };
  await send(201, 'PUT', path, { body: {} });
  await send(204, 'PUT', path, { body: {}, ...(await listOf()) });
  await send(200, 'GET', '/v1/dogs/');
  await send(201, 'POST', `${path}barks`);
  await send(205, 'POST', `${path}bark-schedule`, { body: { token: 1, next: now() + 3600 } });
  await send(204, 'DELETE', path, await listOf());
}

async function useBarks(): Promise<void> {
  const path = '/v1/dogs/record-sync/';
  const bark = header(await send(201, 'POST', `${path}barks`), 'Location');
  await send(200, 'GET', bark);
  await send(200, 'GET', `${path}barks`);
  await send(201, 'POST', `${path}bark`);
  await send(200, 'GET', `${path}bark`);
  // Only these preconditions depend on the last bark.
  await send(412, 'POST', `${path}bark`, { fields: { 'If-None-Match': '*' } });
  await send(204, 'DELETE', `${path}bark`, { fields: { 'If-Match': '*' } });
  // The function looks for the outcome of an earlier request with the key.
  const refused = { fields: { 'Idempotency-Key': '"refused"', 'If-Match': '"other"' } };
  for (const resource of ['barks', 'bark']) await send(412, 'POST', `${path}${resource}`, refused);
  await send(504, 'POST', '/v1/dogs/message-sync/barks');
  await send(504, 'POST', '/v1/dogs/message-sync/bark');
}

async function useAsyncBarks(): Promise<void> {
  const barkOf = async (dog: string, resource: string) => {
    const location = header(await send(202, 'POST', `/v1/dogs/${dog}/${resource}`), 'Location');
    return { location, input: { dog, bark: location.split('/').at(-1) } };
  };
  await invoke('PerformBark', (await barkOf('record-async', 'barks')).input, { status: 'complete' });
  await invoke('PerformBark', (await barkOf('message-async', 'barks')).input, { status: 'failed' });
  await invoke('FailBark', (await barkOf('record-async', 'barks')).input);
  await send(204, 'DELETE', (await barkOf('record-async', 'bark')).location);
}

async function postSchedule(path: string, token: number): Promise<void> {
  await send(205, 'POST', `${path}bark-schedule`, { body: { token, next: 0, frequency: 10 } });
}

async function patchSchedule(path: string, frequency: number): Promise<void> {
  const fields = () => ({ 'If-Unmodified-Since': new Date().toUTCString() });
  await send(205, 'PATCH', path, { body: { barks: { next: 0, frequency } }, fields: fields() });
  // This PATCH changes nothing, and only checks that no client has changed the dog in the meantime.
  await send(204, 'PATCH', path, { body: { barks: { frequency } }, fields: fields() });
}

async function useSchedule(dog: string, set: (path: string, n: number) => Promise<void>): Promise<void> {
  const path = `/v1/dogs/${dog}/`;
  await send(201, 'PUT', path, { body: mailing });
  await set(path, 1);
  await set(path, 2);
  const occurrence = await occurrenceOf(dog);
  await invoke('BarkOnSchedule', occurrence);
  await send(200, 'GET', `${path}bark-schedule`);
  await send(204, 'DELETE', `${path}bark-schedule`);
  // A late occurrence: the function may have to send its mail and to delete its schedule.
  await invoke('BarkOnSchedule', occurrence);
}

/** Returns the event that EventBridge Scheduler would send for the schedule of a dog. */
async function occurrenceOf(dog: string): Promise<object> {
  const GroupName = operatorAccess(directory).outputs.ScheduleGroup;
  const { schedule } = await dogItemOf(directory, dog);
  const Name = `${dog}.${(schedule as { scheduleId: string }).scheduleId}`;
  return withClient(SchedulerClient, directory, async (scheduler) => {
    const { Target } = await scheduler.send(new GetScheduleCommand({ GroupName, Name }));
    return { ...JSON.parse(Target?.Input ?? ''), scheduledTime: new Date().toISOString() };
  });
}

async function useMailFeedback(): Promise<void> {
  const path = '/v1/dogs/suspended/';
  const [email, owner] = ['suspended@example.com', 'owner@example.com'];
  await send(201, 'PUT', path, { body: { email, owner: `mailto:${owner}`, barkEffects: ['emailDog'] } });
  const { incarnation, mailKey } = await dogItemOf(directory, 'suspended');
  const link = `${path}mail-subscription/${subscriptionTokenOf(String(mailKey), [owner])}`;
  await send(200, 'GET', link);
  await send(200, 'POST', link, {
    fields: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: Buffer.from('List-Unsubscribe=One-Click'),
  });
  const bouncedRecipients = [{ emailAddress: email }];
  const bounce = { bounceType: 'Permanent', bouncedRecipients, timestamp: new Date().toISOString() };
  const tags = { dog: ['suspended'], incarnation: [incarnation] };
  await invoke('SuspendAddress', { detail: { bounce, mail: { tags } } });
  // A function deletes its claim on a key only if it knows that no mail was sent.
  const keyed = { fields: { 'Idempotency-Key': '"suspended"' } };
  for (const resource of ['barks', 'bark']) await send(409, 'POST', `${path}${resource}`, keyed);
}

async function useTokens(): Promise<void> {
  await send(200, 'GET', '/.well-known/jwks.json');
  const [{ credential: SecretId = '' } = {}] = JSON.parse(
    operatorAccess(directory).outputs.Credentials ?? '',
  ) as Record<string, string>[];
  await withClient(SecretsManagerClient, directory, async (secrets) => {
    const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId }));
    const expired = JSON.stringify({ ...JSON.parse(SecretString), created: 0 });
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: expired }));
  });
  await invoke('RefreshCredentials', {});
}

const textOf = ({ lambda, action, resource }: FunctionGrant) => `${lambda}: ${action} on ${resource}`;

test('without any one grant of the template, except those for AWS services, a call of its function is denied', async () => {
  // The local cloud reads the stream of deletions once a second.
  await eventually(async () => {
    const decisions = Map.groupBy(authorizationDecisions(directory), ({ caller }) => caller);
    const needless = [...Map.groupBy(grants, ({ lambda }) => lambda)].flatMap(([lambda, own]) =>
      superfluous(own, decisions.get(lambda) ?? []),
    );
    expect(needless.map(textOf)).toEqual([]);
  });
  expect(grants.length).toBeGreaterThan(60);
});

test('no function is denied a permission', () => {
  expect(deniedPermissions(service.output())).toEqual([]);
});
