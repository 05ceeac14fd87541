import type { DatabaseProcess } from '../../dynamodb/database-process.ts';
import { DynamoDbEmulator } from '../../dynamodb/emulator.ts';
import type { ItemReader } from '../../dynamodb/item-reader.ts';
import { Operations } from '../../dynamodb/operations.ts';
import { isAboutFullDisk } from '../../platform/disk-errors.ts';
import { HttpDatabase } from '../../testing/http-database.ts';
import { useTestCloud } from '../support/emulators.ts';

const cloud = useTestCloud();

const key = (dog: string, sk: string) => ({ dog: { S: dog }, sk: { S: sk } });
const item = (dog: string, sk: string, count: number) => ({ ...key(dog, sk), count: { N: String(count) } });

const keySchema = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: 'HASH' },
  { AttributeName: sort, KeyType: 'RANGE' },
];

const barks = { TableName: 'Barks' };
const noSuchTable = { TableName: 'NoSuchTable' };
const condition = {
  ConditionExpression: 'attribute_not_exists(dog)',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
};
const exists = { ...condition, ConditionExpression: 'attribute_exists(dog)' };
const increment = {
  UpdateExpression: 'ADD #count :one',
  ExpressionAttributeNames: { '#count': 'count' },
  ExpressionAttributeValues: { ':one': { N: '1' } },
};
const ofRex = {
  ...barks,
  KeyConditionExpression: 'dog = :dog',
  ExpressionAttributeValues: { ':dog': { S: 'rex' } },
};

const table = {
  ...barks,
  KeySchema: keySchema('dog', 'sk'),
  AttributeDefinitions: ['dog', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  BillingMode: 'PAY_PER_REQUEST',
};

const manyKeys = Array.from({ length: 101 }, (_, i) => key('rex', String(i)));

const batch = (Barks: object, more = {}) => ['BatchGetItem', { RequestItems: { Barks, ...more } }] as const;
const transaction = (...TransactItems: object[]) => ['TransactWriteItems', { TransactItems }] as const;

const calls: readonly (readonly [string, object])[] = [
  ['CreateTable', table],
  ['CreateTable', table],
  ['ListTables', {}],
  ['PutItem', { ...barks, Item: { ...item('rex', 'a', 1), text: { S: 'wüff 🐕 \u2028 "\\' } } }],
  ['PutItem', { ...barks, Item: item('rex', 'b', 2), ReturnValues: 'ALL_OLD' }],
  ['PutItem', { ...barks, Item: item('rex', 'b', 3), ReturnValues: 'ALL_OLD' }],
  ['PutItem', { ...barks, Item: item('rex', 'b', 4), ...condition }],
  ['PutItem', { ...barks, Item: item('rex', 'b', 4), ConditionExpression: 'attribute_not_exists(dog)' }],
  ['PutItem', { ...barks, Item: { dog: { S: 'rex' } } }],
  ['PutItem', { ...barks, Item: { ...item('rex', 'large', 4), text: { S: 'x'.repeat(400 * 1024) } } }],
  ['PutItem', { ...noSuchTable, Item: item('rex', 'a', 1) }],
  ['UpdateItem', { ...barks, Key: key('rex', 'a'), ...increment, ReturnValues: 'ALL_NEW' }],
  ['UpdateItem', { ...barks, Key: key('rex', 'a'), ...increment, ...condition }],
  ['GetItem', { ...barks, Key: key('rex', 'a'), ConsistentRead: true }],
  ['GetItem', { ...barks, Key: key('none', 'a') }],
  ['GetItem', { ...barks, Key: { dog: { S: 'rex' } } }],
  ['GetItem', { ...barks, Key: key('rex', '') }],
  ['GetItem', { ...barks, Key: key('rex', 'x'.repeat(1025)) }],
  ['GetItem', { ...barks, Key: { ...key('rex', 'a'), count: { N: '1' } } }],
  ['GetItem', { ...barks, Key: key('rex', 'a'), ProjectionExpression: 'sk' }],
  ['GetItem', { ...noSuchTable, Key: key('rex', 'a') }],
  ['Query', ofRex],
  ['Query', { ...ofRex, Limit: 1, ScanIndexForward: false, ConsistentRead: true }],
  ['Query', { ...ofRex, Limit: 0 }],
  // More than a page of 1 MB together.
  ...Array.from({ length: 4 }, (_, i): [string, object] => [
    'PutItem',
    { ...barks, Item: { ...item('long', String(i), i), text: { S: 'ü'.repeat(190 * 1024) } } },
  ]),
  ['Query', { ...ofRex, ExpressionAttributeValues: { ':dog': { S: 'long' } } }],
  ['Scan', barks],
  batch({ Keys: [key('rex', 'b'), key('none', 'a')], ConsistentRead: true }),
  ['CreateTable', { ...table, TableName: 'Dogs' }],
  ['PutItem', { TableName: 'Dogs', Item: item('rex', 'a', 5) }],
  batch({ Keys: [key('rex', 'b')] }, { Dogs: { Keys: [key('rex', 'a')] } }),
  batch({ Keys: [key('none', 'a')] }),
  batch({ Keys: [key('rex', 'b'), key('rex', 'b')] }),
  batch({ Keys: [] }),
  batch({ Keys: [{ dog: { S: 'rex' } }] }),
  batch({ Keys: [key('rex', 'b')], ProjectionExpression: 'sk' }),
  batch({ Keys: manyKeys }),
  batch({ Keys: ['0', '1', '2', '3'].map((sk) => key('long', sk)) }),
  ['BatchGetItem', { RequestItems: { NoSuchTable: { Keys: [key('rex', 'b')] } } }],
  ['BatchGetItem', { RequestItems: {} }],
  ['PutItem', { ...barks, Item: item('lassie', 'a', 1) }],
  transaction(
    { Put: { ...barks, Item: item('lassie', 'b', 1), ...condition } },
    { Update: { ...barks, Key: key('lassie', 'a'), ...increment } },
  ),
  transaction(
    { Put: { ...barks, Item: item('lassie', 'c', 1) } },
    { Put: { ...barks, Item: item('lassie', 'b', 2), ...condition } },
    { Delete: { ...barks, Key: key('lassie', 'a'), ...condition } },
    { ConditionCheck: { ...barks, Key: key('none', 'a'), ...exists } },
  ),
  ['DeleteItem', { ...barks, Key: key('lassie', 'b'), ReturnValues: 'ALL_OLD' }],
  ['DeleteItem', { ...barks, Key: key('rex', 'a'), ...condition }],
  ['UpdateTimeToLive', { ...barks, TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true } }],
  ['DeleteTable', barks],
  ['GetItem', { ...barks, Key: key('rex', 'b') }],
  ['CreateTable', { ...table, KeySchema: keySchema('sk', 'dog') }],
  ['PutItem', { ...barks, Item: item('rex', 'a', 1) }],
  ['GetItem', { ...barks, Key: key('rex', 'a') }],
];

/** The server requires the headers of a signature, but does not verify it. */
const signature = {
  'x-amz-date': '20261122T000000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=a/20261122/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=a',
};

test('The embedded database responds to each call as its HTTP server does', () => compare(calls));

test('A condition that fails returns the item that made it fail, although another write of it is waiting', async () => {
  const emulator = cloud.use(new DynamoDbEmulator(cloud.file('concurrent.sqlite'), () => {}));
  await emulator.start();
  const perform = async (operation: string, request: object) =>
    JSON.parse(String((await emulator.serve(callOf(operation, request))).body));
  await perform('CreateTable', table);
  const counts = Array.from({ length: 20 }, (_, i) => i + 1);
  await Promise.all(['a', 'b'].map((sk) => perform('PutItem', { ...barks, Item: item('rex', sk, 0) })));
  const { dog, sk } = key('rex', 'a');
  const a = { Update: { ...barks, Key: { sk, dog }, ...increment } };
  const b = { Update: { ...barks, Key: key('rex', 'b'), ...increment } };
  const failed = await Promise.all(
    counts.map(async (count) => {
      const failing = perform('PutItem', { ...barks, Item: item('rex', 'a', 99), ...condition });
      await perform('TransactWriteItems', { TransactItems: count % 2 ? [a, b] : [b, a] });
      return failing;
    }),
  );
  expect(failed.map(({ Item }) => Number(Item.count.N))).toEqual(counts.map((count) => count - 1));
});

function operationsOf(tool: string, parameters: string[], call: DatabaseProcess['call']): Operations {
  const tools = new Map([[tool, new Set(parameters)]]);
  const reader = { read: () => undefined, keyOf: () => ({}) } as unknown as ItemReader;
  return new Operations({ tools, call } as unknown as DatabaseProcess, reader);
}

test('Writes of different items do not wait for each other', async () => {
  const started: unknown[] = [];
  const operations = operationsOf('delete_item', ['table_name', 'key'], (_, request) => {
    started.push(request);
    return new Promise(() => {});
  });
  for (const sk of ['a', 'b', 'a'])
    void operations.perform('DeleteItem', JSON.stringify({ ...barks, Key: key('rex', sk) }));
  await new Promise(setImmediate);
  expect(started).toEqual(['a', 'b'].map((sk) => ({ table_name: 'Barks', key: key('rex', sk) })));
});

test('A call on a full disk is rejected as one, so that the terminal shows the reason', async () => {
  // Dynoxide has returned this text on a full disk.
  const message =
    'commit failed (backend: database or disk is full) and rollback also failed (backend: cannot rollback - no transaction is active)';
  const text = JSON.stringify({ error_type: 'InternalServerError', message });
  const operations = operationsOf('put_item', ['table_name', 'item'], async () => ({ text, isError: true }));
  const put = operations.perform('PutItem', '{"TableName":"dogs","Item":{}}');
  const error: Error = await put.then(
    () => new Error('no error'),
    (thrown) => thrown,
  );
  expect([error.message, isAboutFullDisk(error)]).toEqual(['database or disk is full', true]);
});

function callOf(operation: string, request: object) {
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `DynamoDB_20120810.${operation}`,
  };
  const body = Buffer.from(JSON.stringify(request));
  return { caller: 'test', service: 'dynamodb', method: 'POST', path: '/', headers, body };
}

async function compare(requests: typeof calls): Promise<void> {
  const emulator = cloud.use(new DynamoDbEmulator(cloud.file('emulator.sqlite'), () => {}));
  const server = cloud.use(new HttpDatabase(cloud.file('server.sqlite')));
  await Promise.all([emulator.start(), server.start()]);
  const responses = [];
  const expected = [];
  for (const [operation, request] of requests) {
    const call = callOf(operation, request);
    const { headers, body } = call;
    const response = await emulator.serve(call);
    responses.push([operation, response.status, comparable(JSON.parse(String(response.body)))]);
    const other = await fetch(server.url, { method: 'POST', headers: { ...headers, ...signature }, body });
    expected.push([operation, other.status, comparable(await other.json())]);
  }
  expect(responses).toEqual(expected);
}

/** The fields that differ between two databases, and the snapshot that only the emulator's database process creates. */
const differing = new Set([
  'CreationDateTime',
  'LatestStreamArn',
  'LatestStreamLabel',
  'TableId',
  '_auto_snapshot',
]);

function comparable(response: unknown): unknown {
  return JSON.parse(JSON.stringify(response), (name, value) => (differing.has(name) ? undefined : value));
}
