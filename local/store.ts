import { DatabaseSync } from 'node:sqlite';

/**
 * Opens a file of SQLite that loses nothing when the process is killed. It does not wait for the disk at each write: if
 * the power fails, the last moments may be lost.
 */
export function openStore(file: string): DatabaseSync {
  const store = new DatabaseSync(file);
  store.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  return store;
}
