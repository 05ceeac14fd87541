import type { DatabaseSync } from 'node:sqlite';
import type { Schedule } from './definition.ts';
import type { Occurrence } from './delivery.ts';
import { firstOccurrence } from './occurrences.ts';

export interface ScheduleKey {
  readonly groupName: string;
  readonly name: string;
}

/** A stored schedule. All times are in milliseconds since 1970. */
export interface ScheduleRow extends ScheduleKey {
  /** The definition, as JSON. */
  readonly schedule: string;
  readonly clientToken: string | null;
  readonly created: number;
  readonly modified: number;
  /** The time of the next occurrence. Null if there is none. */
  readonly due: number | null;
}

export class ScheduleStore {
  private readonly store: DatabaseSync;

  constructor(store: DatabaseSync) {
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
    return this.store
      .prepare('SELECT * FROM schedules WHERE groupName = ? AND name = ?')
      .get(groupName, name) as unknown as ScheduleRow | undefined;
  }

  /** @param now milliseconds since 1970 */
  insert(schedule: Schedule, clientToken: string | undefined, now: number): void {
    const { GroupName, Name } = schedule;
    this.store
      .prepare('INSERT INTO schedules VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(
        GroupName,
        Name,
        JSON.stringify(schedule),
        clientToken ?? null,
        now,
        now,
        firstOccurrence(schedule, now),
      );
  }

  remove({ groupName, name }: ScheduleKey): void {
    this.store.prepare('DELETE FROM schedules WHERE groupName = ? AND name = ?').run(groupName, name);
  }

  dueAt(now: number, limit: number): ScheduleRow[] {
    return this.store
      .prepare('SELECT * FROM schedules WHERE due <= ? ORDER BY due LIMIT ?')
      .all(now, limit) as unknown as ScheduleRow[];
  }

  nextDue(): number | null {
    const row = this.store.prepare('SELECT MIN(due) AS due FROM schedules').get();
    return (row as { due: number | null }).due;
  }

  setDue({ groupName, name }: ScheduleKey, due: number | null): void {
    this.store
      .prepare('UPDATE schedules SET due = ? WHERE groupName = ? AND name = ?')
      .run(due, groupName, name);
  }

  /** Returns the occurrences that version 1.0.0 had queued, and removes them. */
  takeQueued(): Occurrence[] {
    const rows = this.store.prepare('DELETE FROM deliveries RETURNING item').all();
    return rows.map(({ item }) => JSON.parse(String(item)));
  }

  deployedDefinitions(): string[] {
    const rows = this.store.prepare('SELECT definition FROM deployed').all();
    return rows.map(({ definition }) => String(definition));
  }

  addDeployedDefinition(definition: string): void {
    this.store.prepare('INSERT INTO deployed VALUES (?)').run(definition);
  }

  removeDeployedDefinition(definition: string): void {
    this.store.prepare('DELETE FROM deployed WHERE definition = ?').run(definition);
  }
}
