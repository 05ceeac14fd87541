import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  DeleteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { DynamoDbEmulator } from '../../../local/dynamodb/emulator.ts';
import { StreamPollers } from '../../../local/dynamodb/event-source-mappings.ts';
import { type EventSourceMapping, StreamPoller } from '../../../local/dynamodb/stream-poller.ts';
import { type StreamPosition, trimStream } from '../../../local/dynamodb/stream-records.ts';
import { StreamsClient } from '../../../local/dynamodb/streams-client.ts';
import { createTables } from '../../../local/dynamodb/tables.ts';
import type { AwsEndpoint } from '../../../local/endpoint/endpoint.ts';
import { TooManyRequestsException } from '../../../local/lambda/errors.ts';
import { DataDirectory } from '../../../local/platform/data-directory.ts';
import { ServiceError } from '../../../local/platform/service-error.ts';
import type { DeadLetterQueues } from '../../../local/sqs/dead-letter-queues.ts';
import { Template } from '../../../local/template/template.ts';
import { useTestCloud } from '../../support/emulators.ts';
import { newFastDirectory } from '../../support/fast-directory.ts';
import { serve } from '../../support/local-aws.ts';
import { shortenPauses, sleep } from '../../support/short-pauses.ts';

const pauses = shortenPauses();
const cloud = useTestCloud();
const root = newFastDirectory();
const file = join(root, 'dynamodb.sqlite');
const embedded = new DynamoDbEmulator(file, () => {});
let endpoint: AwsEndpoint;
let database: DynamoDBClient;
const streams = new StreamsClient(embedded.serve);
let directory: DataDirectory;
let running: { poller: StreamPoller; ended: Promise<void> }[];
let tableName: string;
let tables = 0;

beforeAll(async () => {
  await embedded.start();
  const served = await serve('dynamodb', embedded.serve);
  endpoint = served.endpoint;
  database = new DynamoDBClient(served.configuration);
});

afterAll(async () => {
  database.destroy();
  endpoint.close();
  await embedded.stop();
  rmSync(root, { recursive: true });
});

beforeEach(async () => {
  running = [];
  directory = cloud.use(new DataDirectory(cloud.directory));
  cloud.use({ stop: stopAll });
  tableName = await newTable();
});

async function newTable(
  StreamViewType: string | undefined = 'OLD_IMAGE',
  id = `Dogs${tables++}`,
): Promise<string> {
  const table = {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
      ...(StreamViewType !== '' && { StreamSpecification: { StreamViewType } }),
    },
  };
  await createTables(database, new Template({ Resources: { [id]: table } }, 'Stack'));
  return `Stack-${id}`;
}

async function put(...ids: string[]): Promise<void> {
  for (const id of ids)
    await database.send(
      new PutItemCommand({ TableName: tableName, Item: { id: { S: id }, incarnation: { S: `of ${id}` } } }),
    );
}

async function remove(...ids: string[]): Promise<void> {
  for (const id of ids)
    await database.send(new DeleteItemCommand({ TableName: tableName, Key: { id: { S: id } } }));
}

async function putAndRemove(...ids: string[]): Promise<void> {
  await put(...ids);
  await remove(...ids);
}

/** Changes the calls of streams, until the end of the test. */
function changeCalls(
  change: (operation: string, input: object, pass: (input: object) => Promise<object>) => object,
): void {
  const send = streams.send.bind(streams);
  const changing = jest
    .spyOn(streams, 'send')
    .mockImplementation((async (operation: 'GetRecords', input: object) =>
      change(operation, input, (changed) => send(operation, changed as never))) as typeof streams.send);
  cloud.use({ stop: () => changing.mockRestore() });
}

type Invoke = (id: string, event: DynamoDBStreamEvent) => unknown;

const fail = () => {
  throw new Error('never');
};

/** Starts to poll and returns the list of the delivered events, which grows. Each entry has the event name and the id. */
function poll(invoke: Invoke = () => {}, settings: Partial<EventSourceMapping> = {}): string[] {
  const delivered: string[] = [];
  const mapping: EventSourceMapping = {
    name: 'PurgeDog',
    functionArn: 'arn:of:PurgeDog',
    tableName,
    filters: [{ eventName: ['REMOVE'] }],
    batchSize: 1,
    bisects: false,
    reportsFailures: false,
    retryAttempts: 100,
    invoke: async (event) => {
      const { Records } = event as DynamoDBStreamEvent;
      const [record, ...others] = Records;
      expect(others).toEqual([]);
      const id = record?.dynamodb?.Keys?.id?.S ?? '';
      delivered.push(`${record?.eventName} ${id}`);
      await invoke(id, event as DynamoDBStreamEvent);
    },
    ...settings,
  };
  const poller = new StreamPoller(mapping, { database, streams, directory });
  running.push({ poller, ended: poller.run() });
  return delivered;
}

async function stopAll(): Promise<void> {
  for (const { poller } of running) poller.stop();
  await Promise.all(running.map(({ ended }) => ended));
  running = [];
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 4_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('The expected records were not delivered in time.');
    await sleep(5);
  }
}

/** Waits until the poller has processed everything that has happened so far. */
async function settled(delivered: string[]): Promise<void> {
  const marker = `marker-${delivered.length}`;
  await putAndRemove(marker);
  await until(() => delivered.includes(`REMOVE ${marker}`));
}

describe('StreamPollers.deploy', () => {
  /** Returns a template with the table, a function, and an event source mapping if it has event names. */
  function templateOf(eventNames?: string[]): Template {
    const table = tableName.replace('Stack-', '');
    const mapping = {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: { 'Fn::GetAtt': [table, 'StreamArn'] },
        FunctionName: { Ref: 'PurgeDog' },
        FilterCriteria: { Filters: [{ Pattern: JSON.stringify({ eventName: eventNames }) }] },
      },
    };
    const Resources = {
      [table]: { Type: 'AWS::DynamoDB::Table' },
      PurgeDog: { Type: 'AWS::Lambda::Function' },
      ...(eventNames && { Mapping: mapping }),
    };
    return new Template({ Resources }, 'Stack');
  }

  test('starts, changes and stops pollers, and loses no record', async () => {
    const delivered: string[] = [];
    const deadLetterQueues = { has: () => false, put: () => {} } as unknown as DeadLetterQueues;
    const invoke = async (_: string, event: unknown) => {
      const [record] = (event as DynamoDBStreamEvent).Records;
      delivered.push(`${record?.eventName} ${record?.dynamodb?.Keys?.id?.S}`);
    };
    const pollers = new StreamPollers({ invoke, deadLetterQueues }, { database, streams, directory });
    try {
      pollers.deploy(templateOf(['REMOVE']));
      await settled(delivered);
      pollers.deploy(templateOf(['INSERT']));
      await put('a');
      await until(() => delivered.includes('INSERT a'));
      pollers.deploy(templateOf());
      await put('b');
      // Several intervals of a poller.
      await sleep(100);
      expect(delivered).toEqual(['REMOVE marker-0', 'INSERT a']);
      pollers.deploy(templateOf(['INSERT']));
      await until(() => delivered.includes('INSERT b'));
    } finally {
      pollers.stop();
    }
  });
});

describe('The records of a stream', () => {
  test('are delivered in the form of Lambda', async () => {
    await putAndRemove('rex');
    const events: DynamoDBStreamEvent[] = [];
    poll((_, event) => events.push(event));
    await until(() => events.length === 1);
    const [record] = events[0]?.Records ?? [];
    expect(record).toMatchObject({
      eventName: 'REMOVE',
      eventSource: 'aws:dynamodb',
      eventSourceARN: expect.stringContaining(`:table/${tableName}/stream/`),
      dynamodb: {
        Keys: { id: { S: 'rex' } },
        OldImage: { id: { S: 'rex' }, incarnation: { S: 'of rex' } },
        SequenceNumber: expect.any(String),
      },
    });
    const created = record?.dynamodb?.ApproximateCreationDateTime ?? 0;
    expect(Math.abs(created - Date.now() / 1000)).toBeLessThan(60);
    expect(Number.isInteger(created)).toBe(true);
    expect(JSON.parse(JSON.stringify(events[0]))).toEqual(events[0]);
  });

  test('are those that the filter accepts', async () => {
    const delivered = poll(() => {}, { filters: [{ eventName: ['MODIFY', 'REMOVE'] }] });
    await put('a');
    await putAndRemove('a');
    await until(() => delivered.includes('REMOVE a'));
    await settled(delivered);
    expect(delivered).toEqual(['MODIFY a', 'REMOVE a', 'REMOVE marker-2']);
  });

  test('are delivered even if they need several reads', async () => {
    const recordCounts: number[] = [];
    changeCalls(async (operation, input, pass) => {
      const response = await pass({ ...input, ...(operation === 'GetRecords' && { Limit: 25 }) });
      if ('Records' in response && Array.isArray(response.Records))
        recordCounts.push(response.Records.length);
      return response;
    });
    const ids = Array.from({ length: 40 }, (_, i) => `dog-${i}`);
    await Promise.all(ids.map((id) => putAndRemove(id)));
    const delivered = poll();
    await until(() => delivered.length >= ids.length);
    await settled(delivered);
    expect(delivered.slice(0, -1).sort()).toEqual(ids.map((id) => `REMOVE ${id}`).sort());
    expect(Math.max(...recordCounts)).toBe(25);
  });
});

describe('A batch', () => {
  /** Starts to poll all records. Returns the batches that the function gets, each as a list of IDs. */
  function pollBatches(
    invoke: (ids: string[], event: DynamoDBStreamEvent) => unknown,
    settings: Partial<EventSourceMapping> = {},
  ): string[] {
    const batches: string[] = [];
    poll(() => {}, {
      filters: [],
      batchSize: 4,
      invoke: async (event) => {
        const { Records } = event as DynamoDBStreamEvent;
        const ids = Records.map(({ dynamodb }) => dynamodb?.Keys?.id?.S ?? '');
        batches.push(ids.join(''));
        return invoke(ids, event as DynamoDBStreamEvent);
      },
      ...settings,
    });
    return batches;
  }

  test('has at most as many records as the mapping permits, and all records without a filter', async () => {
    await put('a', 'b', 'c', 'd', 'e');
    await remove('a');
    const batches = pollBatches(() => {});
    await until(() => batches.length === 2);
    expect(batches).toEqual(['abcd', 'ea']);
  });

  test('continues with the first record that the function reports', async () => {
    await put('a', 'b', 'c', 'd');
    let reports = 1;
    const report = (ids: string[], { Records }: DynamoDBStreamEvent) => ({
      batchItemFailures:
        ids.includes('c') && reports-- > 0
          ? Records.slice(2).map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber }))
          : [],
    });
    const batches = pollBatches(report, { reportsFailures: true });
    await put('e');
    await until(() => batches.includes('e') || batches.includes('cde'));
    expect(batches.slice(0, 2)).toEqual(['abcd', 'cd']);
  });

  test.each([
    ['a record that is not in the batch', 'x'],
    ['its first record', 'first'],
  ])('fails as a whole if the function reports %s', async (_, reported) => {
    await put('a', 'b');
    let reports = 2;
    const batches = pollBatches(
      (_ids, { Records: [first] }) => {
        const itemIdentifier = reported === 'first' ? first?.dynamodb?.SequenceNumber : reported;
        return { batchItemFailures: reports-- > 0 ? [{ itemIdentifier }] : [] };
      },
      { reportsFailures: true },
    );
    await until(() => batches.length === 3);
    expect(batches).toEqual(['ab', 'ab', 'ab']);
  });

  test('ignores the reports of a function whose mapping does not read them', async () => {
    await put('a', 'b');
    const batches = pollBatches(() => ({ batchItemFailures: [{ itemIdentifier: 'x' }] }));
    await put('c');
    await until(() => batches.includes('c') || batches.includes('abc'));
    expect(batches[0]).toMatch(/^abc?$/);
  });

  test('is halved until only the record that fails is left, and keeps the order', async () => {
    await put('a', 'b', 'c', 'd');
    const failures: string[] = [];
    const batches = pollBatches(
      (ids) => {
        if (ids.includes('c')) throw new Error('not c');
      },
      { bisects: true, retryAttempts: 1, onFailure: (body) => failures.push(body) },
    );
    await until(() => batches.includes('d'));
    expect(batches).toEqual(['abcd', 'ab', 'cd', 'c', 'c', 'd']);
    expect(failures.map((body) => JSON.parse(body).DDBStreamBatchInfo.batchSize)).toEqual([1]);
  });

  test('goes to the destination with the positions of its first and last record', async () => {
    await put('a', 'b', 'c');
    const failures: string[] = [];
    pollBatches(fail, { retryAttempts: 1, onFailure: (body) => failures.push(body) });
    await until(() => failures.length === 1);
    const { batchSize, ...range } = JSON.parse(failures[0] ?? '').DDBStreamBatchInfo;
    expect(batchSize).toBe(3);
    expect(Number(range.endSequenceNumber) - Number(range.startSequenceNumber)).toBe(2);
  });
});

describe('A record that fails', () => {
  test('is retried until it succeeds, before the next one', async () => {
    let failures = 3;
    const delivered = poll((id) => {
      if (id === 'a' && failures-- > 0) throw new Error('the database is gone');
    });
    await putAndRemove('a', 'b');
    await until(() => delivered.includes('REMOVE b'));
    expect(delivered).toEqual(['REMOVE a', 'REMOVE a', 'REMOVE a', 'REMOVE a', 'REMOVE b']);
    expect(cloud.logged).toHaveLength(3);
    expect(cloud.logged).toContainEqual('PurgeDog failed to process a stream record: the database is gone');
  });

  test('does not use up its attempts while Lambda throttles the function', async () => {
    const failures: unknown[] = [];
    let throttles = 4;
    const delivered = poll(
      () => {
        if (throttles-- > 0) throw new TooManyRequestsException();
      },
      { retryAttempts: 0, onFailure: (body) => failures.push(body) },
    );
    await putAndRemove('a', 'b');
    await until(() => delivered.includes('REMOVE b'));
    expect(delivered).toEqual([...Array(5).fill('REMOVE a'), 'REMOVE b']);
    expect(failures).toEqual([]);
  });

  test.each([0, 2])('fails after %d retries, and the next one is delivered', async (retryAttempts) => {
    const failures: string[] = [];
    const delivered = poll(
      (id) => {
        if (id === 'a') throw new Error('never');
      },
      { retryAttempts, onFailure: (body) => failures.push(body) },
    );
    await putAndRemove('a', 'b');
    await settled(delivered);
    expect(delivered).toEqual([
      ...Array(retryAttempts + 1).fill('REMOVE a'),
      'REMOVE b',
      expect.stringContaining('marker'),
    ]);
    expect(cloud.logged).toContainEqual('PurgeDog failed to process a stream record in all attempts.');
    expect(failures.map((body) => JSON.parse(body))).toMatchObject([
      {
        version: '1.0',
        timestamp: expect.stringMatching(/Z$/),
        requestContext: {
          functionArn: 'arn:of:PurgeDog',
          condition: 'RetryAttemptsExhausted',
          approximateInvokeCount: retryAttempts + 1,
        },
        DDBStreamBatchInfo: {
          shardId: expect.stringMatching(/^shardId-/),
          startSequenceNumber: expect.stringMatching(/./),
          approximateArrivalOfFirstRecord: expect.stringMatching(/Z$/),
          batchSize: 1,
          streamArn: expect.stringContaining(`:table/${tableName}/stream/`),
        },
      },
    ]);
  });
});

describe('A restarted poller', () => {
  const checkpointOf = (name: string) => directory.file(`stream-${name}-${tableName}.json`);
  const checkpoint = () => checkpointOf('PurgeDog');

  /** Processes the removal of a dog, and stops the poller. */
  async function processOne(): Promise<void> {
    const before = poll();
    await putAndRemove('a');
    await until(() => before.length === 1 && existsSync(checkpoint()));
    await stopAll();
    expect(before).toEqual(['REMOVE a']);
  }

  /** Polls until a record is delivered. */
  async function pollAgain(): Promise<string[]> {
    const after = poll();
    await until(() => after.length > 0);
    return after;
  }

  test('continues after the last processed record', async () => {
    await processOne();
    await putAndRemove('b');
    const after = await pollAgain();
    await settled(after);
    expect(after).toEqual(['REMOVE b', 'REMOVE marker-1']);
  });

  test('repeats the record that was in delivery before the stop', async () => {
    const { promise, reject } = Promise.withResolvers();
    const before = poll(() => promise);
    await putAndRemove('a', 'b');
    await until(() => before.length === 1);
    const stopping = stopAll();
    reject(new Error('Runtime exited'));
    await stopping;
    const after = poll();
    await settled(after);
    expect(after.slice(0, 2)).toEqual(['REMOVE a', 'REMOVE b']);
  });

  test('begins at the start if the shard of its checkpoint no longer exists', async () => {
    await putAndRemove('a');
    writeFileSync(checkpoint(), JSON.stringify({ 'shardId-of-another-database': '7' }));
    expect(await pollAgain()).toEqual(['REMOVE a']);
  });

  test('begins at the oldest record if that of its checkpoint no longer exists', async () => {
    await processOne();
    changeCalls((_, input, pass) => {
      if ('ShardIteratorType' in input && input.ShardIteratorType === 'AFTER_SEQUENCE_NUMBER')
        throw new ServiceError('TrimmedDataAccessException', 'trimmed');
      return pass(input);
    });
    expect(await pollAgain()).toEqual(['REMOVE a']);
  });
});

describe('A poller', () => {
  test('describes the table and its stream only once', async () => {
    const [ofTable, ofStream] = [jest.spyOn(database, 'send'), jest.spyOn(streams, 'send')];
    const delivered = poll();
    await settled(delivered);
    await settled(delivered);
    const commands = ofTable.mock.calls.map(([command]) => command.constructor.name);
    const operations = ofStream.mock.calls.map(([operation]) => operation);
    for (const spy of [ofTable, ofStream]) spy.mockRestore();
    const described = [...commands, ...operations].filter((name) => name.startsWith('Describe'));
    expect(described).toEqual(['DescribeTableCommand', 'DescribeStream']);
    expect(operations.filter((name) => name === 'GetRecords').length).toBeGreaterThan(1);
  });

  test('reads a busy shard once a second', async () => {
    let reads = 0;
    changeCalls((operation, input, pass) => {
      if (operation !== 'GetRecords') return pass(input);
      reads++;
      return { Records: [{ dynamodb: { SequenceNumber: `${reads}` } }], NextShardIterator: 'next' };
    });
    pauses.length = 0;
    poll();
    await until(() => reads >= 20);
    await stopAll();
    expect(pauses.length).toBeGreaterThanOrEqual(19);
    expect(Math.min(...pauses)).toBe(1_000);
  });

  test('describes them again when a shard has ended', async () => {
    let described = 0;
    changeCalls(async (_, input, pass) => {
      const response = await pass(input);
      if ('StreamDescription' in response) described++;
      return 'NextShardIterator' in response ? { ...response, NextShardIterator: undefined } : response;
    });
    const delivered = poll();
    await settled(delivered);
    await settled(delivered);
    expect(described).toBeGreaterThan(1);
  });

  test('ends immediately when it is stopped', async () => {
    const delivered = poll(fail);
    await putAndRemove('a');
    await until(() => delivered.length > 0);
    expect(await Promise.race([stopAll().then(() => 'at once'), sleep(500, 'late')])).toBe('at once');
  });

  test('continues after failed reads', async () => {
    tableName = `Stack-Dogs${tables}`;
    const delivered = poll();
    await until(() => cloud.logged.length > 0);
    expect(cloud.logged).toContainEqual(
      expect.stringMatching(new RegExp(`^The stream of ${tableName} could not be processed: `)),
    );
    expect(await newTable()).toBe(tableName);
    await putAndRemove('a');
    await until(() => delivered.length > 0);
    expect(delivered).toEqual(['REMOVE a']);
  });
});

test.each(['', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES'])(
  'A table whose stream has the view type "%s" gets the stream of the template',
  async (before) => {
    const id = `Dogs${tables++}`;
    const TableName = await newTable(before, id);
    await newTable('NEW_AND_OLD_IMAGES', id);
    const { Table } = await database.send(new DescribeTableCommand({ TableName }));
    const stream = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };
    expect(Table?.StreamSpecification).toEqual(stream);
  },
);

describe('The stream records of a database', () => {
  function recordsIn(table: string): { id: string; position: Omit<StreamPosition, 'tableName'> }[] {
    const store = new DatabaseSync(file);
    const rows = store.prepare('SELECT * FROM _stream_records WHERE table_name = ? ORDER BY id').all(table);
    store.close();
    return rows.map(({ keys_json, shard_id, sequence_number }) => ({
      id: JSON.parse(String(keys_json)).id.S,
      position: { shardId: String(shard_id), sequenceNumber: String(sequence_number) },
    }));
  }

  /** Makes all records older by some hours. */
  function age(hours: number): void {
    const store = new DatabaseSync(file);
    store.prepare('UPDATE _stream_records SET created_at = created_at - ?').run(hours * 3_600);
    store.close();
  }

  /** Trims the stream of the table after a number of its records are processed. */
  function trimTo(processed: number): void {
    const record = recordsIn(tableName)[processed - 1];
    if (!record) throw new Error(`The table does not have ${processed} records.`);
    trimStream(file, { tableName, ...record.position });
  }
  const idsIn = (table: string) => recordsIn(table).map(({ id }) => id);

  test('that are older than a day are deleted up to the last processed one', async () => {
    const table = tableName;
    tableName = await newTable();
    const other = tableName;
    await put('tom');
    tableName = table;
    await put('one', 'two', 'three', 'four');
    age(25);
    await put('five');
    trimTo(3);
    expect([idsIn(table), idsIn(other)]).toEqual([['three', 'four', 'five'], ['tom']]);
  });

  test('are kept for a day after they are processed', async () => {
    await put('one', 'two');
    age(23);
    trimTo(2);
    expect(idsIn(tableName)).toEqual(['one', 'two']);
  });

  test('continue after the last processed one when all records before it are deleted', async () => {
    await put('one', 'two');
    const before = poll(() => {}, { filters: [] });
    await until(() => before.length === 2);
    await stopAll();
    age(25);
    trimTo(2);
    await put('three');
    const after = poll(() => {}, { filters: [] });
    await until(() => after.length > 0);
    expect(after).toEqual(['INSERT three']);
  });
});

test('Old records are deleted before the last processed one, at most once a minute', async () => {
  const positions: StreamPosition[] = [];
  const delivered = poll(() => {}, { trim: (position) => positions.push(position) });
  await settled(delivered);
  await stopAll();
  const earlier = positions.length;
  expect(earlier).toBeLessThanOrEqual(1);
  poll(() => {}, { trim: (position) => positions.push(position) });
  await until(() => positions.length > earlier);
  await sleep(100);
  expect(positions.slice(earlier)).toEqual([
    {
      tableName,
      shardId: expect.stringMatching(/^shardId-/),
      sequenceNumber: expect.stringMatching(/^\d+$/),
    },
  ]);
});

test('An error response of a stream has the name of its code', async () => {
  const error = { __type: 'com.amazonaws.dynamodb.v20120810#TrimmedDataAccessException', message: 'old' };
  const response = { status: 400, headers: {}, body: Buffer.from(JSON.stringify(error)) };
  const refused = new StreamsClient(async () => response).send('DescribeStream', { StreamArn: 'arn' });
  await expect(refused).rejects.toMatchObject({ name: 'TrimmedDataAccessException', message: 'old' });
});
