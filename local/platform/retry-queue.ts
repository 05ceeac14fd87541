import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from './clock.ts';
import { log } from './log.ts';
import { WriteFailures } from './write-failures.ts';

export interface RetryPolicy {
  /** The maximum number of attempts, including the first one. */
  readonly maximumAttempts: number;
  readonly maximumAgeMs: number;
  /** Returns the delay before the next attempt, in milliseconds, after this number of failed attempts. */
  readonly retryDelayMs: (failures: number) => number;
}

/** The reason why a queue stopped delivering an item. Lambda uses the same conditions. */
export interface Exhaustion {
  readonly condition: 'RetriesExhausted' | 'EventAgeExceeded';
  /** The number of attempts. Throttled deliveries do not count. */
  readonly attempts: number;
  /** The error of the attempt that just failed. Undefined if the item became too old while it waited for an attempt. */
  readonly error?: Error;
}

export interface RetryQueueOptions<Item> {
  readonly policy: (item: Item) => RetryPolicy;
  /**
   * Returns the delay before the next attempt, in milliseconds, if the receiver throttled the delivery. Returns undefined
   * for any other error. A throttled delivery does not count as an attempt.
   *
   * @param ageMs the age of the item
   */
  readonly throttleDelayMs?: (error: Error, ageMs: number) => number | undefined;
  /** Delivers an item. The delivery fails if this function throws or rejects. */
  readonly deliver: (item: Item) => unknown;
  /**
   * Receives an item that has reached its maximum number of attempts or its maximum age. If this function throws, the queue
   * keeps the item. After `exhaustedRetryDelayMs`, the queue attempts to deliver the item again, unless the item is too old. If
   * that fails, the queue calls this function again.
   */
  readonly onExhausted: (item: Item, exhaustion: Exhaustion) => void;
}

interface Row {
  readonly id: number;
  readonly item: string;
  readonly since: number;
  readonly failures: number;
}

/** The maximum number of concurrent deliveries. */
const maximumConcurrency = 50;

/** The delay before the queue handles an item again after `onExhausted` failed. */
const exhaustedRetryDelayMs = 60_000;

/** The delay before the queue repeats a write that failed, for example because the disk is full. */
const writeRetryDelayMs = 1_000;

/**
 * A queue on disk. It delivers each item at least once, or passes the item to `onExhausted`. If the process is killed, the
 * next start delivers the items that were still queued or being delivered. If the disk is full after a delivery, the queue waits
 * until it can store the result, and does not repeat the delivery.
 */
export class RetryQueue<Item> {
  private readonly store: DatabaseSync;
  private readonly table: string;
  private readonly options: RetryQueueOptions<Item>;
  private readonly clock: Clock;
  private readonly writeFailures: WriteFailures;
  /** The IDs of the items that are being delivered. */
  private readonly deliveries = new Set<number>();
  private stopped = false;
  private cancelWake = () => {};

  /** @param table the name of a table that only this queue uses. The constructor creates the table if it does not exist */
  constructor(store: DatabaseSync, table: string, options: RetryQueueOptions<Item>, clock: Clock) {
    this.store = store;
    this.table = table;
    this.options = options;
    this.clock = clock;
    this.writeFailures = new WriteFailures(`The queue ${table}`, clock);
    store.exec(`
      CREATE TABLE IF NOT EXISTS ${table} (
        id INTEGER PRIMARY KEY AUTOINCREMENT, item TEXT, since INTEGER, failures INTEGER, due INTEGER);
      CREATE INDEX IF NOT EXISTS ${table}ByDue ON ${table} (due);`);
  }

  /**
   * Adds an item. The item is on disk when this method returns or, in a transaction, when the transaction commits.
   *
   * @param since the time at which the age of the item begins, in milliseconds since 1970
   */
  put(item: Item, since = this.clock.now()): void {
    this.store
      .prepare(`INSERT INTO ${this.table} (item, since, failures, due) VALUES (?, ?, 0, ?)`)
      .run(JSON.stringify(item), since, this.clock.now());
    // The transaction of the caller commits first.
    queueMicrotask(() => this.resume());
  }

  /** Starts to deliver the items that are due. Does not wait for the deliveries. */
  resume(): void {
    if (this.stopped) return;
    for (const row of this.dueRows()) {
      this.deliveries.add(row.id);
      void this.handle(row).finally(() => {
        this.deliveries.delete(row.id);
        this.resume();
      });
    }
    this.wakeForNext();
  }

  /** Stops without waiting for the deliveries in progress. The next start repeats them. */
  stop(): void {
    this.stopped = true;
    this.cancelWake();
  }

  private dueRows(): Row[] {
    const rows = this.store
      .prepare(`SELECT id, item, since, failures FROM ${this.table} WHERE due <= ? ORDER BY due, id LIMIT ?`)
      .all(this.clock.now(), maximumConcurrency) as unknown as Row[];
    return rows
      .filter(({ id }) => !this.deliveries.has(id))
      .slice(0, maximumConcurrency - this.deliveries.size);
  }

  private wakeForNext(): void {
    this.cancelWake();
    const { due } = this.store
      .prepare(`SELECT MIN(due) AS due FROM ${this.table} WHERE due > ?`)
      .get(this.clock.now()) as { due: number | null };
    this.cancelWake = due === null ? () => {} : this.clock.wakeAt(due, () => this.resume());
  }

  private async handle(row: Row): Promise<void> {
    const item = JSON.parse(row.item) as Item;
    const policy = this.options.policy(item);
    if (this.clock.now() > row.since + policy.maximumAgeMs) {
      await this.write(() =>
        this.exhaust(row, item, { condition: 'EventAgeExceeded', attempts: row.failures }),
      );
      return;
    }
    const error = await this.attempt(item);
    await this.write(() =>
      error === undefined ? this.remove(row) : this.handleFailure(row, item, policy, error),
    );
  }

  /** Delivers an item. Returns the error if the delivery fails. */
  private async attempt(item: Item): Promise<Error | undefined> {
    try {
      await this.options.deliver(item);
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  /** Repeats a write until it succeeds, or until the queue stops. */
  private async write(change: () => void): Promise<void> {
    while (!this.stopped) {
      try {
        change();
        return;
      } catch (error) {
        this.writeFailures.report(error);
      }
      await new Promise<void>((wake) => this.clock.wakeAt(this.clock.now() + writeRetryDelayMs, wake));
    }
  }

  private handleFailure(row: Row, item: Item, policy: RetryPolicy, error: Error): void {
    const now = this.clock.now();
    const throttleDelayMs = this.options.throttleDelayMs?.(error, now - row.since);
    const attempts = throttleDelayMs === undefined ? row.failures + 1 : row.failures;
    const due = now + (throttleDelayMs ?? policy.retryDelayMs(attempts));
    if (attempts >= policy.maximumAttempts)
      this.exhaust(row, item, { condition: 'RetriesExhausted', attempts, error });
    else if (due > row.since + policy.maximumAgeMs)
      this.exhaust(row, item, { condition: 'EventAgeExceeded', attempts, error });
    else this.postpone(row, attempts, due);
  }

  private exhaust(row: Row, item: Item, exhaustion: Exhaustion): void {
    try {
      this.options.onExhausted(item, exhaustion);
      this.remove(row);
    } catch (error) {
      log(
        `The queue keeps a failed item, because its failure could not be handled: ${(error as Error).message}`,
      );
      this.postpone(row, row.failures, this.clock.now() + exhaustedRetryDelayMs);
    }
  }

  private postpone({ id }: Row, failures: number, due: number): void {
    this.store.prepare(`UPDATE ${this.table} SET failures = ?, due = ? WHERE id = ?`).run(failures, due, id);
  }

  private remove({ id }: Row): void {
    this.store.prepare(`DELETE FROM ${this.table} WHERE id = ?`).run(id);
  }
}
