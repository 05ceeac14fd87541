import type { Clock } from '../platform/clock.ts';
import { inTransaction, openStore, type Store } from '../platform/store.ts';

export interface VersionRow {
  readonly id: string;
  /** The value, as JSON with a SecretString. */
  readonly content: string;
  /** Milliseconds since 1970. */
  readonly created: number;
}

/** Until a former version reaches this age, repeating the PutSecretValue request that created it has no effect. */
const formerVersionRetentionMs = 24 * 60 * 60 * 1000;

/** Writes survive a power failure. */
export class SecretStore {
  private readonly clock: Pick<Clock, 'now'>;
  private readonly store: Store;

  constructor(file: string, clock: Pick<Clock, 'now'>) {
    this.clock = clock;
    this.store = openStore(file, 'FULL');
    // Version 1.0.0 also stored stages other than AWSCURRENT, and used the last three columns of `secrets`.
    this.store.exec(`
      CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, description TEXT, created INTEGER, changed INTEGER);
      CREATE TABLE IF NOT EXISTS versions (
        secret TEXT, id TEXT, content TEXT, created INTEGER, PRIMARY KEY (secret, id));
      CREATE TABLE IF NOT EXISTS stages (secret TEXT, stage TEXT, version TEXT, PRIMARY KEY (secret, stage));`);
  }

  close(): void {
    this.store.close();
  }

  create(name: string): void {
    this.store.run('INSERT OR IGNORE INTO secrets (name) VALUES (?)', name);
  }

  has(name: string): boolean {
    return this.store.row('SELECT 1 FROM secrets WHERE name = ?', name) !== undefined;
  }

  find(name: string, id: string): VersionRow | undefined {
    return this.store.row('SELECT id, content, created FROM versions WHERE secret = ? AND id = ?', name, id);
  }

  current(name: string): VersionRow | undefined {
    const current = "SELECT version FROM stages WHERE secret = ? AND stage = 'AWSCURRENT'";
    const row = this.store.row<{ version: string }>(current, name);
    return row && this.find(name, row.version);
  }

  /** Makes the version the current one, and deletes the secret's old versions. */
  add(name: string, id: string, content: string): void {
    const now = this.clock.now();
    const { store } = this;
    inTransaction(store, () => {
      store.run('INSERT INTO versions VALUES (?, ?, ?, ?)', name, id, content, now);
      store.run("INSERT OR REPLACE INTO stages VALUES (?, 'AWSCURRENT', ?)", name, id);
      const old = now - formerVersionRetentionMs;
      store.run('DELETE FROM versions WHERE secret = ? AND created < ? AND id <> ?', name, old, id);
    });
  }
}
