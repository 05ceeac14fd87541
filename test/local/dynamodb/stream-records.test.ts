import { DatabaseSync } from 'node:sqlite';
import { DescribeTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDbEmulator } from '../../../local/dynamodb/emulator.ts';
import { trimStream } from '../../../local/dynamodb/stream-records.ts';
import { StreamsClient } from '../../../local/dynamodb/streams-client.ts';
import { createTables } from '../../../local/dynamodb/tables.ts';
import { Template } from '../../../local/template/template.ts';
import { useTestCloud } from '../../support/emulators.ts';

const table = {
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
  },
};

const cloud = useTestCloud();
let file: string;
let database: DynamoDBClient;
let streams: StreamsClient;

beforeEach(async () => {
  file = cloud.file('dynamodb.sqlite');
  const emulator = cloud.use(new DynamoDbEmulator(file, () => {}));
  await emulator.start();
  database = await cloud.client(DynamoDBClient, 'dynamodb', emulator.serve);
  streams = new StreamsClient(emulator.serve);
  await createTables(database, new Template({ Resources: { Dogs: table, Cats: table } }, 'Stack'));
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

/** Returns the records of a table, from the oldest one or after a sequence number. */
async function recordsOf(TableName: string, SequenceNumber?: string) {
  const { Table } = await database.send(new DescribeTableCommand({ TableName }));
  const StreamArn = Table?.LatestStreamArn;
  const { StreamDescription } = await streams.send('DescribeStream', { StreamArn });
  const ShardId = StreamDescription?.Shards?.[0]?.ShardId ?? '';
  const ShardIteratorType = SequenceNumber === undefined ? 'TRIM_HORIZON' : 'AFTER_SEQUENCE_NUMBER';
  const start = { StreamArn, ShardId, ShardIteratorType, SequenceNumber };
  const { ShardIterator } = await streams.send('GetShardIterator', start);
  const { Records = [] } = await streams.send('GetRecords', { ShardIterator });
  return Records.map(({ dynamodb }) => ({ ShardId, ...dynamodb }));
}

/** Trims the stream of the dogs after the last of the records is processed. Returns the position of this record. */
async function trimTo(processed: number): Promise<string> {
  const { ShardId = '', SequenceNumber = '' } = (await recordsOf('Stack-Dogs'))[processed - 1] ?? {};
  expect(SequenceNumber).not.toBe('');
  trimStream(file, { tableName: 'Stack-Dogs', shardId: ShardId, sequenceNumber: SequenceNumber });
  return SequenceNumber;
}

describe('The records of a stream', () => {
  test('that are older than a day are deleted up to the last processed one', async () => {
    await put('Stack-Dogs', 'one', 'two', 'three', 'four');
    await put('Stack-Cats', 'tom');
    age(25 * 60 * 60);
    await put('Stack-Dogs', 'five');
    await trimTo(3);
    expect(idsIn('Stack-Dogs')).toEqual(['three', 'four', 'five']);
    expect(idsIn('Stack-Cats')).toEqual(['tom']);
  });

  test('are kept for a day after they are processed', async () => {
    await put('Stack-Dogs', 'one', 'two');
    age(23 * 60 * 60);
    await trimTo(2);
    expect(idsIn('Stack-Dogs')).toEqual(['one', 'two']);
  });

  test('continue after the last processed one when all records before it are deleted', async () => {
    await put('Stack-Dogs', 'one', 'two');
    age(25 * 60 * 60);
    const processed = await trimTo(2);
    await put('Stack-Dogs', 'three');
    expect(await recordsOf('Stack-Dogs', processed)).toMatchObject([{ Keys: { id: { S: 'three' } } }]);
  });
});
