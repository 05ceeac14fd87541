import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as sdk from '@aws-sdk/client-dynamodb';
import { DynamoDbEmulator } from '../../dynamodb/emulator.ts';
import { trimStreams } from '../../dynamodb/stream-records.ts';
import { StreamsClient } from '../../dynamodb/streams-client.ts';
import { createTables } from '../../dynamodb/tables.ts';
import { UserError } from '../../platform/user-error.ts';
import { Template } from '../../template/template.ts';
import { eventually } from '../../testing/eventually.ts';
import { processesWith } from '../../testing/local-processes.ts';
import { type Send, sender } from '../support/conformance.ts';
import { useTestCloud } from '../support/emulators.ts';

const cloud = useTestCloud();
let file: string;
let crashes: string[];
let database: DynamoDbEmulator;
let client: sdk.DynamoDBClient;
let send: Send;

beforeEach(async () => {
  mkdirSync(cloud.file('service'));
  file = cloud.file('service/dynamodb.sqlite');
  crashes = [];
  open();
  cloud.use({ stop: () => database.stop() });
  client = await cloud.client(sdk.DynamoDBClient, 'dynamodb', (call) => database.serve(call));
  send = sender(client, sdk);
});

afterEach(async () => {
  jest.restoreAllMocks();
  await cloud.stop();
  expect(processesWith(cloud.directory)).toEqual([]);
});

/** Opens the database again. `start` starts its process. */
function open(settings = {}): void {
  database = new DynamoDbEmulator(file, (message) => crashes.push(message), settings);
}

async function startWithTables(): Promise<void> {
  await database.start();
  await createTables(client, template);
}

function kill(): number {
  const [pid] = processesWith(file);
  if (pid === undefined) throw new Error('The database has no process.');
  process.kill(pid, 'SIGKILL');
  return pid;
}

function tableOf(keys: readonly string[], more: object = {}) {
  return {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keys.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? 'HASH' : 'RANGE' })),
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: true,
      ...more,
    },
  };
}

const dogs = tableOf(['id']);
const barks = tableOf(['dog', 'sk'], {
  TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
});
const withStream = (StreamViewType: string) => tableOf(['id'], { StreamSpecification: { StreamViewType } });
const templateOf = (Dogs: ReturnType<typeof tableOf>, more: Record<string, { Type: string }> = {}) =>
  new Template({ Resources: { Dogs, ...more } }, 'Stack');
const template = templateOf(withStream('OLD_IMAGE'), { Barks: barks, Role: { Type: 'AWS::IAM::Role' } });

const rex = { TableName: 'Stack-Dogs', Item: { id: { S: 'rex' } } };
const keyOfRex = { TableName: 'Stack-Dogs', Key: { id: { S: 'rex' } } };
const tableNames = async () => (await send<sdk.ListTablesOutput>('ListTables', {})).TableNames?.toSorted();
const foundRex = async () => (await send<sdk.GetItemOutput>('GetItem', keyOfRex)).Item;

describe('The tables', () => {
  beforeEach(() => database.start());

  test('are created from the template', async () => {
    await createTables(client, template);
    expect(await tableNames()).toEqual(['Stack-Barks', 'Stack-Dogs']);
    const stream = { StreamEnabled: true, StreamViewType: 'OLD_IMAGE' };
    for (const [TableName, KeySchema, StreamSpecification] of [
      ['Stack-Dogs', dogs.Properties.KeySchema, stream],
      ['Stack-Barks', barks.Properties.KeySchema, undefined],
    ]) {
      const { Table } = await send<sdk.DescribeTableOutput>('DescribeTable', { TableName });
      expect([Table?.KeySchema, Table?.StreamSpecification]).toEqual([KeySchema, StreamSpecification]);
    }
    expect(await send('DescribeTimeToLive', { TableName: 'Stack-Barks' })).toMatchObject({
      TimeToLiveDescription: { AttributeName: 'expires', TimeToLiveStatus: 'ENABLED' },
    });
  });

  test('are unchanged if they exist, and the others are created', async () => {
    await createTables(client, templateOf(dogs));
    await send('PutItem', rex);
    await createTables(client, template);
    expect(await foundRex()).toEqual(rex.Item);
    expect(await tableNames()).toEqual(['Stack-Barks', 'Stack-Dogs']);
  });

  test('use an index to number the records of a stream', async () => {
    await createTables(client, template);
    const store = new DatabaseSync(file, { readOnly: true });
    const numbering =
      'SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = ?';
    expect(store.prepare(`EXPLAIN QUERY PLAN ${numbering}`).get('Stack-Dogs')).toMatchObject({
      detail: expect.stringContaining('USING COVERING INDEX'),
    });
    store.close();
  });

  test.each([undefined, 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES'])(
    'get the stream of the template if theirs has the view type %s',
    async (before) => {
      await createTables(client, templateOf(before === undefined ? dogs : withStream(before)));
      await createTables(client, templateOf(withStream('NEW_AND_OLD_IMAGES')));
      const { Table } = await send<sdk.DescribeTableOutput>('DescribeTable', { TableName: 'Stack-Dogs' });
      const expected = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };
      expect(Table?.StreamSpecification).toEqual(expected);
    },
  );

  test.each([[['name']], [['id', 'name']]])('with other keys than %j are refused', async (keys) => {
    await createTables(client, templateOf(tableOf(keys)));
    const refused = createTables(client, template);
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(
      'The keys of the table Stack-Dogs differ from those in the template. Set DATA_DIR to another folder. If you use AWS_ENDPOINT_URL_DYNAMODB, set it to another database instead.',
    );
  });
});

test.each([
  ['kept for a week', 6, ['one', 'two', 'late']],
  ['deleted after a week', 8, ['late']],
])('The stream records of a table are %s, and their numbers continue', async (_, days, kept) => {
  await startWithTables();
  const put = (id: string) => send('PutItem', { TableName: 'Stack-Dogs', Item: { id: { S: id } } });
  const query = (sql: string) => {
    const store = new DatabaseSync(file);
    const rows = store.prepare(sql).all() as { keys_json: string; sequence_number: string }[];
    store.close();
    return rows;
  };
  const records = () => query('SELECT * FROM _stream_records ORDER BY id');
  for (const id of ['one', 'two']) await put(id);
  const [first] = records();
  query(`UPDATE _stream_records SET created_at = created_at - ${days * 24 * 3_600}`);
  trimStreams(file);
  await put('late');
  trimStreams(file);
  expect(records().map(({ keys_json }) => JSON.parse(keys_json).id.S)).toEqual(kept);
  expect(Number(records().at(-1)?.sequence_number)).toBe(Number(first?.sequence_number) + 2);
});

test('An expired item is deleted, and its stream record names DynamoDB', async () => {
  open({ sweepIntervalMs: 10 });
  await database.start();
  const stream = { StreamSpecification: { StreamViewType: 'OLD_IMAGE' } };
  const TimeToLiveSpecification = { AttributeName: 'expires', Enabled: true };
  await createTables(client, templateOf(tableOf(['id'], { ...stream, TimeToLiveSpecification })));
  const putUntil = (id: string, expires: number) =>
    send('PutItem', { TableName: 'Stack-Dogs', Item: { id: { S: id }, expires: { N: String(expires) } } });
  await putUntil('young', 4_000_000_000);
  await putUntil('old', 1);
  const kept = async () => (await send<sdk.ScanOutput>('Scan', { TableName: 'Stack-Dogs' })).Items;
  await eventually(async () => expect(await kept()).toMatchObject([{ id: { S: 'young' } }]));
  const { Table } = await send<sdk.DescribeTableOutput>('DescribeTable', { TableName: 'Stack-Dogs' });
  const streams = new StreamsClient((call) => database.serve(call));
  const { LatestStreamArn: StreamArn } = Table ?? {};
  const { StreamDescription } = await streams.send('DescribeStream', { StreamArn });
  const ShardId = StreamDescription?.Shards?.[0]?.ShardId;
  const start = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
  const { ShardIterator } = await streams.send('GetShardIterator', start);
  const { Records } = await streams.send('GetRecords', { ShardIterator });
  const userIdentity = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };
  expect(Records?.at(-1)).toMatchObject({ eventName: 'REMOVE', userIdentity });
});

test('A parameter that the database does not support causes an error', async () => {
  await startWithTables();
  const scan = { TableName: 'Stack-Dogs', AttributesToGet: ['id'] };
  expect(await send('Scan', scan)).toMatchObject({
    message: 'The embedded database does not support the Scan parameter AttributesToGet.',
  });
});

describe('The database', () => {
  test('can be stopped before its start, and twice', async () => {
    await database.stop();
    await database.stop();
    expect(processesWith(file)).toEqual([]);
  });

  test('restarts with its data each time it is killed, and reports it', async () => {
    await startWithTables();
    await send('PutItem', rex);
    for (let kills = 1; kills <= 3; kills++) {
      await respondsAgain(kill());
      expect(crashes).toEqual(Array(kills).fill('The database process died and is restarting.'));
      expect(await foundRex()).toEqual(rex.Item);
    }
  });

  test('is replaced after a number of calls, while reads and writes wait', async () => {
    open({ maxCalls: 10 });
    await startWithTables();
    const [first] = processesWith(file);
    const names = Array.from({ length: 30 }, (_, i) => `dog-${i}`);
    const scans: Promise<unknown>[] = [];
    const puts = names.map((name) => {
      scans.push(send('Scan', { TableName: 'Stack-Dogs' }));
      return send('PutItem', { TableName: 'Stack-Dogs', Item: { id: { S: name } } });
    });
    for (const reply of await Promise.all([...puts, ...scans]))
      expect(reply).toMatchObject({ refused: undefined });
    const { Items = [] } = await send<sdk.ScanOutput>('Scan', { TableName: 'Stack-Dogs' });
    expect(Items.map(({ id }) => id?.S).sort()).toEqual(names.sort());
    expect(processesWith(file)).toEqual([expect.any(Number)]);
    expect(processesWith(file)).not.toEqual([first]);
    expect(crashes).toEqual([]);
  });

  test('can be stopped while it is replaced', async () => {
    open({ maxCalls: 3 });
    await database.start();
    const created = createTables(client, template).catch(() => {});
    await database.stop();
    await created;
    expect(processesWith(file)).toEqual([]);
  });

  test('responds to or rejects each call in progress when it is killed', async () => {
    await startWithTables();
    const text = { S: 'wüff 🐕 '.repeat(30_000) };
    const item = { ...rex.Item, text };
    await send('PutItem', { ...rex, Item: item });
    const reads = Array.from({ length: 20 }, () => send('GetItem', keyOfRex));
    await reads[0];
    const pid = kill();
    for (const read of await Promise.all(reads))
      expect(read).toMatchObject(read.refused ? { status: 503 } : { Item: item });
    await respondsAgain(pid);
    expect(await foundRex()).toEqual(item);
  });

  test('performs calls after a restart that arrive while it is not running', async () => {
    await startWithTables();
    const pid = kill();
    await eventually(async () => expect(crashes).toHaveLength(1));
    expect(await send('PutItem', rex)).toMatchObject({ refused: undefined });
    await respondsAgain(pid);
  });

  // Only Linux has these files.
  (process.platform === 'linux' ? test : test.skip)('listens on no port', async () => {
    await database.start();
    const files = `/proc/${processesWith(file)[0]}/fd`;
    const opened = readdirSync(files).map((name) => readlinkSync(join(files, name)));
    const sockets = opened.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
    const unixSockets = readFileSync('/proc/net/unix', 'utf8').split(/\s+/);
    expect(sockets.filter((inode) => !unixSockets.includes(inode))).toEqual([]);
  });

  test('whose file cannot be indexed is killed before it is restarted', async () => {
    await database.start();
    jest.spyOn(DatabaseSync.prototype, 'exec').mockImplementationOnce(() => {
      throw new Error('database is locked');
    });
    const { setTimeout } = globalThis;
    const soon = ((call: () => void, delayMs = 0) => setTimeout(call, delayMs / 10)) as typeof setTimeout;
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(soon);
    const pid = kill();
    await eventually(async () => expect(crashes).toHaveLength(2));
    expect(processesWith(file)).toEqual([]);
    await respondsAgain(pid);
    expect(processesWith(file)).toHaveLength(1);
    expect(crashes).toEqual([
      'The database process died and is restarting.',
      `The database did not start with the file ${file}: database is locked.`,
    ]);
  });

  test('that cannot create its file fails to start', async () => {
    const unusable = cloud.file('no-such-folder/dynamodb.sqlite');
    const refused = new DynamoDbEmulator(unusable, () => {}).start();
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(`The database did not start with the file ${unusable}: ENOENT`);
  });

  /** Waits until a process other than the given one responds. */
  async function respondsAgain(pid: number): Promise<void> {
    await eventually(async () => expect([0, pid]).not.toContain(processesWith(file)[0] ?? 0));
    expect(await send('ListTables', {})).toMatchObject({ refused: undefined });
  }
});
