import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../platform/clock.ts';
import { inTransaction, openStore } from '../platform/store.ts';

/** A stored secret. Times are in milliseconds since 1970. */
export interface SecretRow {
  readonly name: string;
  readonly description: string | null;
  readonly created: number;
  readonly changed: number;
}

/** A stored version of a secret. */
export interface VersionRow {
  readonly id: string;
  /** The value, as JSON with a SecretString or a SecretBinary. */
  readonly content: string;
  /** Milliseconds since 1970. */
  readonly created: number;
}

/**
 * The age at which a version without a stage can be deleted. Until then, a late repeat of the PutSecretValue request that
 * created the version has no effect.
 */
const deprecatedVersionRetentionMs = 24 * 60 * 60 * 1000;

/** Stores secrets, their versions and their stages in an SQLite file. Writes survive a power failure. */
export class SecretStore {
  private readonly clock: Pick<Clock, 'now'>;
  private readonly store: DatabaseSync;

  constructor(file: string, clock: Pick<Clock, 'now'>) {
    this.clock = clock;
    this.store = openStore(file, 'FULL');
    this.store.exec(`
      CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, description TEXT, created INTEGER, changed INTEGER);
      CREATE TABLE IF NOT EXISTS versions (
        secret TEXT, id TEXT, content TEXT, created INTEGER, PRIMARY KEY (secret, id));
      CREATE TABLE IF NOT EXISTS stages (secret TEXT, stage TEXT, version TEXT, PRIMARY KEY (secret, stage));`);
  }

  close(): void {
    this.store.close();
  }

  /** Runs work in a transaction. */
  inTransaction<Result>(work: () => Result): Result {
    return inTransaction(this.store, work);
  }

  read(name: string): SecretRow | undefined {
    return this.store.prepare('SELECT * FROM secrets WHERE name = ?').get(name) as unknown as
      | SecretRow
      | undefined;
  }

  insert(name: string, description: string | undefined): void {
    const now = this.clock.now();
    this.store.prepare('INSERT INTO secrets VALUES (?, ?, ?, ?)').run(name, description ?? null, now, now);
  }

  readVersion(name: string, id: string): VersionRow | undefined {
    return this.store
      .prepare('SELECT id, content, created FROM versions WHERE secret = ? AND id = ?')
      .get(name, id) as unknown as VersionRow | undefined;
  }

  /**
   * Adds a version and moves the stages to it. The first version always gets AWSCURRENT. If AWSCURRENT moves, the version
   * that had it gets AWSPREVIOUS. Also deletes the old versions of the secret that have no stage. Call this in a transaction.
   */
  addVersion(name: string, id: string, content: string, stages: readonly string[]): void {
    const now = this.clock.now();
    const previous = this.versionAt(name, 'AWSCURRENT');
    const attached = new Set(previous === undefined ? [...stages, 'AWSCURRENT'] : stages);
    this.store.prepare('INSERT INTO versions VALUES (?, ?, ?, ?)').run(name, id, content, now);
    for (const stage of attached) this.moveStage(name, stage, id);
    if (previous !== undefined && attached.has('AWSCURRENT')) this.moveStage(name, 'AWSPREVIOUS', previous);
    this.store.prepare('UPDATE secrets SET changed = ? WHERE name = ?').run(now, name);
    this.store
      .prepare(
        `DELETE FROM versions WHERE secret = ? AND created < ?
           AND id NOT IN (SELECT version FROM stages WHERE stages.secret = versions.secret)`,
      )
      .run(name, now - deprecatedVersionRetentionMs);
  }

  /** Returns the ID of the version that has a stage. */
  versionAt(name: string, stage: string): string | undefined {
    const row = this.store
      .prepare('SELECT version FROM stages WHERE secret = ? AND stage = ?')
      .get(name, stage);
    return row?.version as string | undefined;
  }

  /** Returns the stages of each version, by the ID of the version. Omits versions without a stage. */
  stagesOf(name: string): Record<string, string[]> {
    const rows = this.store
      .prepare(
        'SELECT version, json_group_array(stage ORDER BY stage) AS stages FROM stages WHERE secret = ? GROUP BY version',
      )
      .all(name) as unknown as { version: string; stages: string }[];
    return Object.fromEntries(rows.map(({ version, stages }) => [version, JSON.parse(stages)]));
  }

  private moveStage(name: string, stage: string, version: string): void {
    this.store.prepare('INSERT OR REPLACE INTO stages VALUES (?, ?, ?)').run(name, stage, version);
  }
}
