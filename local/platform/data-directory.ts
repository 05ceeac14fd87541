import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { defaultTexts } from './service-texts.ts';
import { isDamage } from './store.ts';
import { InUseError, UserError } from './user-error.ts';

/** SQLITE_BUSY: another connection has locked the file. */
const sqliteBusy = 5;

/** The folder with all state that survives restarts. Only one running service can use it at a time. */
export class DataDirectory {
  /** With symbolic links resolved. */
  readonly path: string;
  private readonly lock: DatabaseSync;

  /**
   * @throws InUseError if another running service uses the folder
   * @throws UserError if the path is not a writable folder, or its file `lock` is damaged
   */
  constructor(path: string, service = defaultTexts.name) {
    if (existsSync(path) && !statSync(path).isDirectory())
      throw new UserError(`DATA_DIR ${path} is not a folder. Set DATA_DIR to a folder.`);
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      this.path = realpathSync(path);
      this.lock = new DatabaseSync(this.file('lock'));
    } catch (cause) {
      throw writeError(path, cause);
    }
    try {
      // The operating system releases SQLite's file lock when the process ends, even after kill -9.
      this.lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    } catch (cause) {
      if (isDamage(cause))
        throw new UserError(
          `${this.file('lock')} is damaged. Delete this file, which contains no data, and then start again.`,
          { cause },
        );
      if ((cause as { errcode?: number }).errcode !== sqliteBusy) throw writeError(path, cause);
      throw new InUseError(
        `Another ${service} is using DATA_DIR ${path}. Stop it, or set DATA_DIR to another folder.`,
        'folder',
        { cause },
      );
    }
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /**
   * Binds the folder to one stack, because the names of stored resources contain the stack's name. Safe to call again.
   *
   * @throws UserError if the folder contains the data of another stack, or if its file `stack` is damaged
   */
  bindTo(stackName: string): void {
    const file = this.file('stack');
    const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : stackName;
    if (!/^[\w-]+$/.test(known))
      throw new UserError(
        `${file} is damaged. If the folder contains the data of ${stackName}, delete this file, and then start again.`,
      );
    if (known !== stackName)
      throw new UserError(
        `DATA_DIR ${this.path} contains the data of ${known}, not of ${stackName}. Set DATA_DIR to another folder.`,
      );
    replaceFile(file, `${stackName}\n`);
  }

  /** Like `writeText`, but writes JSON. */
  write(name: string, content: object): void {
    this.writeText(name, `${JSON.stringify(content, null, 2)}\n`);
  }

  /** Writes a file atomically. Only its owner can read it. */
  writeText(name: string, text: string): void {
    replaceFile(this.file(name), text);
  }

  remove(name: string): void {
    rmSync(this.file(name), { force: true });
  }

  release(): void {
    this.lock.close();
  }
}

function writeError(path: string, cause: unknown): UserError {
  return new UserError(
    `DATA_DIR ${path} is not writable: ${(cause as Error).message}. Set DATA_DIR to a folder that you can write to.`,
    { cause },
  );
}

function replaceFile(file: string, text: string): void {
  const draft = `${file}.new`;
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  renameSync(draft, file);
}
