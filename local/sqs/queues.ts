import { randomUUID } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { inTransaction, openStore, type Store } from '../platform/store.ts';
import type { Resource } from '../template/resource.ts';
import type { Template } from '../template/template.ts';

export interface Queue {
  /** The construct's ID. */
  readonly name: string;
  readonly arn: string;
  readonly url: string;
  readonly visibilityTimeoutMs: number;
  readonly retentionMs: number;
}

export interface MessageAttribute {
  readonly DataType: string;
  readonly StringValue?: string;
}

export interface MessageContent {
  readonly body: string;
  readonly attributes: Readonly<Record<string, MessageAttribute>>;
}

export interface Message extends MessageContent {
  readonly id: string;
  /** Identifies this receipt. Only the latest receipt can remove or hide the message. */
  readonly receipt: string;
  /** Milliseconds since 1970. */
  readonly sent: number;
}

export type Receipt = Pick<Message, 'id' | 'receipt'>;

interface Row extends Omit<Message, 'attributes' | 'receipt'> {
  /** JSON. */
  readonly attributes: string;
}

const defaultRetentionSeconds = 4 * 24 * 60 * 60;
const defaultVisibilityTimeoutSeconds = 30;

/** Messages stay on disk until they are removed or expire. */
export class Queues {
  private queues: readonly Queue[] = [];
  private readonly store: Store;
  private readonly clock: Pick<Clock, 'now'>;

  /** @throws Error with the logical ID of the queue if the emulator does not support its properties */
  constructor(template: Template, file: string, clock: Pick<Clock, 'now'>) {
    this.deploy(template);
    this.clock = clock;
    this.store = openStore(file);
    // Only version 1.0.0 used the last two columns.
    this.store.exec(`
      CREATE TABLE IF NOT EXISTS messages (
        id TEXT PRIMARY KEY, queue TEXT, body TEXT, attributes TEXT, sent INTEGER, visible INTEGER, receipt TEXT,
        receipts INTEGER, firstReceived INTEGER);
      CREATE INDEX IF NOT EXISTS byQueue ON messages (queue, sent);`);
  }

  /** Messages in queues that are no longer in the template stay on disk. */
  deploy(template: Template): void {
    this.queues = template.ofType('AWS::SQS::Queue').map((resource) => queueOf(resource, template));
  }

  stop(): void {
    this.store.close();
  }

  find(condition: (queue: Queue) => boolean): Queue | undefined {
    return this.queues.find(condition);
  }

  /** The message is on disk when this method returns its ID. */
  send({ arn }: Queue, { body, attributes }: MessageContent): string {
    const id = randomUUID();
    const now = this.clock.now();
    const values = [id, arn, body, JSON.stringify(attributes), now, now];
    this.store.run('INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, NULL, 0, NULL)', ...values);
    return id;
  }

  receive(
    queue: Queue,
    { maximum, visibilityTimeoutMs }: { maximum: number; visibilityTimeoutMs: number },
  ): Message[] {
    return inTransaction(this.store, () => {
      this.expire(queue);
      const sql = 'SELECT * FROM messages WHERE queue = ? AND visible <= ? ORDER BY sent, rowid LIMIT ?';
      const rows = this.store.rows<Row>(sql, queue.arn, this.clock.now(), maximum);
      return rows.map((row) => this.hideReceived(row, visibilityTimeoutMs));
    });
  }

  /** Does nothing if the receipt is not the message's latest one. */
  remove({ arn }: Queue, { id, receipt }: Receipt): void {
    this.store.run('DELETE FROM messages WHERE id = ? AND queue = ? AND receipt = ?', id, arn, receipt);
  }

  /** Returns false if the message is not hidden, or if the receipt is not its latest one. */
  hide({ arn }: Queue, { id, receipt }: Receipt, visibilityTimeoutMs: number): boolean {
    const now = this.clock.now();
    const sql = 'UPDATE messages SET visible = ? WHERE id = ? AND queue = ? AND receipt = ? AND visible > ?';
    return this.store.run(sql, now + visibilityTimeoutMs, id, arn, receipt, now).changes > 0;
  }

  count(queue: Queue): { visible: number; hidden: number } {
    this.expire(queue);
    const { all = 0, hidden = 0 } =
      this.store.row<{ all: number; hidden: number }>(
        'SELECT COUNT(*) AS "all", COUNT(*) FILTER (WHERE visible > ?) AS hidden FROM messages WHERE queue = ?',
        ...[this.clock.now(), queue.arn],
      ) ?? {};
    return { visible: all - hidden, hidden };
  }

  private hideReceived({ id, body, attributes, sent }: Row, visibilityTimeoutMs: number): Message {
    const receipt = randomUUID();
    const visible = this.clock.now() + visibilityTimeoutMs;
    this.store.run('UPDATE messages SET visible = ?, receipt = ? WHERE id = ?', visible, receipt, id);
    return { id, receipt, body, attributes: JSON.parse(attributes), sent };
  }

  private expire({ arn, retentionMs }: Queue): void {
    const expired = this.clock.now() - retentionMs;
    this.store.run('DELETE FROM messages WHERE queue = ? AND sent <= ?', arn, expired);
  }
}

function queueOf(resource: Resource, template: Template): Queue {
  const { logicalId, name, properties } = resource;
  const {
    MessageRetentionPeriod = defaultRetentionSeconds,
    VisibilityTimeout = defaultVisibilityTimeoutSeconds,
    FifoQueue,
    RedrivePolicy,
    DelaySeconds,
  } = properties;
  if (FifoQueue || RedrivePolicy || DelaySeconds)
    throw new Error(
      `${logicalId}: the local cloud supports only standard queues without a redrive policy or a delay.`,
    );
  return {
    name,
    arn: template.arnOf(resource),
    url: template.idOf(resource),
    visibilityTimeoutMs: VisibilityTimeout * 1000,
    retentionMs: MessageRetentionPeriod * 1000,
  };
}
