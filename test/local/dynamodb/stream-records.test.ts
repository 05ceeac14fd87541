import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { DynamoDbEmulator } from '../../../local/dynamodb/emulator.ts';
import { trimStream } from '../../../local/dynamodb/stream-records.ts';
import { createTables } from '../../../local/dynamodb/tables.ts';
import type { AwsEndpoint } from '../../../local/endpoint/endpoint.ts';
import { Template } from '../../../local/template/template.ts';
import { serve } from '../../support/local-aws.ts';

const table = {
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
  },
};

let directory: string;
let file: string;
let emulator: DynamoDbEmulator;
let endpoint: AwsEndpoint;
let database: DynamoDBClient;
let streams: DynamoDBStreamsClient;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'records-'));
  file = join(directory, 'dynamodb.sqlite');
  emulator = new DynamoDbEmulator(file, () => {});
  await emulator.start();
  const served = await serve('dynamodb', emulator.serve);
  endpoint = served.endpoint;
  database = new DynamoDBClient(served.configuration);
  streams = new DynamoDBStreamsClient(served.configuration);
  await createTables(database, new Template({ Resources: { Dogs: table, Cats: table } }, 'Stack'));
});

afterEach(async () => {
  database.destroy();
  streams.destroy();
  endpoint.close();
  await emulator.stop();
  rmSync(directory, { recursive: true });
});

async function put(tableName: string, ...ids: string[]): Promise<void> {
  for (const id of ids)
    await database.send(new PutItemCommand({ TableName: tableName, Item: { id: { S: id } } }));
}

function idsIn(tableName: string): string[] {
  const store = new DatabaseSync(file);
  const rows = store
    .prepare('SELECT keys_json FROM _stream_records WHERE table_name = ? ORDER BY id')
    .all(tableName);
  store.close();
  return rows.map(({ keys_json }) => JSON.parse(String(keys_json)).id.S);
}

/** Makes all records older by some seconds. */
function age(seconds: number): void {
  const store = new DatabaseSync(file);
  store.prepare('UPDATE _stream_records SET created_at = created_at - ?').run(seconds);
  store.close();
}

async function positionsIn(tableName: string, after?: string) {
  const { Streams } = await streams.send(new ListStreamsCommand({ TableName: tableName }));
  const StreamArn = Streams?.[0]?.StreamArn;
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  const shardId = StreamDescription?.Shards?.[0]?.ShardId ?? '';
  const { ShardIterator } = await streams.send(
    new GetShardIteratorCommand({
      StreamArn,
      ShardId: shardId,
      ...(after === undefined
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after }),
    }),
  );
  const { Records = [] } = await streams.send(new GetRecordsCommand({ ShardIterator }));
  return Records.map(({ dynamodb }) => ({
    tableName,
    shardId,
    id: dynamodb?.Keys?.id?.S,
    sequenceNumber: dynamodb?.SequenceNumber ?? '',
  }));
}

describe('The records of a stream', () => {
  test('that are older than a day are deleted up to the last processed one', async () => {
    await put('Stack-Dogs', 'one', 'two', 'three', 'four');
    await put('Stack-Cats', 'tom');
    age(25 * 60 * 60);
    await put('Stack-Dogs', 'five');
    const [, , three] = await positionsIn('Stack-Dogs');
    if (!three) throw new Error('There is no record.');
    trimStream(file, three);
    expect(idsIn('Stack-Dogs')).toEqual(['three', 'four', 'five']);
    expect(idsIn('Stack-Cats')).toEqual(['tom']);
  });

  test('are kept for a day after they are processed', async () => {
    await put('Stack-Dogs', 'one', 'two');
    age(23 * 60 * 60);
    const [, two] = await positionsIn('Stack-Dogs');
    if (!two) throw new Error('There is no record.');
    trimStream(file, two);
    expect(idsIn('Stack-Dogs')).toEqual(['one', 'two']);
  });

  test('continue after the last processed one when all records before it are deleted', async () => {
    await put('Stack-Dogs', 'one', 'two');
    age(25 * 60 * 60);
    const [, two] = await positionsIn('Stack-Dogs');
    if (!two) throw new Error('There is no record.');
    trimStream(file, two);
    await put('Stack-Dogs', 'three');
    const after = await positionsIn('Stack-Dogs', two.sequenceNumber);
    expect(after.map(({ id }) => id)).toEqual(['three']);
  });
});
