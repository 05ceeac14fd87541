import type { Emulator } from '../endpoint/emulator.ts';
import { type AwsResponse, json, jsonError } from '../endpoint/response.ts';
import { digestOf, md5 } from './digests.ts';
import type { Message, MessageAttribute, Queue, Queues } from './queues.ts';

/** The body of a request before its validation. */
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

/** The errors of SQS. Each has a type in the JSON protocol and a code in the older query protocol. */
const errors = {
  InvalidAttributeName: ['com.amazonaws.sqs#InvalidAttributeName', 'InvalidAttributeName'],
  InvalidParameterValue: ['com.amazon.coral.service#InvalidParameterValueException', 'InvalidParameterValue'],
  MessageNotInflight: ['com.amazonaws.sqs#MessageNotInflight', 'AWS.SimpleQueueService.MessageNotInflight'],
  MissingParameter: ['com.amazon.coral.service#MissingRequiredParameterException', 'MissingParameter'],
  QueueDoesNotExist: ['com.amazonaws.sqs#QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue'],
  ReceiptHandleIsInvalid: ['com.amazonaws.sqs#ReceiptHandleIsInvalid', 'ReceiptHandleIsInvalid'],
} as const satisfies Record<string, readonly [type: string, code: string]>;

/** An error response of SQS. */
class SqsError extends Error {
  readonly kind: keyof typeof errors;

  constructor(kind: keyof typeof errors, message: string) {
    super(message);
    this.kind = kind;
  }
}

const maximumVisibilityTimeoutSeconds = 12 * 60 * 60;

/**
 * The emulator of SQS: SendMessage, ReceiveMessage, DeleteMessage, ChangeMessageVisibility and GetQueueAttributes, in the
 * SDK's protocol. It responds to ReceiveMessage immediately, whatever the value of `WaitTimeSeconds`.
 */
export class SqsEmulator {
  private readonly queues: Queues;

  constructor(queues: Queues) {
    this.queues = queues;
  }

  readonly serve: Emulator = async ({ headers, body }) => {
    const name = headers['x-amz-target']?.replace('AmazonSQS.', '') ?? '';
    const action = this.actions[name];
    if (!action)
      return jsonError(
        400,
        'UnknownOperationException',
        `The local cloud does not support the SQS operation ${name}.`,
      );
    try {
      const request: Request = JSON.parse(body.toString('utf8'));
      return json(action(this.find(request.QueueUrl), request));
    } catch (error) {
      if (error instanceof SqsError) return errorResponse(error);
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
    // The host of the URL can be the AWS host or the local endpoint.
    const path = pathOf(required('QueueUrl', url));
    const queue = this.queues.find((one) => pathOf(one.url) === path);
    if (!queue) throw new SqsError('QueueDoesNotExist', 'The specified queue does not exist.');
    return queue;
  }

  private receive(queue: Queue, request: Request): object {
    const maximum = ranged('MaxNumberOfMessages', request.MaxNumberOfMessages ?? 1, 1, 10);
    ranged('WaitTimeSeconds', request.WaitTimeSeconds ?? 0, 0, 20);
    const { VisibilityTimeout } = request;
    const visibilityTimeoutMs =
      VisibilityTimeout === undefined ? queue.visibilityTimeoutMs : timeoutMsOf(VisibilityTimeout);
    const messages = this.queues.receive(queue, { maximum, visibilityTimeoutMs });
    return messages.length === 0 ? {} : { Messages: messages.map((one) => messageOf(one, queue, request)) };
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
    const timeoutMs = timeoutMsOf(required('VisibilityTimeout', VisibilityTimeout));
    if (this.queues.hide(queue, id, receipt, timeoutMs)) return {};
    throw new SqsError('MessageNotInflight', 'The specified message is not in flight.');
  }

  private attributesOf(queue: Queue, names: readonly string[]): object {
    const { visible, hidden } = this.queues.count(queue);
    const all: Record<string, string> = {
      ApproximateNumberOfMessages: String(visible),
      ApproximateNumberOfMessagesDelayed: '0',
      ApproximateNumberOfMessagesNotVisible: String(hidden),
      MessageRetentionPeriod: String(queue.retentionMs / 1000),
      QueueArn: queue.arn,
      VisibilityTimeout: String(queue.visibilityTimeoutMs / 1000),
    };
    const unknown = names.find((name) => name !== 'All' && !(name in all));
    if (unknown !== undefined) throw new SqsError('InvalidAttributeName', `Unknown Attribute ${unknown}.`);
    return { Attributes: picked(all, (name) => names.includes('All') || names.includes(name)) };
  }
}

/** Returns a message in the form of ReceiveMessage, with the attributes that the request names. */
function messageOf(message: Message, queue: Queue, request: Request): object {
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
    (request.MessageAttributeNames ?? []).some((requested) => isRequested(name, requested)),
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

/** Returns true if `requested` matches an attribute's name: it is `All`, the name itself, or a prefix such as `trace.*`. */
function isRequested(name: string, requested: string): boolean {
  if (requested === 'All') return true;
  return requested.endsWith('.*') ? name.startsWith(requested.slice(0, -2)) : name === requested;
}

function picked<Value>(
  all: Readonly<Record<string, Value>>,
  isIncluded: (name: string) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => isIncluded(name)));
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

function timeoutMsOf(VisibilityTimeout: number): number {
  return ranged('VisibilityTimeout', VisibilityTimeout, 0, maximumVisibilityTimeoutSeconds) * 1000;
}

function ranged(name: string, value: number, minimum: number, maximum: number): number {
  if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
  throw new SqsError(
    'InvalidParameterValue',
    `Value ${value} for parameter ${name} is invalid. Reason: Must be between ${minimum} and ${maximum}, if provided.`,
  );
}

function pathOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).pathname : undefined;
}

function errorResponse({ kind, message }: SqsError): AwsResponse {
  const [type, code] = errors[kind];
  return {
    status: 400,
    headers: { 'Content-Type': 'application/x-amz-json-1.0', 'x-amzn-query-error': `${code};Sender` },
    body: JSON.stringify({ __type: type, message }),
  };
}
