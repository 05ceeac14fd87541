import { randomUUID } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Clock } from '../platform/clock.ts';
import { openStore } from '../platform/store.ts';
import type { Template } from '../template/template.ts';

export interface LogEvent {
  readonly position: number;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly message: string;
}

interface LogGroup {
  readonly name: string;
  readonly retentionMs: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The events in the log groups of the template. They survive restarts until the retention period of their group ends. */
export class LogEvents {
  private readonly store: DatabaseSync;
  private readonly insertion: StatementSync;
  private readonly deletion: StatementSync;
  private readonly clock: Pick<Clock, 'now'>;
  private groups: readonly LogGroup[] = [];

  constructor(template: Template, file: string, clock: Pick<Clock, 'now'>) {
    this.clock = clock;
    this.store = openStore(file);
    this.store.exec(
      'CREATE TABLE IF NOT EXISTS log_events (position INTEGER PRIMARY KEY, id TEXT, log_group TEXT, at INTEGER, message TEXT);' +
        'CREATE INDEX IF NOT EXISTS log_events_by_time ON log_events (log_group, at)',
    );
    this.insertion = this.store.prepare(
      'INSERT INTO log_events (id, log_group, at, message) VALUES (?, ?, ?, ?)',
    );
    this.deletion = this.store.prepare('DELETE FROM log_events WHERE log_group = ? AND at < ?');
    this.deploy(template);
  }

  deploy(template: Template): void {
    this.groups = template.ofType('AWS::Logs::LogGroup').map((resource) => ({
      name: template.idOf(resource),
      retentionMs: (resource.properties.RetentionInDays ?? Number.POSITIVE_INFINITY) * dayMs,
    }));
  }

  has(groupName: string): boolean {
    return this.groups.some(({ name }) => name === groupName);
  }

  /** Adds an event to a log group, and deletes the expired ones of the group. */
  put(groupName: string, message: string): void {
    const group = this.groups.find(({ name }) => name === groupName);
    if (!group) throw new Error(`The template has no log group ${groupName}.`);
    const now = this.clock.now();
    this.deletion.run(groupName, Math.max(0, now - group.retentionMs));
    this.insertion.run(randomUUID(), groupName, now, message);
  }

  /** Returns the events of a log group in a period, oldest first. @param after the position after which the result begins */
  read(
    groupName: string,
    { from, to, after, limit }: { from: number; to: number; after: number; limit: number },
  ): LogEvent[] {
    return this.store
      .prepare(
        'SELECT position, id, at, message FROM log_events WHERE log_group = ? AND at BETWEEN ? AND ? AND position > ? ORDER BY position LIMIT ?',
      )
      .all(groupName, from, to, after, limit) as unknown as LogEvent[];
  }

  stop(): void {
    this.store.close();
  }
}
