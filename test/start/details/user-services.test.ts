import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DynamoDBClient, GetItemCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { HttpDatabase } from '@rest-actions/local-cloud/database';
import { operatorAccess } from '../operator-access.ts';
import { client, databasesOn, restart, service, temporaryDirectory } from '../support.ts';

const directory = temporaryDirectory();
const dynamodb = new HttpDatabase(join(temporaryDirectory(), 'dynamodb.sqlite'));
const region = 'eu-north-1';
const credentials = { accessKeyId: 'MYOWNKEY', secretAccessKey: 'my own secret' };
const signatures: unknown[][] = [];

/** Passes each call to the user's database, and notes its signature. */
const relay = createServer(async (request, response) => {
  const relayed = ['authorization', 'content-type', 'x-amz-date', 'x-amz-target'];
  const headers = Object.fromEntries(relayed.map((name) => [name, String(request.headers[name])]));
  signatures.push([headers.authorization, String(request.headers['x-amz-security-token'])]);
  const reply = await fetch(dynamodb.url, { method: 'POST', headers, body: await text(request) });
  response.writeHead(reply.status, { 'Content-Type': 'application/x-amz-json-1.0' });
  response.end(await reply.text());
});

beforeAll(async () => {
  await dynamodb.start();
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  await restart(directory, {
    environment: {
      AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
      AWS_ENDPOINT_URL_SES: 'http://service.invalid',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_SESSION_TOKEN: 'my session',
      AWS_REGION: region,
    },
  });
});

afterAll(async () => {
  await service.stop();
  relay.closeAllConnections();
  relay.close();
  await dynamodb.stop();
});

describe('with a DynamoDB of the user', () => {
  test('the service names its URL, and starts no database', () => {
    expect(service.output()).toMatch(/Using DynamoDB at http:\/\/127\.0\.0\.1:\d+\.\n/);
    expect(existsSync(join(directory, 'dynamodb.sqlite'))).toBe(false);
    expect(databasesOn(directory)).toEqual([]);
  });

  test('its tables contain the dogs', async () => {
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

  test('calls have the signature of the user', () => {
    expect(signatures.length).toBeGreaterThan(0);
    for (const signature of signatures)
      expect(signature).toEqual([
        expect.stringMatching(new RegExp(`^AWS4-HMAC-SHA256 Credential=MYOWNKEY/\\d{8}/${region}/dynamodb/`)),
        'my session',
      ]);
  });

  test('a variable for another service has no effect, and the service says so', async () => {
    expect(service.output()).toContain(
      'AWS_ENDPOINT_URL_SES has no effect, because only the database can be replaced. Remove the variable.',
    );
    expect((await client.post('/v1/dogs/message-sync/barks')).status).toBe(200);
  });
});
