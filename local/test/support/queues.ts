import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../platform/clock.ts';
import { DeadLetterQueues } from '../../sqs/dead-letter-queues.ts';
import { Queues } from '../../sqs/queues.ts';
import type { Template } from '../../template/template.ts';

const fileIn = (directory: string) => join(directory, 'queues.sqlite');

/** Opens the queues of a template in a folder. The caller must close them with `stop`. */
export function openQueues(template: Template, directory: string, clock: Pick<Clock, 'now'>) {
  const queues = new Queues(template, fileIn(directory), clock);
  return { queues, deadLetterQueues: new DeadLetterQueues(queues) };
}

/** Returns the messages in a queue of a folder, oldest first. */
export function deadLetterMessagesIn(
  directory: string,
  queueArn: string,
): { body: string; attributes: Record<string, string> }[] {
  const store = new DatabaseSync(fileIn(directory));
  const rows = store
    .prepare('SELECT body, attributes FROM messages WHERE queue = ? ORDER BY sent, rowid')
    .all(queueArn) as { body: string; attributes: string }[];
  store.close();
  return rows.map(({ body, attributes }) => ({
    body,
    attributes: Object.fromEntries(
      Object.entries(JSON.parse(attributes) as Record<string, { StringValue: string }>).map(
        ([name, { StringValue }]) => [name, StringValue],
      ),
    ),
  }));
}
