import { chmodSync, closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementResultingChanges } from 'node:sqlite';
import { UserError } from './user-error.ts';

const sqliteCorrupt = 11;

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damaged = [sqliteCorrupt, 26];

const headerBytes = 100;

const logHeaderBytes = 32;

/** For checksums of little-endian and of big-endian words. */
const logMagic = [0x377f0682, 0x377f0683];

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
 * Opens or creates an SQLite file that only its owner can read. Committed transactions survive a crash of the process.
 *
 * @param synchronous with `FULL`, transactions also survive a power failure, but each write waits for the disk
 * @throws UserError if the file is damaged
 */
export function openStore(file: string, synchronous: 'NORMAL' | 'FULL' = 'NORMAL'): Store {
  if (!existsSync(file)) createStore(file);
  makePrivate(file);
  // SQLite would treat an empty file as a new database, and delete its write-ahead log.
  if (statSync(file).size < headerBytes) throw damageError(file, 'the file is too short');
  checkLog(file);
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

/** Creates the file atomically, so that an empty file is always a damaged one. */
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
  // The write-ahead log of a deleted file would change the new file.
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  renameSync(draft, file);
}

export function isDamage(error: unknown): boolean {
  return damaged.includes((error as { errcode?: number }).errcode ?? 0);
}

/** Without this check, an invalid page would be noticed only by the query that reads it. */
function checkPages(store: DatabaseSync): void {
  const { quick_check: result } = store.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  if (result !== 'ok') throw damage(result);
}

/**
 * Checks the header of the write-ahead log, because SQLite treats a log with an invalid header as empty.
 *
 * @throws UserError if the header is invalid
 * @see {@link https://www.sqlite.org/fileformat.html#the_write_ahead_log The write-ahead log}
 */
function checkLog(file: string): void {
  const log = `${file}-wal`;
  if (!existsSync(log) || statSync(log).size < logHeaderBytes) return;
  const magic = firstBytesOf(log, 4).readUInt32BE();
  if (!logMagic.includes(magic)) throw damageError(log, 'its header is invalid');
}

/**
 * Checks that the file has all the pages that its header counts, because `quick_check` does not notice a truncated last page.
 *
 * @see {@link https://www.sqlite.org/fileformat.html#the_database_header The database header}
 */
function checkSize(file: string): void {
  const header = firstBytesOf(file, headerBytes);
  // The largest page size, 65536, is stored as 1.
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  if (statSync(file).size < pageBytes * header.readUInt32BE(28))
    throw damage('the end of the file is missing');
}

function firstBytesOf(file: string, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, bytes);
  closeSync(descriptor);
  return bytes;
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

/** Creates the file if it is missing, and gives only its owner access. SQLite gives the `-wal` and `-shm` files the same mode. */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

export function inTransaction<Result>(store: DatabaseSync, work: () => Result): Result {
  store.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    store.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite itself rolls back when the disk is full.
    if (store.isTransaction) store.exec('ROLLBACK');
    throw error;
  }
}
