import { openStore, type Store } from '../platform/store.ts';
import type { Execution } from './execution.ts';

/** How long Step Functions keeps a closed execution, whose name cannot be used again during this time. */
const retentionMs = 90 * 24 * 60 * 60 * 1000;

/** Writes survive a power failure. */
export class ExecutionStore {
  private readonly store: Store;

  constructor(file: string, now: number) {
    this.store = openStore(file, 'FULL');
    this.store.exec(`
      CREATE TABLE IF NOT EXISTS executions (
        executionArn TEXT PRIMARY KEY, stateMachineArn TEXT, name TEXT, input TEXT, status TEXT, startDate INTEGER,
        stopDate INTEGER, output TEXT, error TEXT, cause TEXT, state TEXT, stateInput TEXT, stateEntered INTEGER);
      CREATE INDEX IF NOT EXISTS byStatus ON executions (status);`);
    this.store.run('DELETE FROM executions WHERE stopDate < ?', now - retentionMs);
  }

  close(): void {
    this.store.close();
  }

  running(): Execution[] {
    return this.store.rows("SELECT * FROM executions WHERE status = 'RUNNING'");
  }

  read(executionArn: string): Execution | undefined {
    return this.store.row('SELECT * FROM executions WHERE executionArn = ?', executionArn);
  }

  delete(executionArn: string): void {
    this.store.run('DELETE FROM executions WHERE executionArn = ?', executionArn);
  }

  write(execution: Execution): void {
    const names = Object.keys(execution);
    const places = names.map(() => '?').join(', ');
    this.store.run(
      `INSERT OR REPLACE INTO executions (${names.join(', ')}) VALUES (${places})`,
      ...Object.values(execution),
    );
  }
}
