import { DatabaseSync } from 'node:sqlite';

/**
 * A simulated full disk for the SQLite files of this process. While the disk is full, each statement that writes fails as SQLite
 * does: with the code SQLITE_FULL, after a rollback of the transaction.
 */
export class FullDisk {
  isFull = false;
  private readonly prepare = DatabaseSync.prototype.prepare;

  /** Replaces a method of all SQLite connections, until `restore` is called. */
  constructor() {
    const { prepare } = this;
    const fail = () => this.isFull;
    DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql, ...options) {
      if (!fail() || !/^\s*(INSERT|UPDATE|DELETE)/.test(sql)) return prepare.call(this, sql, ...options);
      if (this.isTransaction) this.exec('ROLLBACK');
      throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
    };
  }

  restore(): void {
    DatabaseSync.prototype.prepare = this.prepare;
  }
}
