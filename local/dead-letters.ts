import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { JsonLines } from './json-lines.ts';
import { log } from './log.ts';
import type { Template } from './template.ts';

/** A message in a queue, as its file has it. */
export interface DeadLetter {
  readonly messageId: string;
  /** Unix seconds. */
  readonly at: number;
  /** JSON, as a message of SQS is text. */
  readonly body: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

interface Queue {
  readonly name: string;
  readonly file: string;
  readonly letters: JsonLines<DeadLetter>;
}

/**
 * The SQS queues of the template, as far as this machine has them: they take what could not be done, and keep it in
 * files for people to read.
 */
export class DeadLetters {
  private readonly queues: ReadonlyMap<string, Queue>;
  /** How many letters of each queue the person at the terminal was not told of yet. */
  private readonly untold = new Map<Queue, number>();

  /** @param directory gets a file for each queue */
  constructor(template: Template, directory: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.queues = new Map(
      template.ofType('AWS::SQS::Queue').map((resource) => {
        const queueArn = template.arnOf(resource);
        const name = queueArn.split(':').at(-1) ?? queueArn;
        const file = join(directory, `${name}.jsonl`);
        return [queueArn, { name, file, letters: new JsonLines<DeadLetter>(file) }];
      }),
    );
  }

  has(queueArn: string): boolean {
    return this.queues.has(queueArn);
  }

  put(queueArn: string, body: string, attributes?: Readonly<Record<string, string>>): void {
    const queue = this.queues.get(queueArn);
    if (!queue) throw new Error(`There is no queue ${queueArn}.`);
    const at = Math.floor(Date.now() / 1000);
    queue.letters.append({ messageId: randomUUID(), at, body, ...(attributes && { attributes }) });
    this.tell(queue);
  }

  /** Many that come at once are told in one line. */
  private tell(queue: Queue): void {
    const untold = this.untold.get(queue) ?? 0;
    this.untold.set(queue, untold + 1);
    if (untold > 0) return;
    setImmediate(() => {
      const count = this.untold.get(queue);
      this.untold.delete(queue);
      log(
        `The queue ${queue.name} has ${count === 1 ? 'a new message' : `${count} new messages`}: ${queue.file}`,
      );
    });
  }
}
