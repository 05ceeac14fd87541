import { hash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import * as sqs from '@aws-sdk/client-sqs';
import { DeadLetterQueues } from '../../sqs/dead-letter-queues.ts';
import { SqsEmulator } from '../../sqs/emulator.ts';
import { arn } from '../../template/arns.ts';
import { Template } from '../../template/template.ts';
import { conformance, exactly, type Send, type Step, sender } from '../support/conformance.ts';
import { testDurability } from '../support/durability.ts';
import { useTestCloud } from '../support/emulators.ts';

const second = 1_000;
const day = 24 * 60 * 60 * second;
const cloud = useTestCloud();
const after = (milliseconds: number) => () => cloud.clock.advance(milliseconds);

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

async function open(): Promise<Send> {
  const { queues } = cloud.queues(template);
  return sender(await cloud.client(sqs.SQSClient, 'sqs', new SqsEmulator(queues).serve), sqs);
}

const attributes = { TARGET: { DataType: 'String', StringValue: 'x' } };
const sent = (MessageBody: string, more = {}) => ['SendMessage', { QueueUrl, MessageBody, ...more }] as const;
const Messages = (...bodies: string[]) =>
  exactly({ Messages: bodies.map((Body) => expect.objectContaining({ Body })) });
const nothing = exactly({});
const received = (input: object, expected: object) =>
  ['ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10, ...input }, expected] as const;
const counted = (visible: number, hidden: number) =>
  [
    'GetQueueAttributes',
    { QueueUrl, AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] },
    {
      Attributes: {
        ApproximateNumberOfMessages: `${visible}`,
        ApproximateNumberOfMessagesNotVisible: `${hidden}`,
      },
    },
  ] as const;

/** The receipt handles that the steps of a test have received, oldest first. */
let handles: (string | undefined)[];
beforeEach(() => {
  handles = [];
});
const receive =
  (input = {}): Step =>
  async (send) => {
    const call = { QueueUrl, MaxNumberOfMessages: 1, ...input };
    const { Messages: [message] = [] } = await send<sqs.ReceiveMessageResult>('ReceiveMessage', call);
    handles.push(message?.ReceiptHandle);
  };
/** Makes a call with the nth receipt handle. */
const withHandle =
  (operation: string, n: number, input: object, expected: object = {}): Step =>
  async (send) => {
    const response = await send(operation, { QueueUrl, ReceiptHandle: handles[n], ...input });
    expect(response).toMatchObject({ refused: undefined, ...expected });
  };
const deleted = (n: number, input = {}, expected = {}) => withHandle('DeleteMessage', n, input, expected);
const hidden = (n: number, VisibilityTimeout: number, expected = {}) =>
  withHandle('ChangeMessageVisibility', n, { VisibilityTimeout }, expected);
const notInFlight = { refused: 'MessageNotInflight' };
const noQueue = { refused: 'QueueDoesNotExist' };
const unsupported = { refused: 'InvalidAttributeName' };
const md5 = (text: string) => hash('md5', text);

conformance('https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/', open, {
  'A message is received unchanged, without attributes': [
    [...sent('Häh? {"a":1}'), { MessageId: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
    async (send) => {
      const response = await send<sqs.ReceiveMessageResult>('ReceiveMessage', { QueueUrl });
      const [id, handle] = [expect.stringMatching(/^[0-9a-f-]{36}$/), expect.any(String)];
      const body = { Body: 'Häh? {"a":1}', MD5OfBody: md5('Häh? {"a":1}') };
      expect(response.Messages).toEqual([{ MessageId: id, ReceiptHandle: handle, ...body }]);
    },
  ],
  'A message has the requested attributes': [
    sent('x', { MessageAttributes: attributes }),
    async (send) => {
      const names = { MessageAttributeNames: ['All'], MessageSystemAttributeNames: ['SentTimestamp'] };
      const Attributes = { SentTimestamp: String(cloud.clock.now()) };
      expect(await send('ReceiveMessage', { QueueUrl, ...names })).toMatchObject({
        Messages: [{ MessageAttributes: attributes, Attributes }],
      });
    },
  ],
  'A message is hidden for the visibility timeout of the request or of the queue': [
    sent('here'),
    sent('slow', { QueueUrl: slowUrl }),
    received({ VisibilityTimeout: 10 }, Messages('here')),
    received({ QueueUrl: slowUrl }, Messages('slow')),
    after(9 * second),
    received({}, nothing),
    after(second),
    received({}, Messages('here')),
    after(30 * second),
    received({}, Messages('here')),
    received({ QueueUrl: slowUrl }, nothing),
    after(261 * second),
    received({ QueueUrl: slowUrl }, Messages('slow')),
  ],
  'A message can be visible again at once, or be hidden for longer': [
    sent('back'),
    receive(),
    hidden(0, 0),
    receive(),
    hidden(1, 100),
    after(99 * second),
    received({}, nothing),
    after(second),
    received({}, Messages('back')),
  ],
  'A message can be deleted repeatedly': [
    sent('one'),
    sent('two'),
    receive({ VisibilityTimeout: 0 }),
    deleted(0),
    deleted(0),
    received({}, Messages('two')),
    counted(0, 1),
  ],
  'A message is neither deleted nor hidden with an earlier receipt handle, or after its timeout': [
    sent('again'),
    receive({ VisibilityTimeout: 0 }),
    receive({ VisibilityTimeout: 1 }),
    deleted(0),
    hidden(0, 0, notInFlight),
    counted(0, 1),
    after(second),
    hidden(1, 30, notInFlight),
  ],
  'A message expires after the retention period': [
    sent('old'),
    after(day - 1),
    sent('new'),
    counted(2, 0),
    after(1),
    counted(1, 0),
    received({}, Messages('new')),
  ],
  'A queue returns the oldest messages first, each once, up to the maximum, and does not wait': [
    ...['a', 'b', 'c'].map((body) => sent(body)),
    received({ MaxNumberOfMessages: 2, WaitTimeSeconds: 20 }, Messages('a', 'b')),
    received({}, Messages('c')),
    received({ WaitTimeSeconds: 20 }, nothing),
  ],
  'A queue does not return or delete messages of other queues': [
    sent('mine'),
    received({ QueueUrl: slowUrl }, nothing),
    receive(),
    deleted(0, { QueueUrl: slowUrl }),
    counted(0, 1),
  ],
  'A call is refused if its queue does not exist, or if it is not supported': [
    received({ QueueUrl: QueueUrl.replace('failed', 'unknown') }, { ...noQueue, $fault: 'client' }),
    received({ QueueUrl: 'failed' }, noQueue),
    ['DeleteMessage', { QueueUrl, ReceiptHandle: 'x' }],
    ['ChangeMessageVisibility', { QueueUrl, ReceiptHandle: 'x', VisibilityTimeout: 0 }, notInFlight],
    received({ MessageAttributeNames: ['TARGET'] }, unsupported),
    received({ MessageSystemAttributeNames: ['All'] }, unsupported),
    ['GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] }, unsupported],
    ['ListQueues', {}, { refused: 'UnknownOperationException' }],
  ],
});

testDurability(cloud, async () => {
  const send = await open();
  const all = { QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 };
  return {
    write: (MessageBody) => send(...sent(MessageBody)),
    has: async (name) => {
      const { Messages = [] } = await send<sqs.ReceiveMessageResult>('ReceiveMessage', all);
      return Messages.some(({ Body }) => Body === name);
    },
  };
});

test('A message keeps its visibility and its receipt handle after a restart', async () => {
  const input = { QueueUrl };
  const before = await open();
  for (const MessageBody of ['hidden', 'seen']) await before('SendMessage', { QueueUrl, MessageBody });
  const { Messages: [first] = [] } = await before<sqs.ReceiveMessageResult>('ReceiveMessage', input);
  await cloud.stop();
  const send = await open();
  expect(await send('ReceiveMessage', input)).toMatchObject({ Messages: [{ Body: 'seen' }] });
  await send('DeleteMessage', { QueueUrl, ReceiptHandle: first?.ReceiptHandle });
  await cloud.clock.advance(30 * second);
  const all = await send<sqs.ReceiveMessageResult>('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10 });
  expect(all.Messages?.map(({ Body }) => Body)).toEqual(['seen']);
});

describe('Dead-letter messages', () => {
  const failed = arn('sqs', 'failed');
  const unknown = arn('sqs', 'unknown');

  test('that arrive together are logged in one line, with the command that shows them', async () => {
    const { queues, deadLetterQueues } = cloud.queues(template);
    deadLetterQueues.put(failed, '{}');
    await turn();
    const shown = new DeadLetterQueues(queues, { showQueue: (name) => `show ${name}` });
    for (let i = 0; i < 2; i++) shown.put(failed, '{}');
    await turn();
    expect(cloud.logged).toEqual([
      'The queue Failed has a new message.',
      'The queue Failed has 2 new messages: show Failed',
    ]);
  });

  test('are refused if the template does not have the queue', () => {
    const { deadLetterQueues } = cloud.queues(template);
    expect([failed, unknown].map((one) => deadLetterQueues.has(one))).toEqual([true, false]);
    expect(() => deadLetterQueues.put(unknown, '{}')).toThrow(`The template has no queue ${unknown}.`);
  });
});

test.each([{ FifoQueue: true }, { DelaySeconds: 5 }, { RedrivePolicy: { maxReceiveCount: 3 } }])(
  'A queue with %j is refused when it is loaded',
  (Properties) => {
    const odd = new Template({ Resources: { Odd: { Type: 'AWS::SQS::Queue', Properties } } }, 'Stack');
    expect(() => cloud.queues(odd)).toThrow('Odd: the local cloud supports only standard queues');
  },
);
