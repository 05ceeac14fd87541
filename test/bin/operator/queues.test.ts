import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteItemCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient, TrimmedDataAccessException } from '@aws-sdk/client-dynamodb-streams';
import type { InvokeCommand } from '@aws-sdk/client-lambda';
import { LambdaClient } from '@aws-sdk/client-lambda';
import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import {
  type Clients,
  clearMessages,
  countMessages,
  deleteMessage,
  resendMessages,
  showMessages,
} from '../../../bin/operator/queues.ts';
import { Unavailable } from '../../../lambdas/domain/platform/errors.ts';
import { DynamoDbEmulator } from '../../../local/dynamodb/emulator.ts';
import { StreamPoller } from '../../../local/dynamodb/stream-poller.ts';
import { createTables } from '../../../local/dynamodb/tables.ts';
import { DataDirectory } from '../../../local/platform/data-directory.ts';
import { SqsEmulator } from '../../../local/sqs/emulator.ts';
import { Template } from '../../../local/template/template.ts';
import { eventually } from '../../support/client.ts';
import { serve } from '../../support/local-aws.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openQueues } from '../../support/queues.ts';

jest.spyOn(console, 'log').mockImplementation(() => {});
const root = mkdtempSync(join(tmpdir(), 'operator-'));
afterAll(() => rmSync(root, { recursive: true }));

const template = new Template(
  {
    Resources: {
      Failed: { Type: 'AWS::SQS::Queue' },
      Dogs: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
          AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
          BillingMode: 'PAY_PER_REQUEST',
          StreamSpecification: { StreamViewType: 'OLD_IMAGE' },
        },
      },
    },
    Outputs: { Failed: { Value: { Ref: 'Failed' } } },
  },
  'Stack',
);
const queue = { name: 'Failed', url: template.outputs.Failed ?? '', function: 'Stack-Bark' };

/** What the function does with an event; what it throws, it answers as an error. */
let functionDoes: (event: never, type: string | undefined) => unknown;
let invocations: { type: string | undefined; event: unknown }[];
let told: string[];
let clock: ManualClock;
let clients: Clients;
let endings: (() => unknown)[];

beforeEach(async () => {
  functionDoes = () => {};
  invocations = [];
  told = [];
  endings = [];
  clock = new ManualClock();
  const { queues } = openQueues(template, mkdtempSync(join(root, 'data-')), clock);
  const { endpoint, configuration } = await serve('sqs', new SqsEmulator(queues).serve);
  const lambda = new LambdaClient(configuration);
  lambda.send = (({ input }: InvokeCommand) => invoke(input)) as LambdaClient['send'];
  clients = { sqs: new SQSClient(configuration), lambda, streams: new DynamoDBStreamsClient(configuration) };
  endings.push(
    () => endpoint.close(),
    () => queues.stop(),
  );
});
afterEach(async () => {
  for (const end of endings) await end();
});

async function invoke({ FunctionName, InvocationType, Payload }: InvokeCommand['input']) {
  expect(FunctionName).toBe('Stack-Bark');
  const event = JSON.parse(String(Payload));
  invocations.push({ type: InvocationType, event });
  await functionDoes(event as never, InvocationType);
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
const tell = (line: string) => void told.push(line);
const resend = () => resendMessages(queue, clients, tell);
const events = () => invocations.map(({ event }) => event);

/** The bodies of the messages that can be received at this moment. */
async function bodies(): Promise<(string | undefined)[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: queue.url,
    MaxNumberOfMessages: 10,
    VisibilityTimeout: 0,
  });
  return ((await clients.sqs.send(command)).Messages ?? []).map(({ Body }) => Body);
}

/** Has the calls of a command fail in which it finds a reason to. */
function failOn<Command>(
  client: { send: unknown },
  kind: new (...parameters: never[]) => Command,
  fault: (command: Command) => Error | undefined,
): void {
  const send = (client.send as (command: unknown) => Promise<unknown>).bind(client);
  client.send = async (command: unknown) => {
    const error = command instanceof kind ? fault(command) : undefined;
    if (error) throw error;
    return send(command);
  };
}

describe('Messages that are sent again', () => {
  test('reach their function asynchronously, and are gone', async () => {
    const all = Array.from({ length: 25 }, (_, slot) => ({ slot }));
    for (const event of all) await putEvent(event);
    expect(await resend()).toEqual({ sent: 25, kept: 0 });
    expect(invocations).toEqual(all.map((event) => ({ type: 'Event', event })));
    expect([await countMessages(queue, clients), told]).toEqual([0, []]);
    expect(await resend()).toEqual({ sent: 0, kept: 0 });
  });

  test('stay where Lambda does not take them, and no other does', async () => {
    for (const dog of ['a', 'b', 'c']) await putEvent({ dog });
    functionDoes = ({ dog }: { dog: string }) => {
      if (dog === 'b') throw new Error('Rate exceeded');
    };
    expect(await resend()).toEqual({ sent: 2, kept: 1 });
    expect(told).toEqual([expect.stringMatching(/^[0-9a-f-]{36} stays in the queue\. Rate exceeded$/)]);
    expect(await bodies()).toEqual(['{"dog":"b"}']);
    functionDoes = () => {};
    expect(await resend()).toEqual({ sent: 1, kept: 0 });
  });

  test('are all tried, although those that stay come back before the last is', async () => {
    for (let dog = 0; dog < 25; dog++) await putEvent({ dog });
    functionDoes = async ({ dog }: { dog: number }) => {
      if (dog % 10 === 9) await clock.advance(400_000);
      throw new Error('Rate exceeded');
    };
    expect(await resend()).toEqual({ sent: 0, kept: 25 });
    expect(new Set(events().map((event) => JSON.stringify(event))).size).toBe(25);
  });

  test('stay where they cannot be deleted, which is told', async () => {
    await putEvent({ dog: 'a' });
    await putEvent({ dog: 'b' });
    let faults = 1;
    failOn(clients.sqs, DeleteMessageCommand, () => (faults-- > 0 ? new Error('socket hang up') : undefined));
    expect(await resend()).toEqual({ sent: 1, kept: 1 });
    expect(told).toEqual([
      expect.stringContaining('The event was sent, but the message could not be deleted: socket hang up'),
    ]);
    expect(await bodies()).toHaveLength(1);
    expect(await resend()).toEqual({ sent: 1, kept: 0 });
    expect(events()).toHaveLength(3);
  });

  test('stay where nobody knows what they mean', async () => {
    const id = await put('Wau');
    await putEvent({ dog: 'a' });
    expect(await resend()).toEqual({ sent: 1, kept: 1 });
    expect(told).toEqual([`${id} stays in the queue. The format of the message is unknown.`]);
    expect([await bodies(), events()]).toEqual([['Wau'], [{ dog: 'a' }]]);
  });

  test('come to an end although each brings another', async () => {
    for (let i = 0; i < 3; i++) await putEvent({ dog: 'a' });
    functionDoes = () => putEvent({ dog: 'a' });
    const { sent } = await resend();
    expect(sent).toBeGreaterThanOrEqual(3);
    expect(sent).toBeLessThanOrEqual(20);
    expect(await countMessages(queue, clients)).toBe(3);
  });

  test('that another has in hand are told of, and are there again half a minute after it has died', async () => {
    await putEvent({ dog: 'a' });
    functionDoes = () => new Promise(() => {});
    void resend();
    await eventually(async () => expect(events()).toHaveLength(1));
    functionDoes = () => {};
    expect(await resend()).toEqual({ sent: 0, kept: 0 });
    expect(told).toEqual(['1 more message may be hidden by another run. Try again in 6 minutes.']);
    await clock.advance(359_999);
    expect(await bodies()).toEqual([]);
    await clock.advance(1);
    expect(await resend()).toEqual({ sent: 1, kept: 0 });
  });

  test('are not asked for where the queue is out of reach', async () => {
    failOn(clients.sqs, ReceiveMessageCommand, () =>
      Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    );
    await expect(resend()).rejects.toThrow(Unavailable);
  });
});

describe('Messages that are shown', () => {
  test('tell when and why they came, and what would be sent again; they stay, for others to see', async () => {
    const first = await putEvent({ dog: 'a' });
    await clock.advance(1_000);
    const second = await put('Wau');
    const messages = [
      {
        id: first,
        sent: '2026-11-21T12:00:00.000Z',
        reason: 'EventAgeExceeded: Too old.',
        event: { dog: 'a' },
      },
      {
        id: second,
        sent: '2026-11-21T12:00:01.000Z',
        reason: 'The format of the message is unknown.',
        body: 'Wau',
      },
    ];
    expect(await showMessages(queue, clients, tell)).toEqual(messages);
    expect(await showMessages(queue, clients, tell)).toEqual(messages);
    expect(await bodies()).toEqual(['{"dog":"a"}', 'Wau']);
    expect(invocations).toEqual([]);
  });

  test('are all that there are', async () => {
    for (let slot = 0; slot < 23; slot++) await putEvent({ slot });
    const shown = await showMessages(queue, clients, tell);
    expect(shown.map(({ event }) => event)).toEqual(Array.from({ length: 23 }, (_, slot) => ({ slot })));
  });

  test('are whole where they are for people to read, and never sent', async () => {
    const event = { source: 'aws.ses', 'detail-type': 'Email Bounced', detail: {} };
    await put(JSON.stringify(event));
    expect(await showMessages(queue, clients, tell)).toMatchObject([
      { reason: 'aws.ses: Email Bounced', event },
    ]);
    expect(await resend()).toEqual({ sent: 0, kept: 1 });
    expect([told, events()]).toEqual([[expect.stringContaining('The message is a notification')], []]);
  });

  test('are none of an empty queue', async () => {
    expect(await showMessages(queue, clients, tell)).toEqual([]);
  });
});

describe('A message that is deleted', () => {
  test('is gone, and no other is', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 13; i++) ids.push(await put(String(i)));
    expect(await deleteMessage(queue, ids[11] ?? '', clients)).toBe(true);
    expect(await deleteMessage(queue, ids[11] ?? '', clients)).toBe(false);
    const left = (await showMessages(queue, clients, tell)).map(({ id }) => id);
    expect(left).toEqual(ids.filter((id) => id !== ids[11]));
  });
});

describe('A record of a stream', () => {
  let database: DynamoDbEmulator;
  let tables: DynamoDBClient;
  /** What the function was given, and failed on, by the stream. */
  let given: unknown[];

  beforeEach(async () => {
    const directory = new DataDirectory(mkdtempSync(join(root, 'stream-')));
    database = new DynamoDbEmulator(directory.file('dynamodb.sqlite'), () => {});
    await database.start();
    const configuration = {
      endpoint: database.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    };
    tables = new DynamoDBClient(configuration);
    const streams = new DynamoDBStreamsClient(configuration);
    clients = { ...clients, streams };
    await createTables(tables, template);
    given = [];
    const poller = new StreamPoller(
      {
        name: 'Bark',
        functionArn: 'arn',
        tableName: 'Stack-Dogs',
        eventNames: new Set(['REMOVE']),
        retryAttempts: 0,
        invoke: async (event) => {
          given.push(event);
          throw new Error('never');
        },
        onFailure: (body) => void put(body),
      },
      { database: tables, streams, directory },
    );
    const run = poller.run();
    endings.push(
      () => poller.stop(),
      () => run,
      () => tables.destroy(),
      () => database.stop(),
      () => directory.release(),
    );
  });

  /** Has dogs removed, and waits until their records are given up. */
  async function giveUp(...ids: string[]): Promise<void> {
    for (const id of ids) {
      const Item = { id: { S: id }, incarnation: { S: `of ${id}` } };
      await tables.send(new PutItemCommand({ TableName: 'Stack-Dogs', Item }));
      await tables.send(new DeleteItemCommand({ TableName: 'Stack-Dogs', Key: { id: { S: id } } }));
    }
    await eventually(async () => expect(await countMessages(queue, clients)).toBe(ids.length));
  }

  test('that was given up reaches its function once more, as the stream had it', async () => {
    await giveUp('rex', 'max');
    const shown = await showMessages(queue, clients, tell);
    expect(shown).toEqual(given.map((event) => expect.objectContaining({ event })));
    expect(shown[0]?.reason).toBe('RetryAttemptsExhausted after 1 try');
    expect(await resend()).toEqual({ sent: 2, kept: 0 });
    expect(invocations).toHaveLength(2);
    expect(invocations).toEqual(
      expect.arrayContaining(given.map((event) => ({ type: 'RequestResponse', event }))),
    );
    expect(given).toMatchObject([
      { Records: [{ eventName: 'REMOVE', dynamodb: { OldImage: { id: { S: 'rex' } } } }] },
      { Records: [{ eventName: 'REMOVE', dynamodb: { OldImage: { id: { S: 'max' } } } }] },
    ]);
    expect(await countMessages(queue, clients)).toBe(0);
  });

  test('stays where its function fails, since nothing else would bring it back', async () => {
    await giveUp('rex');
    const Payload = { transformToString: () => '{"errorType":"Unavailable"}' };
    clients.lambda.send = async () => ({ FunctionError: 'Unhandled', Payload });
    expect(await resend()).toEqual({ sent: 0, kept: 1 });
    expect(told).toEqual([expect.stringContaining('The function failed: {"errorType":"Unavailable"}')]);
    expect(await countMessages(queue, clients)).toBe(1);
  });

  test.each([
    ['trimmed', (body: string) => body, true],
    [
      'another is next',
      (body: string) => body.replaceAll(/SequenceNumber":"\d+"/g, 'SequenceNumber":"0"'),
      false,
    ],
    [
      'none is next',
      (body: string) => body.replaceAll(/SequenceNumber":"\d+"/g, 'SequenceNumber":"77"'),
      false,
    ],
    ['no stream', (body: string) => body.replace('table/Stack-Dogs/', 'table/Stack-Cats/'), false],
  ])('that the stream has no more stays, and is told what mends it: %s', async (_, change, trimmed) => {
    await giveUp('rex');
    const [body = ''] = await bodies();
    const [{ id = '' } = {}] = await showMessages(queue, clients, tell);
    await deleteMessage(queue, id, clients);
    await put(change(body));
    if (trimmed)
      clients.streams.send = async () => {
        throw new TrimmedDataAccessException({ message: 'trimmed', $metadata: {} });
      };
    const fault =
      'The stream no longer has the record. Run "orphans purge" instead, and then "queues delete".';
    expect(await showMessages(queue, clients, tell)).toMatchObject([{ fault }]);
    expect(await resend()).toEqual({ sent: 0, kept: 1 });
    expect(told).toEqual([expect.stringContaining(fault)]);
    expect([events(), await countMessages(queue, clients)]).toEqual([[], 1]);
  });

  test('that cannot be read at the moment stays, and is not said to be gone', async () => {
    await giveUp('rex');
    clients.streams.send = async () => {
      throw new Error('Rate exceeded');
    };
    expect(await resend()).toEqual({ sent: 0, kept: 1 });
    expect(told).toEqual([expect.stringContaining('stays in the queue. Rate exceeded')]);
  });
});

test('All messages of a queue are taken away at once', async () => {
  for (let dog = 0; dog < 12; dog++) await putEvent({ dog });
  expect(await clearMessages(queue, clients)).toBe(12);
  expect([await countMessages(queue, clients), events()]).toEqual([0, []]);
});
