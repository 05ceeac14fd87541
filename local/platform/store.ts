import { chmodSync, closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UserError } from './user-error.ts';

/** SQLite's result code for a file with an invalid page. */
const sqliteCorrupt = 11;

/** SQLite's result codes for a damaged file: SQLITE_CORRUPT and SQLITE_NOTADB. */
const damaged = [sqliteCorrupt, 26];

/**
 * Opens an SQLite file that only its owner can read. Committed transactions survive a crash of the process.
 *
 * @param synchronous with `FULL`, transactions also survive a power failure, but each write waits for the disk. With
 *   `NORMAL`, a power failure can lose the last transactions
 * @throws UserError if the file is damaged
 */
export function openStore(file: string, synchronous: 'NORMAL' | 'FULL' = 'NORMAL'): DatabaseSync {
  makePrivate(file);
  const store = new DatabaseSync(file);
  try {
    store.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
    checkPages(store);
  } catch (cause) {
    store.close();
    throw isDamage(cause) ? damageError(file, cause as Error) : cause;
  }
  return store;
}

/** Returns true if the error means that a file is not a database, or that a page of the file is invalid. */
export function isDamage(error: unknown): boolean {
  return damaged.includes((error as { errcode?: number }).errcode ?? 0);
}

/** @throws Error if a page of the file is invalid. Without this check, only the query that reads the page would fail */
function checkPages(store: DatabaseSync): void {
  const { quick_check: result } = store.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  if (result !== 'ok') throw Object.assign(new Error(result), { errcode: sqliteCorrupt });
}

function damageError(file: string, cause: Error): UserError {
  return new UserError(
    `${file} is damaged: ${cause.message}. Restore it from a copy, or delete the folder ${dirname(file)} to start over.`,
    { cause },
  );
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
 * @throws the error that the work throws, after a rollback
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
