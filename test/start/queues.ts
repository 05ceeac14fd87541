import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { operatorAccess } from './operator-access.ts';

/**
 * Puts a message into a queue of the service that runs on a folder.
 *
 * @returns its id
 */
export async function putMessage(directory: string, queue: string, body: object): Promise<string> {
  const { client: settings, outputs } = operatorAccess(directory);
  const queues: { name: string; url: string }[] = JSON.parse(outputs.Queues ?? '[]');
  const client = new SQSClient(settings);
  const { MessageId = '' } = await client.send(
    new SendMessageCommand({
      QueueUrl: queues.find(({ name }) => name === queue)?.url,
      MessageBody: JSON.stringify(body),
    }),
  );
  client.destroy();
  return MessageId;
}
