import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { keyRange, sortKey } from '../lambdas/domain/barks/keys.ts';
import { createTables } from '../local/dynamodb/tables.ts';
import { region } from '../local/template/arns.ts';
import { readAssembly } from '../local/template/synthesize.ts';
import { HttpDatabase } from '../tools/http-database.ts';
import { dogItem } from './items.ts';
import { rateOf } from './turns.ts';

/*
 * The throughput benchmark's baselines, in a process of their own: a bare server that sends a copy of a route's response, and two
 * routes' database calls, sent with only the SDK to an embedded database that contains the same dogs.
 */

/** A message to this process. The reply is the bare server's URL, or the work's rate per second. */
export type Question =
  | { readonly headers: Record<string, string>; readonly body: string }
  | { readonly work: 'reads' | 'bark'; readonly seconds: number; readonly concurrency: number };

const [assembly = '', ...dogs] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), 'dogs-bench-'));
const embedded = new HttpDatabase(join(directory, 'dynamodb.sqlite'));
await embedded.start();
const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
const client = new DynamoDBClient({ endpoint: embedded.url, region, credentials });
const { template } = readAssembly(assembly);
await createTables(client, template);
const { DogsTable, BarksTable } = template.outputs;
const database = DynamoDBDocumentClient.from(client);
await Promise.all(
  dogs.map((dog) => database.send(new PutCommand({ TableName: DogsTable, Item: dogItem(dog) }))),
);

const works = {
  reads: (dog: string) => Promise.all([readDog(dog), queryBarks(dog)]),
  bark: async (dog: string) => {
    await readDog(dog);
    await transact(dog);
  },
};

function readDog(id: string) {
  return database.send(new GetCommand({ TableName: DogsTable, Key: { id }, ConsistentRead: true }));
}

function queryBarks(dog: string) {
  const { from, to } = keyRange('historyEntry', 'pendingMarker');
  return database.send(
    new QueryCommand({
      TableName: BarksTable,
      KeyConditionExpression: 'dog = :dog AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':dog': dog, ':from': from, ':to': to },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: 120,
    }),
  );
}

function transact(dog: string) {
  const timestamp = Math.floor(Date.now() / 1000);
  const { incarnation } = dogItem(dog);
  return database.send(
    new TransactWriteCommand({
      ClientRequestToken: randomUUID(),
      TransactItems: [
        {
          Put: {
            TableName: BarksTable,
            Item: { dog, sk: sortKey('historyEntry', randomUUID()), incarnation, timestamp, resource: true },
            ConditionExpression: 'attribute_not_exists(sk)',
          },
        },
        {
          Update: {
            TableName: DogsTable,
            Key: { id: dog },
            UpdateExpression: 'SET lastModified = :now ADD barkCount :one, version :one',
            ConditionExpression: 'incarnation = :incarnation AND lastModified <= :now',
            ExpressionAttributeValues: { ':incarnation': incarnation, ':now': timestamp, ':one': 1 },
          },
        },
      ],
    }),
  );
}

let turns = 0;

function work(kind: keyof typeof works): Promise<unknown> {
  return works[kind](dogs[turns++ % dogs.length] ?? '');
}

async function serve(headers: Record<string, string>, body: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(200, headers).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

process.on('message', async (question: Question) => {
  process.send?.(
    'work' in question
      ? await rateOf(() => work(question.work), question.seconds, question.concurrency)
      : await serve(question.headers, question.body),
  );
});
process.once('disconnect', async () => {
  await embedded.stop();
  rmSync(directory, { recursive: true });
  process.exit();
});
process.send?.('ready');
