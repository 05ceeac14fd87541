import type { Store } from '../platform/store.ts';
import type { Schedule } from './definition.ts';
import type { Occurrence } from './delivery.ts';
import { firstOccurrence } from './occurrences.ts';

export interface ScheduleKey {
  readonly groupName: string;
  readonly name: string;
}

/** All times are in milliseconds since 1970. */
export interface ScheduleRow extends ScheduleKey {
  /** The definition, as JSON. */
  readonly schedule: string;
  readonly clientToken: string | null;
  readonly created: number;
  readonly modified: number;
  /** Null if there is no next occurrence. */
  readonly due: number | null;
}

export class ScheduleStore {
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
    store.exec(`
      CREATE TABLE IF NOT EXISTS schedules (
        groupName TEXT, name TEXT, schedule TEXT, clientToken TEXT, created INTEGER, modified INTEGER, due INTEGER,
        PRIMARY KEY (groupName, name));
      CREATE INDEX IF NOT EXISTS byDue ON schedules (due);
      CREATE TABLE IF NOT EXISTS deployed (definition TEXT PRIMARY KEY);
      CREATE TABLE IF NOT EXISTS deliveries (id INTEGER PRIMARY KEY, item TEXT);`);
  }

  read({ groupName, name }: ScheduleKey): ScheduleRow | undefined {
    return this.store.row('SELECT * FROM schedules WHERE groupName = ? AND name = ?', groupName, name);
  }

  /** @param now milliseconds since 1970 */
  insert(schedule: Schedule, clientToken: string | undefined, now: number): void {
    const { GroupName, Name } = schedule;
    const due = firstOccurrence(schedule, now);
    const values = [GroupName, Name, JSON.stringify(schedule), clientToken ?? null, now, now, due];
    this.store.run('INSERT INTO schedules VALUES (?, ?, ?, ?, ?, ?, ?)', ...values);
  }

  remove({ groupName, name }: ScheduleKey): void {
    this.store.run('DELETE FROM schedules WHERE groupName = ? AND name = ?', groupName, name);
  }

  dueAt(now: number, limit: number): ScheduleRow[] {
    return this.store.rows('SELECT * FROM schedules WHERE due <= ? ORDER BY due LIMIT ?', now, limit);
  }

  nextDue(): number | null {
    return this.store.row<{ due: number }>('SELECT MIN(due) AS due FROM schedules')?.due ?? null;
  }

  setDue({ groupName, name }: ScheduleKey, due: number | null): void {
    this.store.run('UPDATE schedules SET due = ? WHERE groupName = ? AND name = ?', due, groupName, name);
  }

  /** Returns the occurrences that version 1.0.0 had queued, and removes them. */
  takeQueued(): Occurrence[] {
    const rows = this.store.rows<{ item: string }>('DELETE FROM deliveries RETURNING item');
    return rows.map(({ item }) => JSON.parse(item));
  }

  deployedDefinitions(): string[] {
    const rows = this.store.rows<{ definition: string }>('SELECT definition FROM deployed');
    return rows.map(({ definition }) => definition);
  }

  addDeployedDefinition(definition: string): void {
    this.store.run('INSERT INTO deployed VALUES (?)', definition);
  }

  removeDeployedDefinition(definition: string): void {
    this.store.run('DELETE FROM deployed WHERE definition = ?', definition);
  }
}
