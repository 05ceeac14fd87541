import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import {
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ResourceNotFoundException,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { type InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { AwsEndpoint, Queues, SqsEmulator } from '@rest-actions/local-cloud/parts';
import { Template } from '@rest-actions/local-cloud/template';
import { eventually, shortenPauses } from '@rest-actions/local-cloud/testing';
import {
  type Clients,
  countMessages,
  deleteMessage,
  purgeMessages,
  redriveMessages,
  showMessages,
} from '../../../bin/cli/queues.ts';
import { Unavailable } from '../../../lambdas/domain/platform/errors.ts';
import { mockClient } from '../../support/mock-client.ts';

afterAll(shortenPauses().restore);

const directory = mkdtempSync(join(tmpdir(), 'queues-'));
afterAll(() => rmSync(directory, { recursive: true }));

const template = new Template(
  {
    Resources: { Failed: { Type: 'AWS::SQS::Queue' } },
    Outputs: { Failed: { Value: { Ref: 'Failed' } } },
  },
  'Stack',
);
const queue = { name: 'Failed', url: template.outputs.Failed ?? '', function: 'Stack-Bark' };

/** The behaviour of the function. If it throws, the invocation fails. */
let onInvoke: (event: never, type: string | undefined) => unknown;
let invocations: { type: string | undefined; event: unknown }[];
let reported: string[];
let clients: Clients;
let now: number;
let queues: Queues;
let endpoint: AwsEndpoint;

beforeEach(async () => {
  onInvoke = () => {};
  invocations = [];
  reported = [];
  now = Date.UTC(2026, 10, 21, 12);
  queues = new Queues(template, join(mkdtempSync(join(directory, 'test-')), 'queues.sqlite'), {
    now: () => now,
  });
  endpoint = new AwsEndpoint();
  await endpoint.listen(0);
  endpoint.mount('sqs', new SqsEmulator(queues).serve);
  const credentials = endpoint.accessKeyOf('test');
  const sqs = new SQSClient({ endpoint: endpoint.url, region: 'us-east-1', credentials, maxAttempts: 1 });
  const lambda = new LambdaClient();
  lambda.send = (({ input }: InvokeCommand) => invoke(input)) as LambdaClient['send'];
  clients = { sqs, lambda, streams: new DynamoDBStreamsClient() };
  jest.spyOn(console, 'log').mockImplementation(() => {});
});

afterEach(async () => {
  // The queues print new messages one turn of the event loop later.
  await turn();
  clients.sqs.destroy();
  endpoint.close();
  queues.stop();
});

async function invoke({ FunctionName, InvocationType, Payload }: InvokeCommand['input']) {
  expect(FunctionName).toBe('Stack-Bark');
  const event = JSON.parse(String(Payload));
  invocations.push({ type: InvocationType, event });
  await onInvoke(event as never, InvocationType);
  return { StatusCode: 202 };
}

async function put(MessageBody: string, attributes: Record<string, string> = {}): Promise<string> {
  const { MessageId = '' } = await clients.sqs.send(
    new SendMessageCommand({
      QueueUrl: queue.url,
      MessageBody,
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
      ),
    }),
  );
  return MessageId;
}

const missed = { TARGET_ARN: 'arn', ERROR_CODE: 'EventAgeExceeded', ERROR_MESSAGE: 'Too old.' };
const putEvent = (event: object) => put(JSON.stringify(event), missed);
const report = (line: string) => void reported.push(line);
const redrive = () => redriveMessages(queue, clients, report);
const events = () => invocations.map(({ event }) => event);

async function bodies(): Promise<(string | undefined)[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: queue.url,
    MaxNumberOfMessages: 10,
    VisibilityTimeout: 0,
  });
  return ((await clients.sqs.send(command)).Messages ?? []).map(({ Body }) => Body);
}

const failOnce = (error: Error) => jest.spyOn(clients.sqs, 'send').mockRejectedValueOnce(error as never);

async function expectRedrive(sent: number, kept: number, ...reports: readonly unknown[]): Promise<void> {
  reported = [];
  expect(await redrive()).toEqual({ sent, kept });
  expect(reported).toEqual(reports);
}

describe('redriveMessages', () => {
  test('invokes the function asynchronously for each message, and deletes the messages', async () => {
    const all = Array.from({ length: 25 }, (_, dog) => ({ dog }));
    for (const event of all) await putEvent(event);
    await expectRedrive(25, 0);
    expect(invocations).toEqual(all.map((event) => ({ type: 'Event', event })));
    expect(await countMessages(queue, clients)).toBe(0);
    await expectRedrive(0, 0);
  });

  test('keeps only the messages whose events Lambda does not accept', async () => {
    for (const dog of ['a', 'b', 'c']) await putEvent({ dog });
    onInvoke = ({ dog }: { dog: string }) => {
      if (dog === 'b') throw new Error('Rate exceeded');
    };
    await expectRedrive(2, 1, expect.stringMatching(/^[0-9a-f-]{36} stays in the queue\. Rate exceeded$/));
    expect(await bodies()).toEqual(['{"dog":"b"}']);
    onInvoke = () => {};
    await expectRedrive(1, 0);
  });

  test('tries each message only once, even if kept messages become visible again before the last try', async () => {
    for (let dog = 0; dog < 25; dog++) await putEvent({ dog });
    onInvoke = async ({ dog }: { dog: number }) => {
      if (dog % 10 === 9) now += 400_000;
      throw new Error('Rate exceeded');
    };
    expect(await redrive()).toEqual({ sent: 0, kept: 25 });
    expect(new Set(events().map((event) => JSON.stringify(event))).size).toBe(25);
  });

  test('keeps and reports a message that SQS cannot delete', async () => {
    await putEvent({ dog: 'a' });
    await putEvent({ dog: 'b' });
    // After an invocation, the next call deletes a message.
    onInvoke = ({ dog }: { dog: string }) => {
      if (dog === 'a') failOnce(new Error('socket hang up'));
    };
    const fault = 'The event was sent, but the message could not be deleted: socket hang up';
    await expectRedrive(1, 1, expect.stringContaining(fault));
    expect(await bodies()).toHaveLength(1);
    onInvoke = () => {};
    await expectRedrive(1, 0);
    expect(events()).toHaveLength(3);
  });

  test('keeps and reports a message whose format is unknown', async () => {
    const id = await put('Wau');
    await putEvent({ dog: 'a' });
    await expectRedrive(1, 1, `${id} stays in the queue. The format of the message is unknown.`);
    expect([await bodies(), events()]).toEqual([['Wau'], [{ dog: 'a' }]]);
  });

  test('ends even if each invocation adds a message', async () => {
    for (let i = 0; i < 3; i++) await putEvent({ dog: 'a' });
    onInvoke = () => putEvent({ dog: 'a' });
    const { sent } = await redrive();
    expect(sent).toBeGreaterThanOrEqual(3);
    expect(sent).toBeLessThanOrEqual(20);
    expect(await countMessages(queue, clients)).toBe(3);
  });

  test('reports messages that another command has hidden, and finds them after their visibility timeout', async () => {
    await putEvent({ dog: 'a' });
    onInvoke = () => new Promise(() => {});
    void redrive();
    await eventually(async () => expect(events()).toHaveLength(1));
    onInvoke = () => {};
    await expectRedrive(0, 0, '1 more message may be hidden by another command. Try again in 6 minutes.');
    now += 359_999;
    expect(await bodies()).toEqual([]);
    now += 1;
    await expectRedrive(1, 0);
  });

  test('throws Unavailable if SQS does not respond', async () => {
    failOnce(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
    await expect(redrive()).rejects.toThrow(Unavailable);
  });
});

describe('showMessages', () => {
  test('returns the time, the reason and the event of each message, and leaves the messages visible', async () => {
    const first = await putEvent({ dog: 'a' });
    now += 1_000;
    const second = await put('Wau');
    const [late, unknown] = ['EventAgeExceeded: Too old.', 'The format of the message is unknown.'];
    const messages = [
      { id: first, sent: '2026-11-21T12:00:00.000Z', reason: late, event: { dog: 'a' } },
      { id: second, sent: '2026-11-21T12:00:01.000Z', reason: unknown, body: 'Wau' },
    ];
    for (let reads = 0; reads < 2; reads++)
      expect(await showMessages(queue, clients, report)).toEqual(messages);
    expect(await bodies()).toEqual(['{"dog":"a"}', 'Wau']);
    expect(invocations).toEqual([]);
  });

  test('returns the whole event of a notification, which redriveMessages keeps', async () => {
    const event = { source: 'aws.ses', 'detail-type': 'Email Bounced', detail: {} };
    await put(JSON.stringify(event));
    expect(await showMessages(queue, clients, report)).toMatchObject([
      { reason: 'aws.ses: Email Bounced', event },
    ]);
    await expectRedrive(0, 1, expect.stringContaining('The message is a notification'));
    expect(events()).toEqual([]);
  });
});

describe('deleteMessage', () => {
  test('deletes only the named message, and then returns false', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 13; i++) ids.push(await put(String(i)));
    expect(await deleteMessage(queue, ids[11] ?? '', clients)).toBe(true);
    expect(await deleteMessage(queue, ids[11] ?? '', clients)).toBe(false);
    const remaining = (await showMessages(queue, clients, report)).map(({ id }) => id);
    expect(remaining).toEqual(ids.filter((id) => id !== ids[11]));
  });
});

describe('A message about records of a stream', () => {
  const streams = mockClient(DynamoDBStreamsClient);
  const requestContext = { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 1 };
  const iterator = { StreamArn: 'arn', ShardId: 'shard', ShardIteratorType: 'AT_SEQUENCE_NUMBER' } as const;
  const at = 1_795_262_400;

  const recordOf = (
    SequenceNumber: string,
    ApproximateCreationDateTime: unknown = new Date(at * 1000 + 500),
  ) => ({ eventName: 'REMOVE', dynamodb: { SequenceNumber, ApproximateCreationDateTime } }) as object;

  /** Puts a message about records 7 and 8 into the queue. The stream returns pages with the given records. */
  async function failRecords(...pages: readonly (readonly string[])[]): Promise<void> {
    const range = { startSequenceNumber: '7', endSequenceNumber: '8' };
    const DDBStreamBatchInfo = { streamArn: 'arn', shardId: 'shard', ...range };
    await put(JSON.stringify({ requestContext, DDBStreamBatchInfo }));
    streams.reset();
    streams
      .on(GetShardIteratorCommand, { ...iterator, SequenceNumber: '7' })
      .resolves({ ShardIterator: '0' });
    for (const [i, page] of pages.entries())
      streams.on(GetRecordsCommand, { ShardIterator: `${i}` }).resolves({
        Records: page.map((number) => recordOf(number)),
        ...(i + 1 < pages.length && { NextShardIterator: `${i + 1}` }),
      });
  }

  test('makes redriveMessages invoke the function synchronously with the event of the stream', async () => {
    await failRecords([], ['7'], ['8', '9']);
    const event = { Records: ['7', '8'].map((one) => ({ ...recordOf(one, at), eventSourceARN: 'arn' })) };
    const reason = 'RetryAttemptsExhausted after 1 try';
    expect(await showMessages(queue, clients, report)).toMatchObject([{ reason, event }]);
    await expectRedrive(1, 0);
    expect(invocations).toEqual([{ type: 'RequestResponse', event }]);
    expect(await countMessages(queue, clients)).toBe(0);
  });

  test.each([
    ['fails', { FunctionError: 'Unhandled' }, '{"errorType":"Unavailable"}'],
    ['has processed only some of the records', {}, '{"batchItemFailures":[{"itemIdentifier":"8"}]}'],
  ])('stays in the queue if the function %s', async (_, response, result) => {
    await failRecords(['7', '8']);
    clients.lambda.send = async () => ({ ...response, Payload: { transformToString: () => result } });
    await expectRedrive(0, 1, expect.stringContaining(`The function failed: ${result}`));
    expect(await countMessages(queue, clients)).toBe(1);
  });

  const lost = { message: 'lost', $metadata: {} };

  test.each<[string, string[], Error | undefined]>([
    ['it is trimmed', [], new TrimmedDataAccessException(lost)],
    ['the stream has a later record', ['8', '9'], undefined],
    ['the stream has no later record', [], undefined],
    ['the stream does not exist', [], new ResourceNotFoundException(lost)],
  ])('stays in the queue with a remedy if the stream no longer has a record: %s', async (_, page, error) => {
    await failRecords(page);
    if (error) streams.on(GetShardIteratorCommand).rejects(error);
    const fault = expect.stringContaining('The stream no longer contains the records. For PurgeDlq, run');
    expect(await showMessages(queue, clients, report)).toMatchObject([{ fault }]);
    await expectRedrive(0, 1, expect.stringContaining('The stream no longer contains the records.'));
    expect([events(), await countMessages(queue, clients)]).toEqual([[], 1]);
  });

  test('stays in the queue and is not reported as lost if the stream cannot be read', async () => {
    await failRecords([]);
    streams.on(GetShardIteratorCommand).rejects(new Error('Rate exceeded'));
    await expectRedrive(0, 1, expect.stringContaining('stays in the queue. Rate exceeded'));
  });
});

test('purgeMessages deletes all messages of a queue', async () => {
  for (let dog = 0; dog < 12; dog++) await putEvent({ dog });
  expect(await purgeMessages(queue, clients)).toBe(12);
  expect([await countMessages(queue, clients), events()]).toEqual([0, []]);
});
