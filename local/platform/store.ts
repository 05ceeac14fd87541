import { chmodSync, closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementResultingChanges } from 'node:sqlite';
import { UserError } from './user-error.ts';

/** SQLite's result code for a file with an invalid page. */
const sqliteCorrupt = 11;

/** SQLite's result codes for a damaged file: SQLITE_CORRUPT and SQLITE_NOTADB. */
const damaged = [sqliteCorrupt, 26];

const headerBytes = 100;

export class Store extends DatabaseSync {
  run(sql: string, ...values: SQLInputValue[]): StatementResultingChanges {
    return this.prepare(sql).run(...values);
  }

  row<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.prepare(sql).get(...values) as Row | undefined;
  }

  rows<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.prepare(sql).all(...values) as Row[];
  }
}

/**
 * Opens an SQLite file that only its owner can read. Creates the file if it does not exist. Committed transactions survive a
 * crash of the process.
 *
 * @param synchronous with `FULL`, transactions also survive a power failure, but each write waits for the disk. With
 *   `NORMAL`, a power failure can lose the last transactions
 * @throws UserError if the file is damaged
 */
export function openStore(file: string, synchronous: 'NORMAL' | 'FULL' = 'NORMAL'): Store {
  if (!existsSync(file)) createStore(file);
  makePrivate(file);
  // SQLite would use an empty file as a new database, and would also delete the write-ahead log.
  if (statSync(file).size < headerBytes) throw damageError(file, 'the file is too short');
  const store = new Store(file, { timeout: 3_000 });
  try {
    store.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
    checkPages(store);
    // Moves all pages into the file, so that its size shows whether it is complete.
    store.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    checkSize(file);
  } catch (cause) {
    store.close();
    throw isDamage(cause) ? damageError(file, (cause as Error).message, cause) : cause;
  }
  return store;
}

/** Creates an SQLite file. After a crash, the file is complete or does not exist, so an empty file is always damaged. */
function createStore(file: string): void {
  const draft = `${file}.new`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${draft}${suffix}`, { force: true });
  makePrivate(draft);
  const store = new DatabaseSync(draft);
  try {
    store.exec('PRAGMA journal_mode = WAL');
  } finally {
    store.close();
  }
  // A write-ahead log of a deleted file would change the new file.
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  renameSync(draft, file);
}

export function isDamage(error: unknown): boolean {
  return damaged.includes((error as { errcode?: number }).errcode ?? 0);
}

/** @throws Error if a page of the file is invalid. Without this check, only the query that reads the page would fail */
function checkPages(store: DatabaseSync): void {
  const { quick_check: result } = store.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  if (result !== 'ok') throw damage(result);
}

/**
 * Checks that a file has all the pages that its header counts. `quick_check` does not notice if a part of the last page is
 * missing.
 *
 * @throws Error if the file is too short
 * @see {@link https://www.sqlite.org/fileformat.html#the_database_header The database header}
 */
function checkSize(file: string): void {
  const header = Buffer.alloc(headerBytes);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, header);
  closeSync(descriptor);
  // The largest page size, 65536, is stored as 1.
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  if (statSync(file).size < pageBytes * header.readUInt32BE(28))
    throw damage('the end of the file is missing');
}

function damage(message: string): Error {
  return Object.assign(new Error(message), { errcode: sqliteCorrupt });
}

function damageError(file: string, reason: string, cause?: unknown): UserError {
  return new UserError(
    `${file} is damaged: ${reason}. Restore it from a copy, or delete the folder ${dirname(file)} to start over.`,
    { cause },
  );
}

/** Only the owner can read the file. SQLite uses the same mode for the files `-wal` and `-shm`. */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/** Commits the changes of the work, or rolls them back if it throws an error. */
export function inTransaction<Result>(store: DatabaseSync, work: () => Result): Result {
  store.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    store.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(store);
    throw error;
  }
}

/** Rolls a transaction back, unless SQLite itself has already done so, as it does if the disk is full. */
function rollBack(store: DatabaseSync): void {
  try {
    store.exec('ROLLBACK');
  } catch {
    // There is no transaction. This error would hide the one that ended the transaction.
  }
}
