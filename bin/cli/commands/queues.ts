import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SQSClient } from '@aws-sdk/client-sqs';
import { suggestionFor } from '../../../lib/suggestion.ts';
import type { Outputs } from '../deployment.ts';
import { CommandFailed, UsageError } from '../errors.ts';
import type { OperatorRun } from '../operator-group.ts';
import {
  type Clients,
  countMessages,
  deleteMessage,
  purgeMessages,
  type Queue,
  redriveMessages,
  showMessages,
} from '../queues.ts';

export const list: OperatorRun = async ({ outputs }) => {
  const clients = clientsOf();
  const counts = queuesIn(outputs).map(async (queue) => ({
    queue: queue.name,
    messages: await countMessages(queue, clients),
  }));
  return Promise.all(counts);
};

export const get: OperatorRun = async ({ outputs, notice }, name: string) =>
  showMessages(queueNamed(name, outputs), clientsOf(), notice);

export const redrive: OperatorRun = async ({ outputs, notice, fail }, name: string) => {
  const queue = queueNamed(name, outputs);
  if (queue.function === undefined)
    throw new UsageError(
      `The queue ${name} contains notifications, which no function processes. Read them with "npx dogs queues get".`,
    );
  const counts = await redriveMessages(queue, clientsOf(), notice);
  if (counts.kept > 0)
    fail(`Not all messages were redriven. Read the others with "npx dogs queues get ${name}".`);
  return counts;
};

export const purge: OperatorRun = async ({ outputs }, name: string) => ({
  deleted: await purgeMessages(queueNamed(name, outputs), clientsOf()),
});

const deleteOne: OperatorRun = async ({ outputs }, name: string, id: string) => {
  if (await deleteMessage(queueNamed(name, outputs), id, clientsOf())) return { deleted: id };
  throw new CommandFailed(
    `The queue ${name} has no message "${id}", or another command has hidden it. Try again in 6 minutes.`,
  );
};

function clientsOf(): Clients {
  return {
    // Uses the endpoint from the environment, even if the queue URLs name another host.
    sqs: new SQSClient({ useQueueUrlAsEndpoint: false }),
    lambda: new LambdaClient(),
    streams: new DynamoDBStreamsClient(),
  };
}

function queuesIn({ Queues }: Outputs): Queue[] {
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

// A function cannot be named delete.
export { deleteOne as delete };
