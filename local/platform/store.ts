import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * Opens an SQLite file that only its owner can read. Committed transactions survive a crash of the process.
 *
 * @param synchronous with `FULL`, they also survive a power failure, but each write waits for the disk. With `NORMAL`, a
 *   power failure can lose the last transactions
 */
export function openStore(file: string, synchronous: 'NORMAL' | 'FULL' = 'NORMAL'): DatabaseSync {
  makePrivate(file);
  const store = new DatabaseSync(file);
  store.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
  return store;
}

/**
 * Creates a file that only its owner can read, or restricts an existing one. SQLite uses the same mode for the files
 * `-wal` and `-shm`.
 */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/**
 * Runs work in a transaction and commits it.
 *
 * @returns the result of the work
 * @throws the error of the work, after a rollback
 */
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
