import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { jsonOf } from '../../lambdas/domain/platform/json.ts';
import { unavailableIfOutage } from '../../lambdas/domain/platform/outage.ts';
import { CannotRedrive, type DeadLetterMessage, eventOf, parseMessage } from './dead-letter-messages.ts';

export interface Queue {
  readonly name: string;
  readonly url: string;
  /** The name of the function that gets redriven messages. Undefined if the messages are notifications. */
  readonly function?: string;
}

export interface Clients {
  readonly sqs: SQSClient;
  readonly lambda: LambdaClient;
  readonly streams: DynamoDBStreamsClient;
}

export interface ShownMessage {
  readonly id: string;
  readonly sent: string;
  readonly reason: string;
  readonly event?: unknown;
  /** Why the event cannot be shown. */
  readonly fault?: string;
  /** The body of a message whose format is unknown. */
  readonly body?: string;
}

/**
 * Received messages are hidden for longer than the timeout of every function whose result a command waits for. If this process
 * dies, they become visible again after this time.
 */
const visibilityTimeoutSeconds = 360;

/** The command stops receiving after this many consecutive responses that contain only messages received before. */
const maxResponsesWithoutNews = 3;

/** The most that SQS allows. */
const batchSize = 10;

/** Returns the approximate number of messages, including those that another receiver has hidden. */
export async function countMessages({ url }: Queue, { sqs }: Clients): Promise<number> {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const command = new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...names] });
  const { Attributes = {} } = await orUnavailable(sqs.send(command));
  return names.reduce((sum, name) => sum + Number(Attributes[name]), 0);
}

/**
 * Returns the messages in a queue, oldest first. The messages stay in the queue.
 *
 * @param report receives a line if another receiver may have hidden messages
 */
export async function showMessages(
  queue: Queue,
  clients: Clients,
  report: (line: string) => void,
): Promise<ShownMessage[]> {
  const expected = await countMessages(queue, clients);
  const messages: Message[] = [];
  try {
    for await (const received of messagesOf(queue, clients, expected)) messages.push(...received);
    reportHidden(expected - messages.length, report);
    return await Promise.all(
      messages.sort((a, b) => sentAt(a) - sentAt(b)).map((message) => shown(message, clients)),
    );
  } finally {
    await makeVisible(messages, queue, clients);
  }
}

/**
 * Sends the event of each message in a queue to the Lambda function that handles it. Deletes the message after Lambda has
 * accepted the event or, for stream records, after the function has processed them. If the command fails before the deletion,
 * the next run sends the event again.
 *
 * @param report receives the reason for each message that stays in the queue, and a line if others may be hidden
 */
export async function redriveMessages(
  queue: Queue,
  clients: Clients,
  report: (line: string) => void,
): Promise<{ sent: number; kept: number }> {
  const expected = await countMessages(queue, clients);
  let sent = 0;
  const kept: Message[] = [];
  try {
    for await (const messages of messagesOf(queue, clients, expected)) {
      const errors = await Promise.all(messages.map((message) => errorOfSending(message, queue, clients)));
      for (const [i, message] of messages.entries()) {
        if (errors[i] === undefined) sent += 1;
        else {
          kept.push(message);
          report(`${message.MessageId} stays in the queue. ${errors[i]}`);
        }
      }
    }
  } finally {
    await makeVisible(kept, queue, clients);
  }
  reportHidden(expected - sent - kept.length, report);
  return { sent, kept: kept.length };
}

function reportHidden(count: number, report: (line: string) => void): void {
  if (count > 0)
    report(
      `${count} more ${count === 1 ? 'message' : 'messages'} may be hidden by another command. Try again in ${visibilityTimeoutSeconds / 60} minutes.`,
    );
}

/** Deletes the messages in a queue, except those that another receiver has hidden. */
export async function purgeMessages(queue: Queue, clients: Clients): Promise<number> {
  let deleted = 0;
  for await (const messages of messagesOf(queue, clients)) {
    await Promise.all(messages.map((message) => orUnavailable(remove(message, queue, clients))));
    deleted += messages.length;
  }
  return deleted;
}

/** @returns true if the message was deleted, and false if it is not in the queue or another receiver has hidden it */
export async function deleteMessage(queue: Queue, id: string, clients: Clients): Promise<boolean> {
  const others: Message[] = [];
  try {
    for await (const messages of messagesOf(queue, clients)) {
      const found = messages.find(({ MessageId }) => MessageId === id);
      others.push(...messages.filter((message) => message !== found));
      if (!found) continue;
      await orUnavailable(remove(found, queue, clients));
      return true;
    }
    return false;
  } finally {
    await makeVisible(others, queue, clients);
  }
}

/**
 * Yields the messages in a queue in batches, each message once. Stops after about as many messages as were in the queue at the
 * start, because new messages could keep arriving.
 *
 * @param expected the approximate number of messages at the start; counted if absent
 */
async function* messagesOf(queue: Queue, clients: Clients, expected?: number): AsyncGenerator<Message[]> {
  // The count is approximate, so the minimum is one batch.
  const limit = Math.max(batchSize, expected ?? (await countMessages(queue, clients)));
  const seen = new Set<string | undefined>();
  for (let withoutNews = 0; seen.size < limit && withoutNews < maxResponsesWithoutNews; ) {
    const command = new ReceiveMessageCommand({
      QueueUrl: queue.url,
      MaxNumberOfMessages: batchSize,
      VisibilityTimeout: visibilityTimeoutSeconds,
      // Without a wait time, SQS queries only some of its servers.
      WaitTimeSeconds: 1,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['SentTimestamp'],
    });
    const { Messages = [] } = await orUnavailable(clients.sqs.send(command));
    const unseen = Messages.filter(({ MessageId }) => !seen.has(MessageId));
    if (Messages.length === 0) return;
    withoutNews = unseen.length === 0 ? withoutNews + 1 : 0;
    for (const { MessageId } of unseen) seen.add(MessageId);
    if (unseen.length > 0) yield unseen;
  }
}

async function shown(message: Message, clients: Clients): Promise<ShownMessage> {
  const parsed = parseMessage(message);
  const head = {
    id: message.MessageId ?? '',
    sent: new Date(sentAt(message)).toISOString(),
    reason: parsed.reason,
  };
  if (parsed.kind === 'notification') return { ...head, event: parsed.event };
  if (parsed.kind === 'unknown') return { ...head, body: message.Body ?? '' };
  try {
    return { ...head, event: await eventOf(parsed, clients.streams) };
  } catch (error) {
    return { ...head, fault: (error as Error).message };
  }
}

function sentAt({ Attributes }: Message): number {
  return Number(Attributes?.SentTimestamp ?? 0);
}

/** @returns the reason why the message stays in the queue, or undefined if it does not */
async function errorOfSending(message: Message, queue: Queue, clients: Clients): Promise<string | undefined> {
  try {
    const parsed = parseMessage(message);
    await invoke(parsed, await eventOf(parsed, clients.streams), queue, clients);
  } catch (error) {
    return (error as Error).message;
  }
  try {
    await remove(message, queue, clients);
    return undefined;
  } catch (error) {
    return `The event was sent, but the message could not be deleted: ${(error as Error).message}`;
  }
}

/**
 * Invokes the function asynchronously, so that Lambda sends the event to the dead-letter queue if the function fails again. For
 * stream records, waits for the result, because Lambda would not send them to a queue.
 *
 * @throws CannotRedrive if the function fails on the stream records
 */
async function invoke(
  message: DeadLetterMessage,
  event: unknown,
  queue: Queue,
  { lambda }: Clients,
): Promise<void> {
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({
      FunctionName: queue.function,
      InvocationType: message.kind === 'records' ? 'RequestResponse' : 'Event',
      Payload: JSON.stringify(event),
    }),
  );
  const result = Payload?.transformToString();
  // A function that processes several records can report that it has processed only some of them.
  const { batchItemFailures = [] } = Object(jsonOf(result ?? '')) as {
    batchItemFailures?: readonly unknown[];
  };
  if (FunctionError || batchItemFailures.length > 0)
    throw new CannotRedrive(`The function failed: ${result}`);
}

function remove({ ReceiptHandle }: Message, { url }: Queue, { sqs }: Clients): Promise<unknown> {
  return sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
}

/** Makes messages visible to other receivers again. If this fails, they stay hidden until the visibility timeout ends. */
async function makeVisible(messages: readonly Message[], { url }: Queue, { sqs }: Clients): Promise<void> {
  const commands = messages.map(
    ({ ReceiptHandle }) =>
      new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle, VisibilityTimeout: 0 }),
  );
  await Promise.allSettled(commands.map((command) => sqs.send(command)));
}

/** @throws Unavailable if SQS is unavailable */
function orUnavailable<Output>(response: Promise<Output>): Promise<Output> {
  return response.catch((error) => {
    throw unavailableIfOutage('SQS', error);
  });
}
