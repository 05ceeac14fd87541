import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../platform/clock.ts';
import { inTransaction, openStore } from '../platform/store.ts';
import type { Resource } from '../template/resource.ts';
import type { Template } from '../template/template.ts';

/** A queue of the template. Times are in milliseconds. */
export interface Queue {
  /** The construct's own id, by which people know it. */
  readonly name: string;
  readonly arn: string;
  readonly url: string;
  /** How long a message that was received is hidden, unless the receiver says otherwise. */
  readonly visibilityTimeout: number;
  readonly retention: number;
}

/** An attribute of a message, as SQS has it. */
export interface MessageAttribute {
  readonly DataType: string;
  readonly StringValue?: string;
  /** Base64. */
  readonly BinaryValue?: string;
}

/** What is sent. */
export interface MessageContent {
  readonly body: string;
  readonly attributes: Readonly<Record<string, MessageAttribute>>;
}

/** A message that was received. Times are in milliseconds since 1970. */
export interface Message extends MessageContent {
  readonly id: string;
  /** Names this receipt, by which alone the message can be removed or hidden. */
  readonly receipt: string;
  readonly sent: number;
  readonly receipts: number;
  readonly firstReceived: number;
}

interface Row {
  readonly id: string;
  readonly body: string;
  /** JSON. */
  readonly attributes: string;
  readonly sent: number;
  readonly receipts: number;
  readonly firstReceived: number | null;
}

const second = 1000;
const usualRetention = 4 * 24 * 60 * 60;
const usualVisibilityTimeout = 30;

/** The queues of the template with what lies in them, on disk: a message that was taken is there until it is removed. */
export class Queues {
  private readonly queues: readonly Queue[];
  private readonly store: DatabaseSync;
  private readonly clock: Pick<Clock, 'now'>;

  /** @throws Error that names the queue of the template that this machine cannot have */
  constructor(template: Template, file: string, clock: Pick<Clock, 'now'>) {
    this.queues = template.ofType('AWS::SQS::Queue').map((resource) => queueOf(resource, template));
    this.clock = clock;
    this.store = openStore(file);
    this.store.exec(`
      CREATE TABLE IF NOT EXISTS messages (
        id TEXT PRIMARY KEY, queue TEXT, body TEXT, attributes TEXT, sent INTEGER, visible INTEGER, receipt TEXT,
        receipts INTEGER, firstReceived INTEGER);
      CREATE INDEX IF NOT EXISTS byQueue ON messages (queue, sent);`);
  }

  stop(): void {
    this.store.close();
  }

  find(condition: (queue: Queue) => boolean): Queue | undefined {
    return this.queues.find(condition);
  }

  /** Takes a message: it is on disk when this returns. @returns its id */
  send({ arn }: Queue, { body, attributes }: MessageContent): string {
    const id = randomUUID();
    const now = this.clock.now();
    this.store
      .prepare('INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, NULL, 0, NULL)')
      .run(id, arn, body, JSON.stringify(attributes), now, now);
    return id;
  }

  /** Gives the oldest messages, and hides them for so many milliseconds. */
  receive(queue: Queue, { most, hiddenFor }: { most: number; hiddenFor: number }): Message[] {
    return inTransaction(this.store, () => {
      this.expire(queue);
      const rows = this.store
        .prepare('SELECT * FROM messages WHERE queue = ? AND visible <= ? ORDER BY sent, rowid LIMIT ?')
        .all(queue.arn, this.clock.now(), most) as unknown as Row[];
      return rows.map((row) => this.handOut(row, hiddenFor));
    });
  }

  /** Removes a message, unless another receipt is the latest one. */
  remove({ arn }: Queue, id: string, receipt: string): void {
    this.store
      .prepare('DELETE FROM messages WHERE id = ? AND queue = ? AND receipt = ?')
      .run(id, arn, receipt);
  }

  /** Hides a message for so many milliseconds from now on. @returns false if it is not hidden by this receipt */
  hide({ arn }: Queue, id: string, receipt: string, milliseconds: number): boolean {
    const now = this.clock.now();
    const { changes } = this.store
      .prepare('UPDATE messages SET visible = ? WHERE id = ? AND queue = ? AND receipt = ? AND visible > ?')
      .run(now + milliseconds, id, arn, receipt, now);
    return changes > 0;
  }

  /** How many messages there are, and how many of them are hidden. */
  count(queue: Queue): { visible: number; hidden: number } {
    this.expire(queue);
    const { all, hidden } = this.store
      .prepare(
        'SELECT COUNT(*) AS "all", COUNT(*) FILTER (WHERE visible > ?) AS hidden FROM messages WHERE queue = ?',
      )
      .get(this.clock.now(), queue.arn) as { all: number; hidden: number };
    return { visible: all - hidden, hidden };
  }

  private handOut({ id, body, attributes, sent, ...row }: Row, hiddenFor: number): Message {
    const now = this.clock.now();
    const receipt = randomUUID();
    const { receipts, firstReceived } = {
      receipts: row.receipts + 1,
      firstReceived: row.firstReceived ?? now,
    };
    this.store
      .prepare('UPDATE messages SET visible = ?, receipt = ?, receipts = ?, firstReceived = ? WHERE id = ?')
      .run(now + hiddenFor, receipt, receipts, firstReceived, id);
    return { id, receipt, body, attributes: JSON.parse(attributes), sent, receipts, firstReceived };
  }

  private expire({ arn, retention }: Queue): void {
    this.store
      .prepare('DELETE FROM messages WHERE queue = ? AND sent <= ?')
      .run(arn, this.clock.now() - retention);
  }
}

function queueOf(resource: Resource, template: Template): Queue {
  const { logicalId, name, properties } = resource;
  const {
    MessageRetentionPeriod = usualRetention,
    VisibilityTimeout = usualVisibilityTimeout,
    FifoQueue,
    RedrivePolicy,
    DelaySeconds,
  } = properties;
  if (FifoQueue || RedrivePolicy || DelaySeconds)
    throw new Error(`${logicalId}: this machine has only standard queues, without redrive or delay.`);
  return {
    name,
    arn: template.arnOf(resource),
    url: template.idOf(resource),
    visibilityTimeout: VisibilityTimeout * second,
    retention: MessageRetentionPeriod * second,
  };
}
