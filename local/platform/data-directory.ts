import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { defaultTexts } from './service-texts.ts';
import { UserError } from './user-error.ts';

/** The folder with all state that survives restarts. Only one running service at a time can use it. */
export class DataDirectory {
  /** The real path, so that a symbolic link to the folder leads to the same files. */
  readonly path: string;
  private readonly lock: DatabaseSync;

  /**
   * @param service the name of the service, for error messages
   * @throws UserError if another running service uses the folder
   * @throws UserError if the folder cannot be written
   */
  constructor(path: string, service = defaultTexts.name) {
    try {
      makeFolder(path);
      this.path = realpathSync(path);
      this.lock = new DatabaseSync(this.file('lock'));
    } catch (cause) {
      throw new UserError(
        `DATA_DIR ${path} cannot be written: ${(cause as Error).message}. Set DATA_DIR to a folder that you can write.`,
        { cause },
      );
    }
    try {
      // SQLite uses a file lock of the operating system, which ends with the process, even after kill -9.
      this.lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    } catch (cause) {
      throw new UserError(
        `Another ${service} runs on DATA_DIR ${path}. Stop it, or set DATA_DIR to another folder.`,
        { cause },
      );
    }
  }

  /** Returns the path of a file in the folder. */
  file(name: string): string {
    return join(this.path, name);
  }

  /**
   * Binds the folder to one stack, because the names of the stored resources contain the name of the stack. Safe to call
   * again.
   *
   * @throws UserError if the folder has the data of another stack
   */
  bindTo(stackName: string): void {
    const file = this.file('stack');
    const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : stackName;
    if (known !== stackName)
      throw new UserError(
        `DATA_DIR ${this.path} holds the data of ${known}, not of ${stackName}. Set DATA_DIR to another folder for it.`,
      );
    writeFileSync(file, `${stackName}\n`, { mode: 0o600 });
  }

  /** Writes a JSON file atomically. Only its owner can read it. */
  write(name: string, content: object): void {
    const draft = this.file(`${name}.new`);
    writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(draft, this.file(name));
  }

  /** Allows another service to use the folder. */
  release(): void {
    this.lock.close();
  }
}

/**
 * Creates a folder, and its parents, for their owner alone. `recursive` of `mkdirSync` never ends in a file system that
 * refuses a folder with ENOENT although the parent exists, such as `/proc`.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  mkdirSync(path, { mode: 0o700 });
}
