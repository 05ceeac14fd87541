import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DynamoDBClient, GetItemCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListSuppressedDestinationsCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { isSigned, parseAuthorization } from '../../../local/endpoint/signature.ts';
import { HttpDatabase } from '../../../tools/http-database.ts';
import { header } from '../../support/client.ts';
import { sentBy } from '../../support/faults.ts';
import { UserSecretsManager } from '../../support/user-secrets-manager.ts';
import { operatorAccess, withClient } from '../operator-access.ts';
import {
  client,
  databasesOn,
  exchange,
  readJson,
  restart,
  run,
  runCommand,
  service,
  statusWith,
  temporaryDirectory,
  useService,
} from '../support.ts';

/** Starts an AWS service that the user provides. `result` is its response, which the test can change. */
async function userService(result: string) {
  const calls: { method: string; path: string; headers: Record<string, string>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '' } = request;
    const headers = request.headers as Record<string, string>;
    calls.push({ method, path, headers, body: await text(request) });
    response.end(started.result);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const started = {
    result,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => calls.splice(0),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return started;
}

const namespace = 'xmlns="http://ses.amazonaws.com/doc/2010-12-01/"';
const sent = `<SendRawEmailResponse ${namespace}><SendRawEmailResult><MessageId>1</MessageId></SendRawEmailResult></SendRawEmailResponse>`;

const ses = await userService(sent);
const sfn = await userService('{"executionArn":"arn","startDate":0}');
const scheduler = await userService('{"ScheduleArn":"arn"}');
const secrets = new UserSecretsManager();
const dynamodb = new HttpDatabase(join(temporaryDirectory(), 'dynamodb.sqlite'));
await Promise.all([secrets.listen(), dynamodb.start()]);
const region = 'eu-north-1';
const credentials = { accessKeyId: 'MYOWNKEY', secretAccessKey: 'my own secret' };
const environment = {
  AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
  AWS_ENDPOINT_URL_SCHEDULER: scheduler.url,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
  AWS_ENDPOINT_URL_SES: ses.url,
  AWS_ENDPOINT_URL_SFN: sfn.url,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_SESSION_TOKEN: 'my session',
  AWS_REGION: region,
};

describe('with services of the user', () => {
  const directory = useService({ environment });

  const signed = (name: string) => ({
    authorization: expect.stringMatching(
      new RegExp(`^AWS4-HMAC-SHA256 Credential=MYOWNKEY/\\d{8}/${region}/${name}/`),
    ),
    'x-amz-security-token': 'my session',
  });

  afterAll(async () => {
    await service.stop();
    for (const one of [ses, sfn, scheduler, secrets]) one.close();
    await dynamodb.stop();
  });

  test('the service logs their URLs, and starts no emulators for them', () => {
    for (const [name, url] of Object.entries({
      DynamoDB: dynamodb.url,
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
    const database = new DynamoDBClient({ endpoint: dynamodb.url, region, credentials });
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
    if (!call) throw new Error('There was no call.');
    const authorization = parseAuthorization(call.headers.authorization);
    const request = { ...call, body: Buffer.from(call.body) };
    expect(authorization && (await isSigned(credentials, authorization, request))).toBe(true);
    const parameters = new URLSearchParams(call.body);
    expect(parameters.get('Action')).toBe('SendRawEmail');
    expect(await sentBy(parameters)).toMatchObject({
      to: ['message-sync@example.com'],
      text: expect.stringContaining('Woof!?'),
    });
    // An SES that the user provides lacks the template's configuration set.
    expect(parameters.has('ConfigurationSetName')).toBe(false);
    ses.result = '{}';
    await withClient(SESv2Client, directory, (one) => one.send(new ListSuppressedDestinationsCommand()));
    expect(ses.take()).toMatchObject([{ path: '/v2/email/suppression/addresses' }]);
  });

  test('an asynchronous bark starts an execution in the Step Functions of the user', async () => {
    const response = await client.post('/v1/dogs/record-async/barks');
    const name = header(response, 'Location').split('/').at(-1);
    const [{ headers, body } = { headers: {}, body: '' }, ...more] = sfn.take();
    expect([headers, more]).toEqual([expect.objectContaining(signed('states')), []]);
    expect(JSON.parse(body)).toMatchObject({ name });
  });

  test('the EventBridge Scheduler of the user has the schedules', async () => {
    const path = '/v1/dogs/scheduled/';
    const next = Math.floor(Date.now() / 1000) + 3600;
    await client.put(path, {});
    const set = await client.post(`${path}bark-schedule`, { token: 1, next, frequency: 10 });
    expect(set.status).toBe(205);
    // The functions send reads during their initialization.
    const [call, ...more] = scheduler.take().filter(({ method }) => method !== 'GET');
    expect([call, more]).toEqual([
      {
        method: 'POST',
        path: expect.stringMatching(/^\/schedules\/scheduled\./),
        headers: expect.objectContaining(signed('scheduler')),
        body: expect.stringContaining('"ScheduleExpression":"rate(10 minutes)"'),
      },
      [],
    ]);
  });

  /** Exchanges the refresh token that the first start created. @returns the status of a call with the access token */
  const useRefreshToken = async () => statusWith((await exchange(service.access)).token);

  test('the Secrets Manager of the user has the signing key and the credential, which is refreshed there', async () => {
    const { SigningKeySecret = '', Credentials = '' } = operatorAccess(directory).outputs;
    expect(secrets.valueOf(SigningKeySecret)).toEqual([
      expect.objectContaining({ from: expect.any(Number) }),
    ]);
    expect(await useRefreshToken()).toBe(200);
    const [{ credential }] = JSON.parse(Credentials);
    const command = ['bin/invoke.ts', 'RefreshCredentials', 'events/RefreshCredentials.json'];
    secrets.put(credential, { ...secrets.valueOf(credential), created: 0 });
    expect(await run(process.execPath, command, { DATA_DIR: directory })).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(secrets.valueOf(credential).created).toBeGreaterThan(Date.now() / 1000 - 60);
    for (const authorization of secrets.authorizations)
      expect(authorization).toEqual(signed('secretsmanager').authorization);
    const { code, stdout } = await runCommand(directory, 'credentials', 'get', 'dogs', '--json');
    expect([code, JSON.parse(stdout).token_type]).toEqual([0, 'Bearer']);
  });

  test('a later start and a first start find the secrets of an earlier one, and the refresh token works', async () => {
    await service.stop();
    await restart(directory, { environment });
    expect(await useRefreshToken()).toBe(200);
    await service.stop();
    const { AWS_ENDPOINT_URL_DYNAMODB: _, ...others } = environment;
    await restart(temporaryDirectory(), { environment: others });
    expect(await useRefreshToken()).toBe(200);
  });
});
