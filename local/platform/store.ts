import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * Opens a file of SQLite that its owner alone can read, and that loses nothing when the process is killed.
 * @param synchronous `FULL` waits for the disk at each write; with `NORMAL`, the last moments may be lost if the power
 * fails
 */
export function openStore(file: string, synchronous: 'NORMAL' | 'FULL' = 'NORMAL'): DatabaseSync {
  makePrivate(file);
  const store = new DatabaseSync(file);
  store.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
  return store;
}

/**
 * Makes a file that its owner alone can read, or makes one so that is there. SQLite gives the files beside its own, -wal
 * and -shm, the same mode.
 */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/** Does work whose writes are all done when this returns; if it throws, none is. */
export function inTransaction<Result>(store: DatabaseSync, work: () => Result): Result {
  store.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    store.exec('COMMIT');
    return result;
  } catch (error) {
    store.exec('ROLLBACK');
    throw error;
  }
}
