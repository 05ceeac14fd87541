import { log } from '../platform/log.ts';
import type { ServiceTexts } from '../platform/service-texts.ts';
import type { Queue, Queues } from './queues.ts';

export class DeadLetterQueues {
  private readonly queues: Queues;
  private readonly showQueue: ServiceTexts['showQueue'];
  /** How many new messages in each queue have not been logged yet. */
  private readonly unlogged = new Map<Queue, number>();

  constructor(queues: Queues, { showQueue }: Pick<ServiceTexts, 'showQueue'> = {}) {
    this.queues = queues;
    this.showQueue = showQueue;
  }

  has(queueArn: string): boolean {
    return this.find(queueArn) !== undefined;
  }

  /** The message is on disk when this method returns. */
  put(queueArn: string, body: string, attributes: Readonly<Record<string, string>> = {}): void {
    const queue = this.find(queueArn);
    if (!queue) throw new Error(`The template has no queue ${queueArn}.`);
    this.queues.send(queue, {
      body,
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
      ),
    });
    this.logNew(queue);
  }

  private find(queueArn: string): Queue | undefined {
    return this.queues.find(({ arn }) => arn === queueArn);
  }

  /** Writes only one log line for messages that arrive together. */
  private logNew(queue: Queue): void {
    const unlogged = this.unlogged.get(queue) ?? 0;
    this.unlogged.set(queue, unlogged + 1);
    if (unlogged > 0) return;
    setImmediate(() => {
      const count = this.unlogged.get(queue);
      this.unlogged.delete(queue);
      const messages = count === 1 ? 'a new message' : `${count} new messages`;
      const command = this.showQueue?.(queue.name);
      log(`The queue ${queue.name} has ${messages}${command === undefined ? '.' : `: ${command}`}`);
    });
  }
}
