import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { DynamoDBClient, GetItemCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import type { Service } from '../../../tools/service.ts';
import { sendsMail } from '../../support/capabilities.ts';
import { Client, dogAt, eventually, header } from '../../support/client.ts';
import { sentBy } from '../../support/faults.ts';
import { UserSecretsManager } from '../../support/user-secrets-manager.ts';
import { operatorAccess } from '../operator-access.ts';
import { databasesOn, readJson, start, temporaryDirectory } from '../support.ts';

const binary = resolve('node_modules/@dynoxide/linux-x64/dynoxide');
const runs = existsSync(binary) && process.platform === 'linux' && process.arch === 'x64';
if (!runs) console.log(`skipped: services of the user, because there is no ${binary} for this machine`);

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly error?: string;
}

/** An AWS service that the user provides. The test sets its reply. Without a reply, it closes the connection. */
class UserService {
  calls: Call[] = [];
  reply: Reply | undefined;
  private readonly server: Server;

  constructor(reply: Reply) {
    this.reply = reply;
    this.server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method = '', url: path = '', headers } = request;
      this.calls.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
      if (!this.reply) return request.socket.destroy();
      const { status, body, error } = this.reply;
      return response.writeHead(status, { ...(error && { 'x-amzn-ErrorType': error }) }).end(body);
    });
  }

  async listen(): Promise<void> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Returns the calls since the last time. */
  take(): Call[] {
    return this.calls.splice(0);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

const namespace = 'xmlns="http://ses.amazonaws.com/doc/2010-12-01/"';
const sent = {
  status: 200,
  body: `<SendRawEmailResponse ${namespace}><SendRawEmailResult><MessageId>1</MessageId></SendRawEmailResult></SendRawEmailResponse>`,
};
const mailError = (status: number, code: string) => ({
  status,
  body: `<ErrorResponse ${namespace}><Error><Type>Sender</Type><Code>${code}</Code><Message>No.</Message></Error></ErrorResponse>`,
});
const created = { status: 200, body: '{"ScheduleArn":"arn"}' };

(runs ? describe : describe.skip)('with services of the user', () => {
  const directory = temporaryDirectory();
  const ses = new UserService(sent);
  const sfn = new UserService({ status: 200, body: '{"executionArn":"arn","startDate":0}' });
  const scheduler = new UserService(created);
  const secrets = new UserSecretsManager(temporaryDirectory());
  const region = 'eu-north-1';
  const credentials = { accessKeyId: 'MYOWNKEY', secretAccessKey: 'my own secret' };
  let dynamodb: ChildProcess;
  let dynamodbUrl: string;
  let service: Service;
  let client: Client;

  /** Matches the signature of a call with the user's key. */
  const signed = (name: string) => ({
    authorization: expect.stringMatching(
      new RegExp(`^AWS4-HMAC-SHA256 Credential=MYOWNKEY/\\d{8}/${region}/${name}/`),
    ),
  });

  beforeAll(async () => {
    await Promise.all([ses, sfn, scheduler, secrets].map((one) => one.listen()));
    const port = await freePort();
    dynamodbUrl = `http://127.0.0.1:${port}`;
    dynamodb = spawn(binary, ['serve', '--port', String(port)], { stdio: 'ignore' });
    await eventually(() => fetch(dynamodbUrl));
    service = await start(directory, {
      environment: {
        AWS_ENDPOINT_URL_DYNAMODB: dynamodbUrl,
        AWS_ENDPOINT_URL_SCHEDULER: scheduler.url,
        AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
        AWS_ENDPOINT_URL_SES: ses.url,
        AWS_ENDPOINT_URL_SFN: sfn.url,
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        AWS_REGION: region,
      },
    });
    client = new Client(service.access);
  });

  afterAll(async () => {
    await service.stop();
    for (const one of [ses, sfn, scheduler, secrets]) one.close();
    dynamodb.kill();
  });

  test('the service logs their URLs, and starts no emulators for them', () => {
    for (const [name, url] of Object.entries({
      DynamoDB: dynamodbUrl,
      SES: ses.url,
      'Step Functions': sfn.url,
      'EventBridge Scheduler': scheduler.url,
      'Secrets Manager': secrets.url,
    }))
      expect(service.output()).toContain(`Using ${name} at ${url}.\n`);
    expect(service.output()).not.toContain('inbox');
    expect(readJson<object>(directory, 'access.json')).not.toHaveProperty('mail_url');
    for (const name of ['dynamodb', 'executions', 'schedules', 'secrets'])
      expect([name, existsSync(join(directory, `${name}.sqlite`))]).toEqual([name, false]);
    expect(databasesOn(directory)).toEqual([]);
  });

  test('the DynamoDB of the user has the tables and the dogs', async () => {
    const database = new DynamoDBClient({ endpoint: dynamodbUrl, region, credentials });
    const { outputs } = operatorAccess(directory);
    const { TableNames = [] } = await database.send(new ListTablesCommand());
    expect(TableNames.sort()).toEqual([outputs.AccessTable, outputs.BarksTable, outputs.DogsTable].sort());
    expect((await client.post('/v1/dogs/count-sync/barks')).status).toBe(303);
    const dog = { TableName: outputs.DogsTable, Key: { id: { S: 'count-sync' } } };
    const { Item } = await database.send(new GetItemCommand(dog));
    expect(Item?.barkCount?.N).toBe('1');
    database.destroy();
  });

  test('mail goes to the SES of the user, signed with the user’s key', async () => {
    expect((await client.post('/v1/dogs/message-sync/barks', { message: 'Woof!?' })).status).toBe(200);
    const [call, ...more] = ses.take();
    expect([call?.headers, more]).toEqual([expect.objectContaining(signed('ses')), []]);
    const parameters = new URLSearchParams(call?.body);
    expect(parameters.get('Action')).toBe('SendRawEmail');
    expect(sentBy(parameters)).toMatchObject({
      to: ['message-sync@example.com'],
      text: expect.stringContaining('Woof!?'),
    });
    // An SES that the user provides does not have the configuration set of the template.
    expect(parameters.has('ConfigurationSetName')).toBe(false);
  });

  test.each([
    ['SES refuses', mailError(400, 'MessageRejected'), 502],
    ['SES throttles', mailError(400, 'Throttling'), 503],
    ['SES does not respond to', undefined, 504],
  ])('a mail that %s is sent once and counts no bark', async (_, reply, status) => {
    const path = '/v1/dogs/mailing/';
    await client.put(path, { email: 'rex@example.com', barkEffects: ['emailDog', 'record'] });
    ses.reply = reply;
    expect((await client.post(`${path}barks`)).status).toBe(status);
    expect(ses.take()).toHaveLength(1);
    expect((await dogAt(client, path)).barkCount).toBe(0);
  });

  test('the probe of the black-box suite detects whether the service sends mail', async () => {
    ses.reply = sent;
    expect(await sendsMail(service.access)).toBe(true);
    ses.reply = mailError(400, 'MessageRejected');
    expect(await sendsMail(service.access)).toBe(false);
    ses.reply = mailError(500, 'InternalFailure');
    await expect(sendsMail(service.access)).rejects.toThrow('504');
  });

  test('an asynchronous bark starts an execution in the Step Functions of the user', async () => {
    const response = await client.post('/v1/dogs/record-async/barks');
    const name = header(response, 'Location').split('/').at(-1);
    const [{ headers, body } = { headers: {}, body: '' }, ...more] = sfn.take();
    expect([headers, more]).toEqual([expect.objectContaining(signed('states')), []]);
    expect(JSON.parse(body)).toMatchObject({ name });
  });

  /** Leaves out the reads, which the functions make during their initialization. */
  const changesOf = (calls: Call[]) => calls.filter(({ method }) => method !== 'GET');

  test('the EventBridge Scheduler of the user has the schedules', async () => {
    const path = '/v1/dogs/scheduled/';
    const next = Math.floor(Date.now() / 1000) + 3600;
    const send = (token: number) =>
      client.post(`${path}bark-schedule`, { token, next: next + token, frequency: 10 });
    await client.put(path, {});
    expect((await send(1)).status).toBe(205);
    const [call, ...more] = changesOf(scheduler.take());
    expect([call, more]).toEqual([
      {
        method: 'POST',
        path: expect.stringMatching(/^\/schedules\/scheduled\./),
        headers: expect.objectContaining(signed('scheduler')),
        body: expect.stringContaining('"ScheduleExpression":"rate(10 minutes)"'),
      },
      [],
    ]);

    const before = await dogAt(client, path);
    scheduler.reply = { status: 400, error: 'ValidationException', body: '{"Message":"No such schedule."}' };
    const refused = await send(2);
    expect([refused.status, refused.text]).toEqual([502, expect.stringContaining('No such schedule.')]);
    expect(await dogAt(client, path)).toEqual(before);

    scheduler.reply = created;
    scheduler.take();
    expect((await client.delete(`${path}bark-schedule`)).status).toBe(204);
    expect(scheduler.take().map(({ method, path }) => [method, path.split('?')[0]])).toEqual([
      ['DELETE', call?.path],
    ]);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
