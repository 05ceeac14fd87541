import { log } from '../platform/log.ts';
import type { ServiceTexts } from '../platform/service-texts.ts';
import type { Queue, Queues } from './queues.ts';

/** What could not be done: it goes to the queues, and the person at the terminal is told. */
export class DeadLetterQueues {
  private readonly queues: Queues;
  private readonly showQueue: ServiceTexts['showQueue'];
  /** How many letters of each queue the person at the terminal was not told of yet. */
  private readonly untold = new Map<Queue, number>();

  /** @param showQueue returns the command that shows the messages of a queue */
  constructor(queues: Queues, { showQueue }: Pick<ServiceTexts, 'showQueue'> = {}) {
    this.queues = queues;
    this.showQueue = showQueue;
  }

  has(queueArn: string): boolean {
    return this.find(queueArn) !== undefined;
  }

  /** @param body JSON, as a message of SQS is text */
  put(queueArn: string, body: string, attributes: Readonly<Record<string, string>> = {}): void {
    const queue = this.find(queueArn);
    if (!queue) throw new Error(`There is no queue ${queueArn}.`);
    this.queues.send(queue, {
      body,
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
      ),
    });
    this.tell(queue);
  }

  private find(queueArn: string): Queue | undefined {
    return this.queues.find(({ arn }) => arn === queueArn);
  }

  /** Many that come at once are told in one line. */
  private tell(queue: Queue): void {
    const untold = this.untold.get(queue) ?? 0;
    this.untold.set(queue, untold + 1);
    if (untold > 0) return;
    setImmediate(() => {
      const count = this.untold.get(queue);
      this.untold.delete(queue);
      const news = count === 1 ? 'a new message' : `${count} new messages`;
      const command = this.showQueue?.(queue.name);
      log(`The queue ${queue.name} has ${news}${command === undefined ? '.' : `: ${command}`}`);
    });
  }
}
