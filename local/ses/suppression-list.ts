import type { DatabaseSync } from 'node:sqlite';
import { openStore } from '../platform/store.ts';

export const suppressionReasons = ['BOUNCE', 'COMPLAINT'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** An address to which SES sends no mail. */
export interface SuppressedDestination {
  readonly address: string;
  readonly reason: SuppressionReason;
  /** Unix seconds. */
  readonly updated: number;
}

/** The suppression list of the account, in an SQLite file. Letter case has no meaning. */
export class SuppressionList {
  private readonly store: DatabaseSync;

  constructor(file: string) {
    this.store = openStore(file);
    this.store.exec(
      'CREATE TABLE IF NOT EXISTS suppressed (address TEXT COLLATE NOCASE PRIMARY KEY, reason TEXT, updated INTEGER)',
    );
  }

  find(address: string): SuppressedDestination | undefined {
    const row = this.store.prepare('SELECT * FROM suppressed WHERE address = ?').get(address);
    return row as unknown as SuppressedDestination | undefined;
  }

  /** Returns the addresses after the given one, in their order. */
  list(after: string, limit: number): SuppressedDestination[] {
    const rows = this.store
      .prepare('SELECT * FROM suppressed WHERE address > ? ORDER BY address LIMIT ?')
      .all(after, limit);
    return rows as unknown as SuppressedDestination[];
  }

  put({ address, reason, updated }: SuppressedDestination): void {
    this.store.prepare('INSERT OR REPLACE INTO suppressed VALUES (?, ?, ?)').run(address, reason, updated);
  }

  /** Removes an address. Returns false if it is not on the list. */
  delete(address: string): boolean {
    return Number(this.store.prepare('DELETE FROM suppressed WHERE address = ?').run(address).changes) > 0;
  }

  stop(): void {
    this.store.close();
  }
}
