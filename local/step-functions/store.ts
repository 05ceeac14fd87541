import type { DatabaseSync } from 'node:sqlite';
import { openStore } from '../platform/store.ts';
import type { Execution } from './execution.ts';

/** How long Step Functions keeps a closed execution. During this time, its name cannot be used again. */
const retentionMs = 90 * 24 * 60 * 60 * 1000;

/** Stores executions in an SQLite file. Writes survive a power failure. */
export class ExecutionStore {
  private readonly store: DatabaseSync;

  constructor(file: string, now: number) {
    this.store = openStore(file, 'FULL');
    this.store.exec(`
      CREATE TABLE IF NOT EXISTS executions (
        executionArn TEXT PRIMARY KEY, stateMachineArn TEXT, name TEXT, input TEXT, status TEXT, startDate INTEGER,
        stopDate INTEGER, output TEXT, error TEXT, cause TEXT, state TEXT, stateInput TEXT, stateEntered INTEGER);
      CREATE INDEX IF NOT EXISTS byStatus ON executions (status);`);
    this.store.prepare('DELETE FROM executions WHERE stopDate < ?').run(now - retentionMs);
  }

  close(): void {
    this.store.close();
  }

  running(): Execution[] {
    return this.store
      .prepare("SELECT * FROM executions WHERE status = 'RUNNING'")
      .all() as unknown as Execution[];
  }

  read(executionArn: string): Execution | undefined {
    return this.store
      .prepare('SELECT * FROM executions WHERE executionArn = ?')
      .get(executionArn) as unknown as Execution | undefined;
  }

  delete(executionArn: string): void {
    this.store.prepare('DELETE FROM executions WHERE executionArn = ?').run(executionArn);
  }

  write(execution: Execution): void {
    const names = Object.keys(execution);
    this.store
      .prepare(
        `INSERT OR REPLACE INTO executions (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})`,
      )
      .run({ ...execution });
  }
}
