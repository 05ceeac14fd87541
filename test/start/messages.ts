import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { operatorAccess, withClient } from './operator-access.ts';

/** Puts a message into a queue of the service that runs on a folder. @returns its ID */
export async function putMessage(directory: string, queue: string, body: object): Promise<string> {
  const { outputs } = operatorAccess(directory);
  const queues: { name: string; url: string }[] = JSON.parse(outputs.Queues ?? '[]');
  const QueueUrl = queues.find(({ name }) => name === queue)?.url;
  const command = new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(body) });
  const { MessageId = '' } = await withClient(SQSClient, directory, (sqs) => sqs.send(command));
  return MessageId;
}
