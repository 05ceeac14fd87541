import { createHash } from 'node:crypto';
import type { Emulator } from '../endpoint/emulator.ts';
import { type AwsResponse, jsonError } from '../endpoint/response.ts';
import type { Message, MessageAttribute, Queue, Queues } from './queues.ts';

/** What a client asks for, before it was looked at. */
interface Request {
  readonly QueueUrl?: string;
  readonly AttributeNames?: readonly string[];
  readonly MessageSystemAttributeNames?: readonly string[];
  readonly MessageAttributeNames?: readonly string[];
  readonly MaxNumberOfMessages?: number;
  readonly VisibilityTimeout?: number;
  readonly WaitTimeSeconds?: number;
  readonly ReceiptHandle?: string;
  readonly MessageBody?: string;
  readonly MessageAttributes?: Readonly<Record<string, MessageAttribute>>;
}

/** The errors of the service: the type in the protocol of today, and the code in that of former days. */
const errors = {
  InvalidAttributeName: ['com.amazonaws.sqs#InvalidAttributeName', 'InvalidAttributeName'],
  InvalidParameterValue: ['com.amazon.coral.service#InvalidParameterValueException', 'InvalidParameterValue'],
  MessageNotInflight: ['com.amazonaws.sqs#MessageNotInflight', 'AWS.SimpleQueueService.MessageNotInflight'],
  MissingParameter: ['com.amazon.coral.service#MissingRequiredParameterException', 'MissingParameter'],
  QueueDoesNotExist: ['com.amazonaws.sqs#QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue'],
  ReceiptHandleIsInvalid: ['com.amazonaws.sqs#ReceiptHandleIsInvalid', 'ReceiptHandleIsInvalid'],
} as const satisfies Record<string, readonly [type: string, code: string]>;

/** An error that the service answers. */
class SqsError extends Error {
  readonly kind: keyof typeof errors;

  constructor(kind: keyof typeof errors, message: string) {
    super(message);
    this.kind = kind;
  }
}

const second = 1000;
const longestHiding = 12 * 60 * 60;

/**
 * SQS on this machine, for the SDK's own protocol, as far as messages are sent, looked at and removed. It answers at
 * once however long a receiver would wait.
 */
export class SqsEmulator {
  private readonly queues: Queues;

  constructor(queues: Queues) {
    this.queues = queues;
  }

  readonly serve: Emulator = async ({ headers, body }) => {
    const action = headers['x-amz-target']?.replace('AmazonSQS.', '') ?? '';
    const handle = this.actions[action];
    if (!handle) return jsonError(400, 'UnknownOperationException', `This machine has no ${action}.`);
    try {
      const request: Request = JSON.parse(body.toString('utf8'));
      return answer(200, handle(this.find(request.QueueUrl), request));
    } catch (error) {
      if (error instanceof SqsError) return failure(error);
      throw error;
    }
  };

  private readonly actions: Record<string, (queue: Queue, request: Request) => object> = {
    ChangeMessageVisibility: (queue, request) => this.hide(queue, request),
    DeleteMessage: (queue, { ReceiptHandle }) => {
      const { id, receipt } = receiptOf(queue, ReceiptHandle);
      this.queues.remove(queue, id, receipt);
      return {};
    },
    GetQueueAttributes: (queue, { AttributeNames = [] }) => this.attributesOf(queue, AttributeNames),
    ReceiveMessage: (queue, request) => this.receive(queue, request),
    SendMessage: (queue, request) => this.send(queue, request),
  };

  private find(url: string | undefined): Queue {
    // Clients reach this machine by another host than the one that the queue's name bears.
    const path = pathOf(required('QueueUrl', url));
    const queue = this.queues.find((one) => pathOf(one.url) === path);
    if (!queue) throw new SqsError('QueueDoesNotExist', 'The specified queue does not exist.');
    return queue;
  }

  private receive(queue: Queue, request: Request): object {
    const most = ranged('MaxNumberOfMessages', request.MaxNumberOfMessages ?? 1, 1, 10);
    ranged('WaitTimeSeconds', request.WaitTimeSeconds ?? 0, 0, 20);
    const { VisibilityTimeout } = request;
    const hiddenFor = VisibilityTimeout === undefined ? queue.visibilityTimeout : hidingOf(VisibilityTimeout);
    const messages = this.queues.receive(queue, { most, hiddenFor });
    return messages.length === 0 ? {} : { Messages: messages.map((one) => shown(one, queue, request)) };
  }

  private send(queue: Queue, { MessageBody, MessageAttributes = {} }: Request): object {
    const body = required('MessageBody', MessageBody);
    return {
      MessageId: this.queues.send(queue, { body, attributes: MessageAttributes }),
      MD5OfMessageBody: md5(body),
      ...digestOf(MessageAttributes),
    };
  }

  private hide(queue: Queue, { ReceiptHandle, VisibilityTimeout }: Request): object {
    const { id, receipt } = receiptOf(queue, ReceiptHandle);
    const milliseconds = hidingOf(required('VisibilityTimeout', VisibilityTimeout));
    if (this.queues.hide(queue, id, receipt, milliseconds)) return {};
    throw new SqsError('MessageNotInflight', 'The specified message is not in flight.');
  }

  private attributesOf(queue: Queue, names: readonly string[]): object {
    const { visible, hidden } = this.queues.count(queue);
    const all: Record<string, string> = {
      ApproximateNumberOfMessages: String(visible),
      ApproximateNumberOfMessagesDelayed: '0',
      ApproximateNumberOfMessagesNotVisible: String(hidden),
      MessageRetentionPeriod: String(queue.retention / second),
      QueueArn: queue.arn,
      VisibilityTimeout: String(queue.visibilityTimeout / second),
    };
    const unknown = names.find((name) => name !== 'All' && !(name in all));
    if (unknown !== undefined) throw new SqsError('InvalidAttributeName', `Unknown Attribute ${unknown}.`);
    return { Attributes: picked(all, (name) => names.includes('All') || names.includes(name)) };
  }
}

function shown(message: Message, queue: Queue, request: Request): object {
  const names = [...(request.AttributeNames ?? []), ...(request.MessageSystemAttributeNames ?? [])];
  const system = picked(
    {
      ApproximateFirstReceiveTimestamp: String(message.firstReceived),
      ApproximateReceiveCount: String(message.receipts),
      SentTimestamp: String(message.sent),
    },
    (name) => names.includes('All') || names.includes(name),
  );
  const attributes = picked(message.attributes, (name) =>
    (request.MessageAttributeNames ?? []).some((wanted) => isNamed(name, wanted)),
  );
  return {
    MessageId: message.id,
    ReceiptHandle: handleOf(queue, message),
    Body: message.body,
    MD5OfBody: md5(message.body),
    ...(Object.keys(system).length > 0 && { Attributes: system }),
    ...(Object.keys(attributes).length > 0 && { MessageAttributes: attributes }),
    ...digestOf(attributes),
  };
}

/** Whether an attribute is one of those that a receiver wants: all, that one, or those with a prefix. */
function isNamed(name: string, wanted: string): boolean {
  if (wanted === 'All') return true;
  return wanted.endsWith('.*') ? name.startsWith(wanted.slice(0, -2)) : name === wanted;
}

function picked<Value>(
  all: Readonly<Record<string, Value>>,
  isWanted: (name: string) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => isWanted(name)));
}

function handleOf({ url }: Queue, { id, receipt }: Pick<Message, 'id' | 'receipt'>): string {
  return Buffer.from(JSON.stringify([url, id, receipt])).toString('base64');
}

function receiptOf(queue: Queue, handle: string | undefined): Pick<Message, 'id' | 'receipt'> {
  const given = required('ReceiptHandle', handle);
  const [, id = '', receipt = ''] =
    /^\["[^"]*","([^"]*)","([^"]*)"\]$/.exec(Buffer.from(given, 'base64').toString('utf8')) ?? [];
  if (given === handleOf(queue, { id, receipt })) return { id, receipt };
  throw new SqsError('ReceiptHandleIsInvalid', `The input receipt handle "${given}" is not valid.`);
}

function required<Value>(name: string, value: Value | undefined): Value {
  if (value === undefined || value === '')
    throw new SqsError('MissingParameter', `The request must contain the parameter ${name}.`);
  return value;
}

function hidingOf(VisibilityTimeout: number): number {
  return ranged('VisibilityTimeout', VisibilityTimeout, 0, longestHiding) * second;
}

function ranged(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new SqsError(
    'InvalidParameterValue',
    `Value ${value} for parameter ${name} is invalid. Reason: Must be between ${least} and ${most}, if provided.`,
  );
}

function pathOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).pathname : undefined;
}

/** The digest of attributes, by which a client knows that they came whole; none of none. */
function digestOf(attributes: Readonly<Record<string, MessageAttribute>>): object {
  const entries = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return {};
  const parts = entries.flatMap(([name, { DataType, StringValue, BinaryValue }]) => {
    const value = BinaryValue === undefined ? (StringValue ?? '') : Buffer.from(BinaryValue, 'base64');
    const kind = Buffer.from([BinaryValue === undefined ? 1 : 2]);
    return [sized(name), sized(DataType), kind, sized(value)];
  });
  return { MD5OfMessageAttributes: md5(Buffer.concat(parts)) };
}

/** A text or bytes, after their length in four bytes. */
function sized(content: string | Buffer): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function md5(content: string | Buffer): string {
  return createHash('md5').update(content).digest('hex');
}

function answer(
  status: number,
  document: object,
  headers: Readonly<Record<string, string>> = {},
): AwsResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/x-amz-json-1.0', ...headers },
    body: JSON.stringify(document),
  };
}

function failure({ kind, message }: SqsError): AwsResponse {
  const [type, code] = errors[kind];
  return answer(400, { __type: type, message }, { 'x-amzn-query-error': `${code};Sender` });
}
