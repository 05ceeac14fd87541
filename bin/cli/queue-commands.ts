import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SQSClient } from '@aws-sdk/client-sqs';
import { suggestionFor } from '../../lib/suggestion.ts';
import type { Command } from './command-type.ts';
import type { Outputs } from './deployment.ts';
import {
  type Clients,
  clearMessages,
  countMessages,
  deleteMessage,
  type Queue,
  resendMessages,
  showMessages,
} from './queues.ts';
import { UsageError } from './usage.ts';

export const queueCommands: Readonly<Record<string, Command>> = {
  'queues list': async ({ outputs }) => {
    const clients = clientsOf();
    const counts = queuesIn(outputs).map(async (queue) => [queue.name, await countMessages(queue, clients)]);
    return Object.fromEntries(await Promise.all(counts));
  },
  'queues show': async ({ outputs }, name: string) =>
    showMessages(queueNamed(name, outputs), clientsOf(), printNotice),
  'queues resend': async ({ outputs }, name: string) => {
    const queue = queueNamed(name, outputs);
    if (queue.function === undefined)
      throw new UsageError(
        `The queue ${name} has notifications, which no function processes. Read them with "queues show".`,
      );
    const counts = await resendMessages(queue, clientsOf(), printNotice);
    if (counts.kept > 0) process.exitCode = 1;
    return counts;
  },
  'queues clear': async ({ outputs }, name: string) => ({
    deleted: await clearMessages(queueNamed(name, outputs), clientsOf()),
  }),
  'queues delete': async ({ outputs }, name: string, id: string) => {
    if (await deleteMessage(queueNamed(name, outputs), id, clientsOf())) return { deleted: id };
    throw new UsageError(
      `The queue ${name} has no message "${id}", or another run has hidden it. Try again in 6 minutes.`,
    );
  },
};

/** Prints a line to standard error, because it is not part of the result. */
function printNotice(line: string): void {
  console.error(line);
}

function clientsOf(): Clients {
  return {
    // The client uses the endpoint of the environment, even if the URLs of the queues have another host.
    sqs: new SQSClient({ useQueueUrlAsEndpoint: false }),
    lambda: new LambdaClient(),
    streams: new DynamoDBStreamsClient(),
  };
}

function queuesIn({ Queues = '[]' }: Outputs): Queue[] {
  return JSON.parse(Queues);
}

function queueNamed(name: string, outputs: Outputs): Queue {
  const queues = queuesIn(outputs);
  const found = queues.find((queue) => queue.name === name);
  if (found) return found;
  const names = queues.map((queue) => queue.name);
  throw new UsageError(
    `Unknown queue "${name}".${suggestionFor(name, names)} The queues are: ${names.join(', ') || 'none'}.`,
  );
}
