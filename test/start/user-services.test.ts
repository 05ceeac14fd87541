import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { DynamoDBClient, GetItemCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import type { Service } from '../../tools/service.ts';
import { Client, dogAt, eventually, header } from '../support/client.ts';
import { sendsMail } from '../support/mail-probe.ts';
import { UserSecretsManager } from '../support/user-secrets-manager.ts';
import { databasesOn, readJson, start, temporaryDirectory } from './support.ts';

const binary = resolve('node_modules/@dynoxide/linux-x64/dynoxide');
const runs = existsSync(binary) && process.platform === 'linux' && process.arch === 'x64';
if (!runs) console.log(`skipped: services of the user, because there is no ${binary} for this machine`);

type Outcome = 'accepted' | 'refused' | 'throttled' | 'failed' | 'interrupted';

/** An SES that the user provides. The test sets how it responds to a mail. */
class Ses {
  outcome: Outcome = 'accepted';
  calls: { parameters: URLSearchParams; authorization: string }[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      this.calls.push({
        parameters: new URLSearchParams(Buffer.concat(chunks).toString()),
        authorization: request.headers.authorization ?? '',
      });
      const { outcome } = this;
      if (outcome === 'interrupted') return request.socket.destroy();
      const { status, xml } = responses[outcome];
      return response.writeHead(status, { 'Content-Type': 'text/xml' }).end(xml);
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((ready) => this.server.listen(0, '127.0.0.1', ready));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** An EventBridge Scheduler that the user provides. The test sets how it responds to a schedule. */
class Scheduler {
  outcome: Outcome = 'accepted';
  calls: { method: string; path: string; authorization: string; schedule: Record<string, unknown> }[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      this.calls.push({
        method: request.method ?? '',
        path: request.url ?? '',
        authorization: request.headers.authorization ?? '',
        schedule: JSON.parse(Buffer.concat(chunks).toString() || '{}'),
      });
      const { outcome } = this;
      if (outcome === 'interrupted') return request.socket.destroy();
      const { status, error } = schedulerResponses[outcome];
      return response
        .writeHead(status, {
          'Content-Type': 'application/json',
          ...(error && { 'x-amzn-ErrorType': error }),
        })
        .end(JSON.stringify(error ? { Message: 'No such schedule today.' } : { ScheduleArn: 'arn' }));
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((ready) => this.server.listen(0, '127.0.0.1', ready));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

const schedulerResponses = {
  accepted: { status: 200, error: '' },
  refused: { status: 400, error: 'ValidationException' },
  throttled: { status: 429, error: 'ThrottlingException' },
  failed: { status: 500, error: 'InternalServerException' },
};

const namespace = 'http://ses.amazonaws.com/doc/2010-12-01/';
const error = (type: string, code: string) =>
  `<ErrorResponse xmlns="${namespace}"><Error><Type>${type}</Type><Code>${code}</Code><Message>No.</Message></Error><RequestId>1</RequestId></ErrorResponse>`;
const responses = {
  accepted: {
    status: 200,
    xml: `<SendEmailResponse xmlns="${namespace}"><SendEmailResult><MessageId>1</MessageId></SendEmailResult><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></SendEmailResponse>`,
  },
  refused: { status: 400, xml: error('Sender', 'MessageRejected') },
  throttled: { status: 400, xml: error('Sender', 'Throttling') },
  failed: { status: 500, xml: error('Receiver', 'InternalFailure') },
};

(runs ? describe : describe.skip)('with services of the user', () => {
  const directory = temporaryDirectory();
  const ses = new Ses();
  const secrets = new UserSecretsManager(temporaryDirectory());
  const started: { target: unknown; authorization: unknown; input: Record<string, string> }[] = [];
  const sfn = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { 'x-amz-target': target, authorization } = request.headers;
    started.push({ target, authorization, input: JSON.parse(Buffer.concat(chunks).toString()) });
    response.end(JSON.stringify({ executionArn: 'arn', startDate: 0 }));
  });
  const scheduler = new Scheduler();
  let schedulerUrl: string;
  let sfnUrl: string;
  let dynamodb: ChildProcess;
  let dynamodbUrl: string;
  let sesUrl: string;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    sesUrl = await ses.listen();
    await secrets.listen();
    await new Promise<void>((ready) => sfn.listen(0, '127.0.0.1', ready));
    sfnUrl = `http://127.0.0.1:${(sfn.address() as AddressInfo).port}`;
    schedulerUrl = await scheduler.listen();
    const port = await freePort();
    dynamodbUrl = `http://127.0.0.1:${port}`;
    dynamodb = spawn(binary, ['serve', '--port', String(port)], { stdio: 'ignore' });
    await eventually(() => fetch(dynamodbUrl));
    service = await start(directory, {
      environment: {
        AWS_ENDPOINT_URL_DYNAMODB: dynamodbUrl,
        AWS_ENDPOINT_URL_SCHEDULER: schedulerUrl,
        AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
        AWS_ENDPOINT_URL_SES: sesUrl,
        AWS_ENDPOINT_URL_SFN: sfnUrl,
        AWS_ACCESS_KEY_ID: 'MYOWNKEY',
        AWS_SECRET_ACCESS_KEY: 'my own secret',
        AWS_REGION: 'eu-north-1',
      },
    });
    client = new Client(service.access);
  });

  afterAll(async () => {
    await service.stop();
    ses.close();
    secrets.close();
    scheduler.close();
    sfn.close();
    sfn.closeAllConnections();
    dynamodb.kill();
  });

  test('the service logs their URLs, and starts no emulators for them', () => {
    expect(service.output()).toContain(`Using DynamoDB at ${dynamodbUrl}.\n`);
    expect(service.output()).toContain(`Using SES at ${sesUrl}.\n`);
    expect(service.output()).toContain(`Using Step Functions at ${sfnUrl}.\n`);
    expect(service.output()).toContain(`Using EventBridge Scheduler at ${schedulerUrl}.\n`);
    expect(service.output()).toContain(`Using Secrets Manager at ${secrets.url}.\n`);
    expect(service.output()).not.toContain('inbox');
    expect(existsSync(join(directory, 'schedules.sqlite'))).toBe(false);
    expect(existsSync(join(directory, 'executions.sqlite'))).toBe(false);
    expect(existsSync(join(directory, 'secrets.sqlite'))).toBe(false);
    expect(databasesOn(directory)).toEqual([]);
    expect(existsSync(join(directory, 'dynamodb.sqlite'))).toBe(false);
  });

  test('access.json names no inbox', () => {
    expect(Object.keys(readJson<object>(directory, 'access.json')).sort()).toEqual([
      'auth_url',
      'base_url',
      'client_id',
      'client_secret',
      'password',
      'refresh_token',
      'username',
    ]);
  });

  test('the DynamoDB of the user has the tables and the dogs', async () => {
    const database = new DynamoDBClient({
      endpoint: dynamodbUrl,
      region: 'eu-north-1',
      credentials: { accessKeyId: 'MYOWNKEY', secretAccessKey: 'my own secret' },
    });
    const { outputs } = readJson<{ outputs: Record<string, string> }>(directory, 'operator.json');
    const { TableNames = [] } = await database.send(new ListTablesCommand());
    expect(TableNames.sort()).toEqual([outputs.AccessTable, outputs.BarksTable, outputs.DogsTable].sort());
    const dog = { TableName: outputs.DogsTable, Key: { id: { S: 'count-sync' } } };
    expect((await client.post('/v1/dogs/count-sync/barks')).status).toBe(303);
    const { Item } = await database.send(new GetItemCommand(dog));
    expect(Item?.barkCount?.N).toBe('1');
    database.destroy();
  });

  test('mail goes to the SES of the user, signed with the user’s key', async () => {
    ses.calls = [];
    ses.outcome = 'accepted';
    expect((await client.post('/v1/dogs/message-sync/barks', { message: 'Woof!?' })).status).toBe(200);
    const [call, ...more] = ses.calls;
    expect(more).toEqual([]);
    expect(Object.fromEntries(call?.parameters ?? [])).toMatchObject({
      Action: 'SendEmail',
      'Destination.ToAddresses.member.1': 'message-sync@example.com',
      'Message.Body.Text.Data': expect.stringContaining('Woof!?'),
    });
    expect(call?.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=MYOWNKEY\/\d{8}\/eu-north-1\/ses\//);
    // An SES that the user provides does not have the configuration set of the template.
    expect(call?.parameters.has('ConfigurationSetName')).toBe(false);
  });

  test('an asynchronous bark starts an execution in the Step Functions of the user, signed with the user’s key', async () => {
    const response = await client.post('/v1/dogs/record-async/barks');
    expect(response.status).toBe(202);
    const bark = header(response, 'Location').split('/').at(-1);
    expect(started).toEqual([
      {
        target: 'AWSStepFunctions.StartExecution',
        authorization: expect.stringMatching(/Credential=MYOWNKEY\/\d{8}\/eu-north-1\/states\//),
        input: expect.objectContaining({ name: bark }),
      },
    ]);
  });

  const minutes = 60;
  const now = () => Math.floor(Date.now() / 1000);
  const sendPatch = (path: string, next: number) =>
    client.patch(
      path,
      { barks: { next, frequency: 10 } },
      { 'If-Unmodified-Since': new Date().toUTCString() },
    );

  test('the EventBridge Scheduler of the user has the schedules, signed with the user’s key', async () => {
    const path = '/v1/dogs/scheduled/';
    await client.put(path, {});
    Object.assign(scheduler, { outcome: 'accepted', calls: [] });
    const next = now() + 60 * minutes;
    expect((await sendPatch(path, next)).status).toBe(205);
    expect(scheduler.calls).toEqual([
      {
        method: 'POST',
        path: expect.stringMatching(/^\/schedules\/scheduled\./),
        authorization: expect.stringMatching(/Credential=MYOWNKEY\/\d{8}\/eu-north-1\/scheduler\//),
        schedule: expect.objectContaining({ ScheduleExpression: 'rate(10 minutes)' }),
      },
    ]);
    const [made] = scheduler.calls;
    scheduler.calls = [];
    expect((await client.delete(`${path}bark-schedule`)).status).toBe(204);
    const [{ method, path: removed } = { method: '', path: '' }, ...more] = scheduler.calls;
    expect([method, removed.split('?')[0], more]).toEqual(['DELETE', made?.path, []]);
  });

  test.each<[Outcome, number, number]>([
    ['refused', 403, 502],
    ['throttled', 503, 503],
    ['failed', 503, 503],
    ['interrupted', 503, 503],
  ])(
    'a schedule that is %s returns %i for PATCH and %i for POST and keeps the previous schedule',
    async (outcome, status, statusOfPost) => {
      const path = `/v1/dogs/scheduled-${outcome.replace(' ', '-')}/`;
      await client.put(path, {});
      const next = now() + 60 * minutes;
      scheduler.outcome = 'accepted';
      await client.post(`${path}bark-schedule`, { token: 1, next });
      const before = await dogAt(client, path);
      scheduler.outcome = outcome;
      const schedule = { token: 2, next: 0, frequency: 10 };
      const response = await sendPatch(path, next + minutes);
      expect(response.status).toBe(status);
      expect(header(response, 'Content-Type')).toBe('application/problem+json');
      if (status === 503) expect(Number(header(response, 'Retry-After'))).toBeGreaterThan(0);
      else expect(response.text).toContain('No such schedule today.');
      expect((await sendPatch(path, 0)).status).toBe(status);
      expect((await client.post(`${path}bark-schedule`, schedule)).status).toBe(statusOfPost);
      expect(await dogAt(client, path)).toEqual(before);
      scheduler.outcome = 'accepted';
      expect((await sendPatch(path, next + minutes)).status).toBe(205);
      expect((await client.post(`${path}bark-schedule`, schedule)).status).toBe(205);
      expect(await dogAt(client, path)).toMatchObject({ barkCount: 1 });
    },
  );

  test('deleting a schedule does not wait for the scheduler', async () => {
    const path = '/v1/dogs/scheduled-ended/';
    await client.put(path, {});
    scheduler.outcome = 'accepted';
    await client.post(`${path}bark-schedule`, { token: 1, next: now() + 60 * minutes });
    scheduler.outcome = 'failed';
    expect((await client.delete(`${path}bark-schedule`)).status).toBe(204);
    expect(await dogAt(client, path)).not.toHaveProperty('barks');
    scheduler.outcome = 'accepted';
  });

  test.each<[Outcome, number, string]>([
    ['refused', 502, ''],
    ['throttled', 503, '1'],
    ['failed', 503, '1'],
    ['interrupted', 503, '1'],
  ])(
    'a mail that is %s returns %i, is sent to SES once and counts no bark',
    async (outcome, status, retryAfter) => {
      const path = `/v1/dogs/${outcome.replace(' ', '-')}/`;
      await client.put(path, { email: 'rex@example.com', barkEffects: ['emailDog', 'record'] });
      const before = await dogAt(client, path);
      Object.assign(ses, { outcome, calls: [] });
      const response = await client.post(`${path}barks`);
      expect([response.status, header(response, 'Retry-After')]).toEqual([status, retryAfter]);
      expect(header(response, 'Content-Type')).toBe('application/problem+json');
      expect(ses.calls).toHaveLength(1);
      expect(await dogAt(client, path)).toEqual(before);
      expect(JSON.parse((await client.get(`${path}barks`)).text)).toEqual({ barks: [] });
      ses.outcome = 'accepted';
      expect((await client.post(`${path}barks`)).status).toBe(201);
    },
  );

  test('the probe of the black-box suite detects whether the service sends mail', async () => {
    ses.outcome = 'accepted';
    expect(await sendsMail(service.access)).toBe(true);
    ses.outcome = 'refused';
    expect(await sendsMail(service.access)).toBe(false);
    ses.outcome = 'failed';
    await expect(sendsMail(service.access)).rejects.toThrow('503');
    ses.outcome = 'accepted';
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
