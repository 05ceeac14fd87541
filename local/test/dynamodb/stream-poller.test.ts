import { existsSync, writeFileSync } from 'node:fs';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { StreamPollers } from '../../dynamodb/event-source-mappings.ts';
import { type EventSourceMapping, StreamPoller } from '../../dynamodb/stream-poller.ts';
import { StreamsClient } from '../../dynamodb/streams-client.ts';
import { TooManyRequestsException } from '../../lambda/errors.ts';
import { DataDirectory } from '../../platform/data-directory.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { DeadLetterQueues } from '../../sqs/dead-letter-queues.ts';
import { streamArn } from '../../template/arns.ts';
import { Template } from '../../template/template.ts';
import { shortenPauses, sleep } from '../../testing/short-pauses.ts';
import { useTestCloud } from '../support/emulators.ts';

type Input = Readonly<Record<string, string | undefined>>;

const tableName = 'Stack-Dogs';
const StreamArn = streamArn(tableName);
const created = 1_795_262_400.5;

/** A stream with one shard, in memory. */
class Stream {
  readonly operations: string[] = [];
  /** The number of reads that found no record. The poller has then processed all records. */
  emptyReads = 0;
  readLimit = 100;
  change: (operation: string, response: object, input: Input) => object = (_, response) => response;
  private readonly records: object[] = [];

  /** Adds records for changes, such as `INSERT a`. */
  put(...changes: string[]): void {
    for (const [eventName, id = ''] of changes.map((change) => change.split(' ')))
      this.records.push({
        eventName,
        dynamodb: {
          Keys: { id: { S: id } },
          SequenceNumber: String(this.records.length + 1),
          ApproximateCreationDateTime: created,
        },
      });
  }

  remove(ids: string): void {
    this.put(...[...ids].map((id) => `REMOVE ${id}`));
  }

  readonly send = async (operation: string, input: Input): Promise<object> => {
    this.operations.push(operation);
    return this.change(operation, this.responseTo(operation, input), input);
  };

  /** Waits until the poller has processed all records. */
  async idle(): Promise<void> {
    const before = this.emptyReads;
    await until(() => this.emptyReads > before);
  }

  private responseTo(operation: string, { SequenceNumber = '0', ShardIterator }: Input): object {
    if (operation === 'DescribeTable') return { Table: { LatestStreamArn: StreamArn } };
    if (operation === 'DescribeStream') return { StreamDescription: { Shards: [{ ShardId: 'shardId-1' }] } };
    if (operation === 'GetShardIterator') return { ShardIterator: SequenceNumber };
    const start = Number(ShardIterator);
    const Records = this.records.slice(start, start + this.readLimit);
    if (Records.length === 0) this.emptyReads += 1;
    return { Records, NextShardIterator: String(start + Records.length) };
  }
}

const shortened = shortenPauses();
const { pauses } = shortened;
afterAll(shortened.restore);
const cloud = useTestCloud();
let stream: Stream;
let directory: DataDirectory;
let running: { poller: StreamPoller; ended: Promise<void> }[];

beforeEach(() => {
  stream = new Stream();
  running = [];
  directory = cloud.use(new DataDirectory(cloud.directory));
  cloud.use({ stop: stopAll });
});

const clients = () => ({
  directory,
  streams: stream as unknown as StreamsClient,
  database: { send: () => stream.send('DescribeTable', {}) } as unknown as DynamoDBClient,
});

/** Handles a batch. The IDs are letters. */
type Handle = (ids: string, records: readonly DynamoDBRecord[]) => unknown;

/** Starts to poll. Returns the growing list of the batches that the function gets. */
function poll(handle: Handle = () => {}, settings: Partial<EventSourceMapping> = {}): string[] {
  const batches: string[] = [];
  const mapping: EventSourceMapping = {
    name: 'PurgeDog',
    functionArn: 'arn:of:PurgeDog',
    tableName,
    filters: [],
    batchSize: 4,
    bisects: false,
    reportsFailures: false,
    retryAttempts: 100,
    invoke: async (event) => {
      const { Records } = event as DynamoDBStreamEvent;
      const ids = Records.map(({ dynamodb }) => dynamodb?.Keys?.id?.S).join('');
      batches.push(ids);
      return handle(ids, Records);
    },
    ...settings,
  };
  const poller = new StreamPoller(mapping, clients());
  running.push({ poller, ended: poller.run() });
  return batches;
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

const fail = () => {
  throw new Error('the database is gone');
};
const throttle = () => {
  throw new TooManyRequestsException();
};
/** Handles a number of batches, and then accepts all others. */
const times = (count: number, handle: Handle): Handle => {
  let left = count;
  return (...batch) => (left-- > 0 ? handle(...batch) : undefined);
};
const reporting =
  (itemIdentifier: (records: readonly DynamoDBRecord[]) => string | undefined): Handle =>
  (_, records) => ({ batchItemFailures: [{ itemIdentifier: itemIdentifier(records) }] });
const nth = (index: number) => reporting((records) => records[index]?.dynamodb?.SequenceNumber);
const unknown = reporting(() => 'x');
const failWith = (id: string) => (ids: string) => ids.includes(id) && fail();

/* https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html */
const reports = { reportsFailures: true };
const single = { batchSize: 1 };
const once = { ...single, retryAttempts: 0 };
const halving = { bisects: true, retryAttempts: 1 };
type Row = [what: string, Partial<EventSourceMapping>, () => Handle, batches: string, failures?: number];
test.each<Row>([
  ['has at most as many records as the mapping permits', {}, () => () => {}, 'abcd e'],
  ['continues with the first record that is reported', reports, () => times(1, nth(2)), 'abcd cd e'],
  ['is repeated if another record is reported', reports, () => times(2, unknown), 'abcd abcd abcd e'],
  ['is repeated if its first record is reported', reports, () => times(2, nth(0)), 'abcd abcd abcd e'],
  ['ignores the reports if its mapping does not read them', {}, () => unknown, 'abcd e'],
  ['is halved until only the failing record is left', halving, () => failWith('c'), 'abcd ab cd c c d e', 1],
  ['is repeated until it succeeds, before the next one', single, () => times(3, fail), 'a a a a b c d e'],
  ['does not use up its attempts while it is throttled', once, () => times(4, throttle), 'a a a a a b c d e'],
  ['fails without a retry', once, () => failWith('a'), 'a b c d e', 1],
  ['fails after its retries', { ...single, retryAttempts: 2 }, () => failWith('a'), 'a a a b c d e', 1],
])('A batch %s', async (_, settings, handle, expected, failures = 0) => {
  stream.remove('abcde');
  const sizes: number[] = [];
  const onFailure = (body: string) => sizes.push(JSON.parse(body).DDBStreamBatchInfo.batchSize);
  const batches = poll(handle(), { onFailure, ...settings });
  await stream.idle();
  expect(batches).toEqual(expected.split(' '));
  expect(sizes).toEqual(Array(failures).fill(1));
});

test('A failed batch is logged, and goes to the destination with its positions', async () => {
  stream.remove('abc');
  const failures: string[] = [];
  poll(fail, { retryAttempts: 1, onFailure: (body) => failures.push(body) });
  await stream.idle();
  const attempt = 'PurgeDog failed to process a batch of stream records: the database is gone';
  const end = 'PurgeDog failed to process a batch of stream records in all attempts.';
  expect(cloud.logged).toEqual([attempt, attempt, end]);
  const arrival = '2026-11-21T12:00:00.500Z';
  expect(failures.map((body) => JSON.parse(body))).toEqual([
    {
      version: '1.0',
      timestamp: expect.stringMatching(/Z$/),
      requestContext: {
        requestId: expect.any(String),
        functionArn: 'arn:of:PurgeDog',
        condition: 'RetryAttemptsExhausted',
        approximateInvokeCount: 2,
      },
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      DDBStreamBatchInfo: {
        shardId: 'shardId-1',
        startSequenceNumber: '1',
        endSequenceNumber: '3',
        approximateArrivalOfFirstRecord: arrival,
        approximateArrivalOfLastRecord: arrival,
        batchSize: 3,
        streamArn: StreamArn,
      },
    },
  ]);
});

describe('The records of a stream', () => {
  test('are delivered in the form of Lambda, with the time in whole seconds', async () => {
    stream.remove('a');
    const delivered: unknown[] = [];
    poll((_, records) => delivered.push(...records));
    await stream.idle();
    const dynamodb = {
      Keys: { id: { S: 'a' } },
      SequenceNumber: '1',
      ApproximateCreationDateTime: Math.floor(created),
    };
    expect(delivered).toEqual([{ eventName: 'REMOVE', eventSourceARN: StreamArn, dynamodb }]);
  });

  test('are those that one of the filters accepts', async () => {
    stream.put('INSERT a', 'MODIFY b', 'REMOVE c');
    const batches = poll(() => {}, { filters: [{ eventName: ['MODIFY'] }, { eventName: ['REMOVE'] }] });
    await stream.idle();
    expect(batches).toEqual(['bc']);
  });

  test('are delivered even if they need several reads', async () => {
    stream.readLimit = 2;
    stream.remove('abcde');
    const batches = poll();
    await stream.idle();
    expect(batches).toEqual(['ab', 'cd', 'e']);
  });
});

describe('A restarted poller', () => {
  const checkpoint = () => directory.file(`stream-PurgeDog-${tableName}.json`);

  async function processOne(): Promise<void> {
    stream.remove('a');
    const batches = poll();
    await until(() => batches.length === 1 && existsSync(checkpoint()));
    await stopAll();
  }

  async function pollAgain(): Promise<string[]> {
    const batches = poll();
    await stream.idle();
    return batches;
  }

  test('continues after the last processed record', async () => {
    await processOne();
    stream.remove('b');
    expect(await pollAgain()).toEqual(['b']);
  });

  test('repeats the record that was in delivery before the stop', async () => {
    const { promise, reject } = Promise.withResolvers();
    stream.remove('ab');
    const before = poll(() => promise, single);
    await until(() => before.length === 1);
    const stopping = stopAll();
    reject(new Error('Runtime exited'));
    await stopping;
    expect(await pollAgain()).toEqual(['ab']);
  });

  test('begins at the start if the shard of its checkpoint no longer exists', async () => {
    stream.remove('a');
    writeFileSync(checkpoint(), JSON.stringify({ 'shardId-of-another-database': '7' }));
    expect(await pollAgain()).toEqual(['a']);
  });

  test.each(['', '{"shardId-1":"1"', 'null', '7', '[]', '{"shardId-1":7.5}', '{"shardId-1":"a"}'])(
    'begins at the start if its checkpoint is %j',
    async (text) => {
      await processOne();
      writeFileSync(checkpoint(), text);
      expect(await pollAgain()).toEqual(['a']);
      expect(cloud.logged).toEqual([
        `${checkpoint()} is damaged. The service delivers the stream records of the last day again.`,
      ]);
    },
  );

  test('begins at the oldest record if that of its checkpoint no longer exists', async () => {
    await processOne();
    let trimmed = 1;
    stream.change = (_, response, { ShardIteratorType }) => {
      if (ShardIteratorType !== 'AFTER_SEQUENCE_NUMBER' || trimmed-- <= 0) return response;
      throw new ServiceError('TrimmedDataAccessException', 'trimmed');
    };
    expect(await pollAgain()).toEqual(['a']);
  });
});

describe('A poller', () => {
  const described = () => stream.operations.filter((name) => name.startsWith('Describe'));

  test('describes the table and its stream once, and again when a shard has ended', async () => {
    poll();
    await stream.idle();
    await stream.idle();
    expect(described()).toEqual(['DescribeTable', 'DescribeStream']);
    stream.change = (_, response) => ({ ...response, NextShardIterator: undefined });
    await until(() => described().length > 2);
  });

  test('reads a busy shard once a second', async () => {
    stream.readLimit = 1;
    stream.remove('abcdefghijklmnopqrst');
    pauses.length = 0;
    poll();
    await stream.idle();
    expect(pauses.length).toBeGreaterThanOrEqual(19);
    expect(Math.min(...pauses)).toBe(1_000);
  });

  test('ends immediately when it is stopped', async () => {
    stream.remove('a');
    const batches = poll(fail);
    await until(() => batches.length > 0);
    expect(await Promise.race([stopAll().then(() => 'at once'), sleep(500, 'late')])).toBe('at once');
  });

  test('continues after failed reads', async () => {
    stream.remove('a');
    let failures = 2;
    stream.change = (_, response) => (failures-- > 0 ? fail() : response);
    const batches = poll();
    await stream.idle();
    expect(cloud.logged).toEqual(
      Array(2).fill(`The stream of ${tableName} could not be processed: the database is gone`),
    );
    expect(batches).toEqual(['a']);
  });
});

test('StreamPollers.deploy starts, changes and stops pollers, and loses no record', async () => {
  const templateOf = (eventName?: string) => {
    const Properties = {
      EventSourceArn: { 'Fn::GetAtt': ['Dogs', 'StreamArn'] },
      FunctionName: { Ref: 'PurgeDog' },
      FilterCriteria: { Filters: [{ Pattern: JSON.stringify({ eventName: [eventName] }) }] },
    };
    const Resources = {
      Dogs: { Type: 'AWS::DynamoDB::Table' },
      PurgeDog: { Type: 'AWS::Lambda::Function' },
      ...(eventName && { Mapping: { Type: 'AWS::Lambda::EventSourceMapping', Properties } }),
    };
    return new Template({ Resources }, 'Stack');
  };
  const delivered: unknown[] = [];
  const deadLetterQueues = { has: () => false, put: () => {} } as unknown as DeadLetterQueues;
  const invoke = async (_: string, event: unknown) => {
    const { Records } = event as DynamoDBStreamEvent;
    delivered.push(...Records.map(({ dynamodb }) => dynamodb?.Keys?.id?.S));
  };
  const pollers = cloud.use(new StreamPollers({ invoke, deadLetterQueues }, clients()));
  pollers.deploy(templateOf('REMOVE'));
  stream.put('INSERT a', 'REMOVE b');
  await stream.idle();
  pollers.deploy(templateOf('INSERT'));
  stream.put('INSERT c', 'REMOVE d');
  await stream.idle();
  pollers.deploy(templateOf());
  stream.put('INSERT e');
  // Several intervals of a poller.
  await sleep(100);
  expect(delivered).toEqual(['b', 'c']);
  pollers.deploy(templateOf('INSERT'));
  await until(() => delivered.length > 2);
  expect(delivered).toEqual(['b', 'c', 'e']);
});

test('An error response of a stream has the name of its code', async () => {
  const error = { __type: 'com.amazonaws.dynamodb.v20120810#TrimmedDataAccessException', message: 'old' };
  const response = { status: 400, headers: {}, body: Buffer.from(JSON.stringify(error)) };
  const refused = new StreamsClient(async () => response).send('DescribeStream', { StreamArn: 'arn' });
  await expect(refused).rejects.toMatchObject({ name: 'TrimmedDataAccessException', message: 'old' });
});
