import { DatabaseSync } from 'node:sqlite';

/**
 * A simulated full disk for the SQLite files of this process. While the disk is full, each statement that writes fails as SQLite
 * does: with the code SQLITE_FULL, after a rollback of the transaction.
 */
export class FullDisk {
  /** The number of statements that can still write. */
  writesLeft = Number.POSITIVE_INFINITY;
  private readonly prepare = DatabaseSync.prototype.prepare;

  /** Replaces a method of all SQLite connections, until `release` is called. */
  constructor() {
    const { prepare } = this;
    const fail = () => this.writesLeft-- <= 0;
    DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql, ...options) {
      if (!/^\s*(INSERT|UPDATE|DELETE)/.test(sql) || !fail()) return prepare.call(this, sql, ...options);
      if (this.isTransaction) this.exec('ROLLBACK');
      throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
    };
  }

  set isFull(isFull: boolean) {
    this.writesLeft = isFull ? 0 : Number.POSITIVE_INFINITY;
  }

  release(): void {
    DatabaseSync.prototype.prepare = this.prepare;
  }
}
