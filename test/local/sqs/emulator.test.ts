import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ListQueuesCommand,
  type QueueAttributeName,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import { SqsEmulator } from '../../../local/sqs/emulator.ts';
import { Template } from '../../../local/template/template.ts';
import { serve } from '../../support/local-aws.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openQueues } from '../../support/queues.ts';

const root = mkdtempSync(join(tmpdir(), 'sqs-'));
afterAll(() => rmSync(root, { recursive: true }));

const second = 1_000;
const day = 24 * 60 * 60 * second;

const template = new Template(
  {
    Resources: {
      Failed: {
        Type: 'AWS::SQS::Queue',
        Properties: { QueueName: 'failed', MessageRetentionPeriod: 86_400 },
      },
      Slow: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 300 } },
    },
    Outputs: { Failed: { Value: { Ref: 'Failed' } }, Slow: { Value: { Ref: 'Slow' } } },
  },
  'Stack',
);
const { Failed: QueueUrl = '', Slow: slowUrl = '' } = template.outputs;

let directory: string;
let clock: ManualClock;
let opened: (() => void)[];
beforeEach(() => {
  directory = mkdtempSync(join(root, 'data-'));
  clock = new ManualClock();
  opened = [];
});
afterEach(stopAll);

function stopAll(): void {
  for (const stop of opened.splice(0)) stop();
}

/** Opens the emulator at an endpoint, and returns an SDK client that calls it. */
async function open(more: SQSClientConfig = {}) {
  const { queues } = openQueues(template, directory, clock);
  const { endpoint, configuration } = await serve('sqs', new SqsEmulator(queues).serve);
  const client = new SQSClient({ ...configuration, ...more });
  opened.push(() => {
    endpoint.close();
    client.destroy();
    queues.stop();
  });
  const receive = async (input: Partial<ReceiveMessageCommandInput> = {}) => {
    const command = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, ...input });
    return (await client.send(command)).Messages ?? [];
  };
  return {
    client,
    receive,
    send: (MessageBody: string, more = {}) =>
      client.send(new SendMessageCommand({ QueueUrl, MessageBody, ...more })),
    bodies: async (input?: Partial<ReceiveMessageCommandInput>) =>
      (await receive(input)).map(({ Body }) => Body),
    remove: (ReceiptHandle: string | undefined, url = QueueUrl) =>
      client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle })),
    hide: (ReceiptHandle: string | undefined, VisibilityTimeout: number) =>
      client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout })),
    count: async (...AttributeNames: QueueAttributeName[]) =>
      (await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }))).Attributes,
  };
}

const counts = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;

describe('A message', () => {
  test('is received unchanged, with the requested attributes', async () => {
    const { send, receive } = await open();
    const MessageAttributes = {
      ERROR_CODE: { DataType: 'String', StringValue: 'Gone' },
      ERROR_BYTES: { DataType: 'Binary', BinaryValue: new Uint8Array([1, 255]) },
      TARGET: { DataType: 'String', StringValue: 'it' },
    };
    const sent = await send('Häh? {"a":1}', { MessageAttributes });
    expect(sent.MessageId).toMatch(/^[0-9a-f-]{36}$/);
    const [plain, ...others] = await receive({ VisibilityTimeout: 0 });
    expect(others).toEqual([]);
    expect(plain).toEqual({
      MessageId: sent.MessageId,
      ReceiptHandle: expect.any(String),
      Body: 'Häh? {"a":1}',
      MD5OfBody: createHash('md5').update('Häh? {"a":1}').digest('hex'),
    });
    await clock.advance(second);
    const [whole] = await receive({ MessageAttributeNames: ['All'], MessageSystemAttributeNames: ['All'] });
    expect(whole).toMatchObject({
      MessageAttributes,
      MD5OfMessageAttributes: sent.MD5OfMessageAttributes,
      Attributes: {
        SentTimestamp: String(clock.now() - second),
        ApproximateFirstReceiveTimestamp: String(clock.now() - second),
        ApproximateReceiveCount: '2',
      },
    });
  });

  test('has the MD5 digest of its attributes', async () => {
    const { send } = await open();
    const MessageAttributes = { test_attribute_name_1: { DataType: 'String', StringValue: 'test_value' } };
    // The order of the bytes follows the developer guide: lengths, name, type, kind and value.
    const bytes = '\0\0\0\x15test_attribute_name_1\0\0\0\x06String\x01\0\0\0\x0atest_value';
    expect((await send('x', { MessageAttributes })).MD5OfMessageAttributes).toBe(
      createHash('md5').update(bytes).digest('hex'),
    );
  });

  test.each([
    [['ERROR_CODE'], ['ERROR_CODE']],
    [['ERROR.*'], ['ERROR_CODE', 'ERROR_MESSAGE']],
    [['.*'], ['ERROR_CODE', 'ERROR_MESSAGE', 'TARGET']],
    [['ERROR'], undefined],
  ])('has the attributes that are named %j', async (MessageAttributeNames, names) => {
    const { send, receive } = await open();
    const value = { DataType: 'String', StringValue: 'x' };
    await send('x', { MessageAttributes: { ERROR_CODE: value, ERROR_MESSAGE: value, TARGET: value } });
    const [message] = await receive({ MessageAttributeNames });
    expect(message?.MessageAttributes && Object.keys(message.MessageAttributes).sort()).toEqual(names);
  });

  test('is hidden for the visibility timeout of the request or of the queue', async () => {
    const { send, bodies, client } = await open();
    await send('here');
    await client.send(new SendMessageCommand({ QueueUrl: slowUrl, MessageBody: 'slow' }));
    expect(await bodies({ VisibilityTimeout: 10 })).toEqual(['here']);
    expect(await bodies({ QueueUrl: slowUrl })).toEqual(['slow']);
    await clock.advance(9 * second);
    expect(await bodies()).toEqual([]);
    await clock.advance(second);
    expect(await bodies()).toEqual(['here']);
    await clock.advance(30 * second);
    expect(await bodies()).toEqual(['here']);
    expect(await bodies({ QueueUrl: slowUrl })).toEqual([]);
    await clock.advance(261 * second);
    expect(await bodies({ QueueUrl: slowUrl })).toEqual(['slow']);
  });

  test('is visible again after a visibility timeout of 0', async () => {
    const { send, receive, hide, bodies } = await open();
    await send('back');
    const [{ ReceiptHandle } = {}] = await receive();
    await hide(ReceiptHandle, 0);
    expect(await bodies()).toEqual(['back']);
  });

  test('can be hidden for a longer or a shorter time', async () => {
    const { send, receive, hide, bodies } = await open();
    await send('later');
    const [{ ReceiptHandle } = {}] = await receive();
    await hide(ReceiptHandle, 100);
    await clock.advance(99 * second);
    expect(await bodies()).toEqual([]);
    await clock.advance(second);
    expect(await bodies()).toEqual(['later']);
  });

  test('can be deleted repeatedly', async () => {
    const { send, receive, remove, count } = await open();
    await send('one');
    await send('two');
    const [first] = await receive({ MaxNumberOfMessages: 1, VisibilityTimeout: 0 });
    await remove(first?.ReceiptHandle);
    await remove(first?.ReceiptHandle);
    expect((await receive()).map(({ Body }) => Body)).toEqual(['two']);
    expect(await count(...counts)).toEqual({
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesNotVisible: '1',
    });
  });

  test('is neither deleted nor hidden with an earlier receipt handle', async () => {
    const { send, receive, remove, hide, count } = await open();
    await send('again');
    const [first] = await receive({ VisibilityTimeout: 0 });
    const [second] = await receive();
    expect(second?.MessageId).toBe(first?.MessageId);
    await remove(first?.ReceiptHandle);
    await expect(hide(first?.ReceiptHandle, 0)).rejects.toMatchObject({ name: 'MessageNotInflight' });
    expect(await count('ApproximateNumberOfMessagesNotVisible')).toEqual({
      ApproximateNumberOfMessagesNotVisible: '1',
    });
  });

  test('expires after the retention period', async () => {
    const { send, bodies, count } = await open();
    await send('old');
    await clock.advance(day - 1);
    await send('new');
    expect(await count('ApproximateNumberOfMessages')).toEqual({ ApproximateNumberOfMessages: '2' });
    await clock.advance(1);
    expect(await count('ApproximateNumberOfMessages')).toEqual({ ApproximateNumberOfMessages: '1' });
    expect(await bodies()).toEqual(['new']);
  });
});

describe('A queue', () => {
  test('returns the oldest messages first, each once, up to the maximum', async () => {
    const { send, bodies } = await open();
    for (const body of ['a', 'b', 'c']) await send(body);
    expect(await bodies({ MaxNumberOfMessages: 2, WaitTimeSeconds: 20 })).toEqual(['a', 'b']);
    expect(await bodies()).toEqual(['c']);
    expect(await bodies({ WaitTimeSeconds: 20 })).toEqual([]);
  });

  test('does not return messages of other queues', async () => {
    const { client, send, bodies, receive, remove } = await open();
    await send('mine');
    expect(await bodies({ QueueUrl: slowUrl })).toEqual([]);
    await client.send(new SendMessageCommand({ QueueUrl: slowUrl, MessageBody: 'other' }));
    const [message] = await receive();
    expect(message?.Body).toBe('mine');
    await expect(remove(message?.ReceiptHandle, slowUrl)).rejects.toMatchObject({
      name: 'ReceiptHandleIsInvalid',
    });
  });

  test('returns the numbers of visible and hidden messages', async () => {
    const { send, receive, count } = await open();
    for (const body of ['a', 'b', 'c']) await send(body);
    await receive({ MaxNumberOfMessages: 1 });
    expect(await count('All')).toEqual({
      ApproximateNumberOfMessages: '2',
      ApproximateNumberOfMessagesDelayed: '0',
      ApproximateNumberOfMessagesNotVisible: '1',
      MessageRetentionPeriod: '86400',
      QueueArn: 'arn:aws:sqs:us-east-1:000000000000:failed',
      VisibilityTimeout: '30',
    });
  });

  test('is found by its URL even if the environment sets the endpoint', async () => {
    const { queues } = openQueues(template, directory, clock);
    const { endpoint, configuration } = await serve('sqs', new SqsEmulator(queues).serve);
    const { endpoint: url, ...rest } = configuration;
    process.env.AWS_ENDPOINT_URL = url;
    const client = new SQSClient({ ...rest, useQueueUrlAsEndpoint: false });
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'here' }));
    delete process.env.AWS_ENDPOINT_URL;
    client.destroy();
    endpoint.close();
    queues.stop();
    expect(await (await open()).bodies()).toEqual(['here']);
  });

  test('keeps its messages and their visibility after a restart, in a file that only its owner can read', async () => {
    const before = await open();
    await before.send('hidden');
    await before.send('seen');
    const [{ ReceiptHandle } = {}] = await before.receive({ MaxNumberOfMessages: 1 });
    stopAll();
    const after = await open();
    expect(await after.bodies()).toEqual(['seen']);
    await after.remove(ReceiptHandle);
    await clock.advance(30 * second);
    expect(await after.bodies()).toEqual(['seen']);
    for (const name of readdirSync(directory)) {
      expect(name).toMatch(/^queues\.sqlite(-shm|-wal)?$/);
      expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    }
  });
});

describe("A request is refused with the service's error for", () => {
  test('a missing queue', async () => {
    const { receive } = await open();
    const unknown = QueueUrl.replace('failed', 'unknown');
    await expect(receive({ QueueUrl: unknown })).rejects.toMatchObject({
      name: 'QueueDoesNotExist',
      Code: 'AWS.SimpleQueueService.NonExistentQueue',
      $fault: 'client',
    });
    await expect(receive({ QueueUrl: 'failed' })).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
  });

  test.each(['x', Buffer.from('["a","b","c"]').toString('base64')])('the receipt %s', async (handle) => {
    const { remove, hide } = await open();
    await expect(remove(handle)).rejects.toMatchObject({ name: 'ReceiptHandleIsInvalid' });
    await expect(hide(handle, 0)).rejects.toMatchObject({ name: 'ReceiptHandleIsInvalid' });
  });

  test('a change of visibility if the message is not in flight', async () => {
    const { send, receive, hide } = await open();
    await send('x');
    const [{ ReceiptHandle } = {}] = await receive({ VisibilityTimeout: 1 });
    await clock.advance(second);
    await expect(hide(ReceiptHandle, 30)).rejects.toMatchObject({ name: 'MessageNotInflight' });
  });

  test.each([
    { MaxNumberOfMessages: 0 },
    { MaxNumberOfMessages: 11 },
    { VisibilityTimeout: -1 },
    { VisibilityTimeout: 43_201 },
    { WaitTimeSeconds: 21 },
  ])('to receive with %j', async (input) => {
    const [[name, value] = []] = Object.entries(input);
    const { receive } = await open();
    await expect(receive(input)).rejects.toMatchObject({
      Code: 'InvalidParameterValue',
      message: expect.stringContaining(`Value ${value} for parameter ${name} is invalid.`),
    });
  });

  test('an unknown attribute, an empty message and an unknown action', async () => {
    const { count, send, client } = await open();
    await expect(count('Size' as QueueAttributeName)).rejects.toMatchObject({ name: 'InvalidAttributeName' });
    await expect(send('')).rejects.toMatchObject({ Code: 'MissingParameter' });
    await expect(client.send(new ListQueuesCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });
});

test.each([{ FifoQueue: true }, { DelaySeconds: 5 }, { RedrivePolicy: { maxReceiveCount: 3 } }])(
  'A queue with %j is refused when it is loaded',
  (Properties) => {
    const odd = new Template({ Resources: { Odd: { Type: 'AWS::SQS::Queue', Properties } } }, 'Stack');
    expect(() => openQueues(odd, directory)).toThrow('Odd: the local cloud supports only standard queues');
  },
);
