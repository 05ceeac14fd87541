import { hash } from 'node:crypto';
import type { Emulator } from '../endpoint/emulator.ts';
import { jsonOperations } from '../endpoint/json-operations.ts';
import { check } from '../platform/service-error.ts';
import type { Message, MessageAttribute, Queue, Queues, Receipt } from './queues.ts';

interface Request {
  readonly QueueUrl?: string;
  readonly AttributeNames?: readonly string[];
  readonly MessageSystemAttributeNames?: readonly string[];
  readonly MessageAttributeNames?: readonly string[];
  readonly MaxNumberOfMessages?: number;
  readonly VisibilityTimeout?: number;
  readonly ReceiptHandle?: string;
  readonly MessageBody?: string;
  readonly MessageAttributes?: Readonly<Record<string, MessageAttribute>>;
}

/** Responds to ReceiveMessage immediately, whatever the value of `WaitTimeSeconds`. */
export class SqsEmulator {
  private readonly queues: Queues;

  constructor(queues: Queues) {
    this.queues = queues;
  }

  private readonly actions: Record<string, (queue: Queue, request: Request) => object> = {
    ChangeMessageVisibility: (queue, { ReceiptHandle, VisibilityTimeout = 0 }) => {
      const isHidden = this.queues.hide(queue, receiptOf(ReceiptHandle), VisibilityTimeout * 1000);
      check(isHidden, 'MessageNotInflight', 'The specified message is not in flight.');
      return {};
    },
    DeleteMessage: (queue, { ReceiptHandle }) => {
      this.queues.remove(queue, receiptOf(ReceiptHandle));
      return {};
    },
    GetQueueAttributes: (queue, { AttributeNames = [] }) => {
      const { visible, hidden } = this.queues.count(queue);
      const all = {
        ApproximateNumberOfMessages: String(visible),
        ApproximateNumberOfMessagesNotVisible: String(hidden),
      };
      checkNames(AttributeNames, Object.keys(all));
      return { Attributes: all };
    },
    ReceiveMessage: (queue, request) => {
      const { MaxNumberOfMessages: maximum = 1, VisibilityTimeout } = request;
      checkNames(request.MessageAttributeNames, ['All']);
      checkNames(request.MessageSystemAttributeNames, ['SentTimestamp']);
      const messages = this.queues.receive(queue, {
        maximum,
        visibilityTimeoutMs:
          VisibilityTimeout === undefined ? queue.visibilityTimeoutMs : VisibilityTimeout * 1000,
      });
      return messages.length === 0 ? {} : { Messages: messages.map((one) => messageOf(one, request)) };
    },
    SendMessage: (queue, { MessageBody: body = '', MessageAttributes: attributes = {} }) => ({
      MessageId: this.queues.send(queue, { body, attributes }),
      MD5OfMessageBody: hash('md5', body),
    }),
  };

  readonly serve: Emulator = jsonOperations(
    'SQS',
    Object.fromEntries(
      Object.entries(this.actions).map(([name, action]) => [
        name,
        (request: Request) => action(this.find(request.QueueUrl), request),
      ]),
    ),
  );

  private find(url = ''): Queue {
    // The URL's host can be AWS's or the local endpoint's.
    const path = pathOf(url);
    const queue = this.queues.find((one) => pathOf(one.url) === path);
    check(queue, 'QueueDoesNotExist', 'The specified queue does not exist.');
    return queue;
  }
}

function messageOf({ id, receipt, body, sent, attributes }: Message, request: Request): object {
  const hasAttributes = request.MessageAttributeNames?.length && Object.keys(attributes).length > 0;
  return {
    MessageId: id,
    ReceiptHandle: `${id} ${receipt}`,
    Body: body,
    MD5OfBody: hash('md5', body),
    ...(request.MessageSystemAttributeNames?.length && { Attributes: { SentTimestamp: String(sent) } }),
    ...(hasAttributes && { MessageAttributes: attributes }),
  };
}

function receiptOf(handle = ''): Receipt {
  const [id = '', receipt = ''] = handle.split(' ');
  return { id, receipt };
}

function checkNames(names: readonly string[] = [], supported: readonly string[]): void {
  const unknown = names.find((name) => !supported.includes(name));
  check(unknown === undefined, 'InvalidAttributeName', `The local cloud does not support ${unknown}.`);
}

function pathOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).pathname : undefined;
}
