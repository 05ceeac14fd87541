import { DatabaseSync } from 'node:sqlite';

let store: DatabaseSync;

/** Opens the file of the database in addition to the server. */
export function openFile(file: string): void {
  store = new DatabaseSync(file, { readOnly: true, timeout: 3_000 });
}

export function closeFile(): void {
  store.close();
}

export function rowsOf(sql: string, ...values: (string | number)[]): Record<string, unknown>[] {
  return store.prepare(sql).all(...values);
}
