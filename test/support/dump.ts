import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Returns all data that a local service stores: the tables of dogs, barks and access, schedules, executions, invocations,
 * queues, secrets and mails. Each line begins with its file and its table. Leaves out the logged events, because the service
 * publishes an event a moment after the change in the tables.
 */
export function dumpOf(directory: string): string[] {
  return readdirSync(directory)
    .flatMap((name) => {
      if (name.endsWith('.sqlite') && name !== 'logs.sqlite') return rowsOf(directory, name);
      return name === 'mails.jsonl' ? linesOf(directory, name) : [];
    })
    .sort();
}

function rowsOf(directory: string, name: string): string[] {
  const store = new DatabaseSync(join(directory, name), { readOnly: true });
  const tables = store.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const rows = tables.flatMap(({ name: table }) =>
    store
      .prepare(`SELECT * FROM "${table}"`)
      .all()
      .map((row) => `${name} ${table} ${JSON.stringify(row)}`),
  );
  store.close();
  return rows;
}

function linesOf(directory: string, name: string): string[] {
  const lines = readFileSync(join(directory, name), 'utf8').split('\n');
  return lines.filter(Boolean).map((line) => `${name} ${line}`);
}
