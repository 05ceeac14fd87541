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
import { unavailableIfOutage } from '../../lambdas/domain/platform/outage.ts';
import { eventOf, type Letter, letterOf, NoEvent } from './dead-letter-messages.ts';

/** A queue of what could not be done. */
export interface Queue {
  readonly name: string;
  readonly url: string;
  /** The name of the function that its messages are for, if they are not for people alone. */
  readonly function?: string;
}

/** The services that the commands call. */
export interface Clients {
  readonly sqs: SQSClient;
  readonly lambda: LambdaClient;
  readonly streams: DynamoDBStreamsClient;
}

/** A message as an operator sees it: with its event, or with what is known instead. */
export interface ShownMessage {
  readonly id: string;
  readonly sent: string;
  readonly why: string;
  readonly event?: unknown;
  /** Why there is no event. */
  readonly fault?: string;
  /** The whole message, where nothing is known of it. */
  readonly body?: string;
}

/**
 * How long a message is hidden from others, in seconds: longer than any function takes that is waited for. If this
 * process dies, the message is there again after that.
 */
const hidden = 360;

/** How often in a row a queue may give only messages that were seen: those whose time in hiding is over. */
const patience = 3;

/** How many messages SQS gives at once, at most. */
const batch = 10;

/** How many messages there are, with those that somebody has in hand. */
export async function countMessages({ url }: Queue, { sqs }: Clients): Promise<number> {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const command = new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...names] });
  const { Attributes = {} } = await orUnavailable(sqs.send(command));
  return names.reduce((sum, name) => sum + Number(Attributes[name]), 0);
}

/**
 * The messages, the oldest first; they stay where they are.
 *
 * @param tell hears of those that cannot be shown now
 */
export async function showMessages(
  queue: Queue,
  clients: Clients,
  tell: (line: string) => void,
): Promise<ShownMessage[]> {
  const expected = await countMessages(queue, clients);
  const messages: Message[] = [];
  try {
    for await (const batch of messagesOf(queue, clients, expected)) messages.push(...batch);
    tellOfUnseen(expected - messages.length, tell);
    return await Promise.all(
      messages.sort((a, b) => sentAt(a) - sentAt(b)).map((message) => shown(message, clients)),
    );
  } finally {
    await giveBack(messages, queue, clients);
  }
}

/**
 * Sends the event of each message to its function again, and deletes the message when Lambda has taken the event: what
 * fails or dies in between is sent once more, never lost.
 *
 * @param tell hears of each message that is kept, and why
 */
export async function resendMessages(
  queue: Queue,
  clients: Clients,
  tell: (line: string) => void,
): Promise<{ sent: number; kept: number }> {
  const expected = await countMessages(queue, clients);
  let sent = 0;
  const kept: Message[] = [];
  try {
    for await (const messages of messagesOf(queue, clients, expected)) {
      const faults = await Promise.all(messages.map((message) => faultOfSending(message, queue, clients)));
      for (const [i, message] of messages.entries()) {
        if (faults[i] === undefined) sent += 1;
        else {
          kept.push(message);
          tell(`${message.MessageId} stays in the queue. ${faults[i]}`);
        }
      }
    }
  } finally {
    await giveBack(kept, queue, clients);
  }
  tellOfUnseen(expected - sent - kept.length, tell);
  return { sent, kept: kept.length };
}

function tellOfUnseen(count: number, tell: (line: string) => void): void {
  if (count > 0)
    tell(`${count} more may be there, in the hands of another run: look again in ${hidden / 60} minutes.`);
}

/** Deletes all messages. @returns how many they were */
export async function clearMessages(queue: Queue, clients: Clients): Promise<number> {
  let deleted = 0;
  for await (const messages of messagesOf(queue, clients)) {
    await Promise.all(messages.map((message) => orUnavailable(remove(message, queue, clients))));
    deleted += messages.length;
  }
  return deleted;
}

/** Deletes a message. @returns false if it is not there */
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
    await giveBack(others, queue, clients);
  }
}

/**
 * The messages of a queue, each once, until it has no more, or has given as many as there were: others may come
 * meanwhile, without end.
 *
 * @param expected how many there are, approximately
 */
async function* messagesOf(queue: Queue, clients: Clients, expected?: number): AsyncGenerator<Message[]> {
  // The count is approximate: some are asked for, whatever it says.
  const most = Math.max(batch, expected ?? (await countMessages(queue, clients)));
  const seen = new Set<string | undefined>();
  for (let vain = 0; seen.size < most && vain < patience; ) {
    const command = new ReceiveMessageCommand({
      QueueUrl: queue.url,
      MaxNumberOfMessages: batch,
      VisibilityTimeout: hidden,
      // Without a wait, SQS asks only some of its servers.
      WaitTimeSeconds: 1,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['SentTimestamp'],
    });
    const { Messages = [] } = await orUnavailable(clients.sqs.send(command));
    const unseen = Messages.filter(({ MessageId }) => !seen.has(MessageId));
    if (Messages.length === 0) return;
    vain = unseen.length === 0 ? vain + 1 : 0;
    for (const { MessageId } of unseen) seen.add(MessageId);
    if (unseen.length > 0) yield unseen;
  }
}

async function shown(message: Message, clients: Clients): Promise<ShownMessage> {
  const letter = letterOf(message);
  const head = {
    id: message.MessageId ?? '',
    sent: new Date(sentAt(message)).toISOString(),
    why: letter.why,
  };
  if (letter.kind === 'notice') return { ...head, event: letter.event };
  if (letter.kind === 'unknown') return { ...head, body: message.Body ?? '' };
  try {
    return { ...head, event: await eventOf(letter, clients.streams) };
  } catch (error) {
    return { ...head, fault: (error as Error).message };
  }
}

function sentAt({ Attributes }: Message): number {
  return Number(Attributes?.SentTimestamp ?? 0);
}

/** Sends the event of a message again. @returns why the message stays, if it does */
async function faultOfSending(message: Message, queue: Queue, clients: Clients): Promise<string | undefined> {
  try {
    const letter = letterOf(message);
    await invoke(letter, await eventOf(letter, clients.streams), queue, clients);
  } catch (error) {
    return (error as Error).message;
  }
  try {
    await remove(message, queue, clients);
    return undefined;
  } catch (error) {
    return `It was sent again, but could not be deleted: ${(error as Error).message}`;
  }
}

/**
 * Hands an event to its function, asynchronously: what fails again comes back to its queue. A record of a stream has no
 * such way back; it is waited for, as Lambda waits that reads the stream.
 */
async function invoke(letter: Letter, event: unknown, queue: Queue, { lambda }: Clients): Promise<void> {
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({
      FunctionName: queue.function,
      InvocationType: letter.kind === 'record' ? 'RequestResponse' : 'Event',
      Payload: JSON.stringify(event),
    }),
  );
  if (FunctionError) throw new NoEvent(`Its function failed: ${Payload?.transformToString()}`);
}

function remove({ ReceiptHandle }: Message, { url }: Queue, { sqs }: Clients): Promise<unknown> {
  return sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
}

/** Lets messages be seen by others at once. */
async function giveBack(messages: readonly Message[], { url }: Queue, { sqs }: Clients): Promise<void> {
  const commands = messages.map(
    ({ ReceiptHandle }) =>
      new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle, VisibilityTimeout: 0 }),
  );
  // What cannot be given back comes back by itself.
  await Promise.allSettled(commands.map((command) => sqs.send(command)));
}

function orUnavailable<Output>(answer: Promise<Output>): Promise<Output> {
  return answer.catch((error) => {
    throw unavailableIfOutage('SQS', error);
  });
}
