import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from './clock.ts';
import { log } from './log.ts';

/** How long an item is tried. */
export interface RetryPolicy {
  /** How often in all. */
  readonly attempts: number;
  /** How old it may become, in milliseconds. */
  readonly age: number;
  /** How long it rests after so many failures, in milliseconds. */
  readonly pause: (failures: number) => number;
}

/** Why an item was given up, in Lambda's words. */
export interface Exhaustion {
  readonly condition: 'RetriesExhausted' | 'EventAgeExceeded';
  /** How often it was tried. */
  readonly attempts: number;
  /** How the last try failed, if there was one since the service started. */
  readonly error?: Error;
}

/** What a queue does with its items. */
export interface RetryQueueOptions<Item> {
  readonly policy: (item: Item) => RetryPolicy;
  /**
   * Returns how long to wait, in milliseconds, if a delivery did not begin. Such a delivery does not count as an attempt.
   *
   * @param ageMs the age of the item
   * @returns undefined if the delivery began, and failed
   */
  readonly pauseMsOf?: (error: Error, ageMs: number) => number | undefined;
  /** @param attempt counts from 1 */
  readonly deliver: (item: Item, attempt: number) => unknown;
  readonly giveUp: (item: Item, exhaustion: Exhaustion) => void;
}

interface Row {
  readonly id: number;
  readonly item: string;
  readonly since: number;
  readonly failures: number;
}

/** How many deliveries are under way at once, at most. */
const concurrency = 50;

/** How long an item rests that could not even be given up, in milliseconds. */
const giveUpPause = 60_000;

/**
 * A queue on disk: each item is delivered at least once, or given up. What was queued or under way when the process was
 * killed is delivered after the next start.
 */
export class RetryQueue<Item> {
  private readonly store: DatabaseSync;
  private readonly table: string;
  private readonly handling: RetryQueueOptions<Item>;
  private readonly clock: Clock;
  private readonly underWay = new Map<number, Promise<void>>();
  private roused = false;
  private stopped = false;
  private cancelWake = () => {};

  /** @param table of the store, which the queue has to itself */
  constructor(store: DatabaseSync, table: string, handling: RetryQueueOptions<Item>, clock: Clock) {
    this.store = store;
    this.table = table;
    this.handling = handling;
    this.clock = clock;
    store.exec(`
      CREATE TABLE IF NOT EXISTS ${table} (
        id INTEGER PRIMARY KEY AUTOINCREMENT, item TEXT, since INTEGER, failures INTEGER, due INTEGER);
      CREATE INDEX IF NOT EXISTS ${table}ByDue ON ${table} (due);`);
  }

  /**
   * Takes an item: it is on disk when this returns, or when the transaction ends that this is part of.
   * @param since when its age begins
   */
  put(item: Item, since = this.clock.now()): void {
    this.store
      .prepare(`INSERT INTO ${this.table} (item, since, failures, due) VALUES (?, ?, 0, ?)`)
      .run(JSON.stringify(item), since, this.clock.now());
    this.rouse();
  }

  /** Delivers what is due, such as what was queued or under way when the service ended. */
  resume(): void {
    if (this.stopped) return;
    for (const row of this.dueRows()) {
      const delivery = this.handle(row).finally(() => {
        this.underWay.delete(row.id);
        this.resume();
      });
      this.underWay.set(row.id, delivery);
    }
    this.wakeForNext();
  }

  /** Waits until nothing is under way; what rests between two tries is not waited for. */
  async idle(): Promise<void> {
    this.resume();
    while (this.underWay.size > 0) await Promise.all(this.underWay.values());
  }

  /** Ends, at once: what is under way counts as not delivered. */
  stop(): void {
    this.stopped = true;
    this.cancelWake();
  }

  /** Lets deliveries begin after the transaction that an item was put in, and once for many items. */
  private rouse(): void {
    if (this.roused) return;
    this.roused = true;
    queueMicrotask(() => {
      this.roused = false;
      this.resume();
    });
  }

  private dueRows(): Row[] {
    const rows = this.store
      .prepare(`SELECT id, item, since, failures FROM ${this.table} WHERE due <= ? ORDER BY due, id LIMIT ?`)
      .all(this.clock.now(), concurrency) as unknown as Row[];
    return rows.filter(({ id }) => !this.underWay.has(id)).slice(0, concurrency - this.underWay.size);
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
    const { attempts, age, pause } = this.handling.policy(item);
    const end = row.since + age;
    if (this.clock.now() > end) {
      this.giveUp(row, item, { condition: 'EventAgeExceeded', attempts: row.failures });
      return;
    }
    const tried = row.failures + 1;
    try {
      await this.handling.deliver(item, tried);
      if (!this.stopped) this.remove(row);
    } catch (cause) {
      if (this.stopped) return;
      const error = cause as Error;
      const now = this.clock.now();
      const pauseMs = this.handling.pauseMsOf?.(error, now - row.since);
      const failures = pauseMs === undefined ? tried : row.failures;
      const due = now + (pauseMs ?? pause(tried));
      if (failures >= attempts)
        this.giveUp(row, item, { condition: 'RetriesExhausted', attempts: failures, error });
      else if (due > end)
        this.giveUp(row, item, { condition: 'EventAgeExceeded', attempts: failures, error });
      else this.postpone(row, failures, due);
    }
  }

  private giveUp(row: Row, item: Item, exhaustion: Exhaustion): void {
    try {
      this.handling.giveUp(item, exhaustion);
      this.remove(row);
    } catch (error) {
      log(`What was given up could not be put away: ${(error as Error).message}`);
      this.postpone(row, row.failures, this.clock.now() + giveUpPause);
    }
  }

  private postpone({ id }: Row, failures: number, due: number): void {
    this.store.prepare(`UPDATE ${this.table} SET failures = ?, due = ? WHERE id = ?`).run(failures, due, id);
  }

  private remove({ id }: Row): void {
    this.store.prepare(`DELETE FROM ${this.table} WHERE id = ?`).run(id);
  }
}
