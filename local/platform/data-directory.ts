import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { defaultTexts } from './service-texts.ts';
import { UserError } from './user-error.ts';

/** The folder that holds all that outlives the service; one running service has it to itself. */
export class DataDirectory {
  readonly path: string;
  private readonly lock: DatabaseSync;

  /**
   * @param service the name of the service, for the message of the error
   * @throws UserError if another service has it, or if it cannot be written
   */
  constructor(path: string, service = defaultTexts.name) {
    this.path = path;
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      this.lock = new DatabaseSync(join(path, 'lock'));
    } catch (cause) {
      throw new UserError(`DATA_DIR ${path} cannot be used: ${(cause as Error).message}.`, { cause });
    }
    try {
      // SQLite's lock is the system's own: it is gone when the process is, even after kill -9.
      this.lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    } catch (cause) {
      throw new UserError(
        `Another ${service} runs on DATA_DIR ${path}. Stop it, or set DATA_DIR to another folder.`,
        {
          cause,
        },
      );
    }
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /**
   * Keeps the folder for one stack, whose stage is in the names of all that it holds.
   *
   * @throws UserError if it holds the data of another
   */
  keepFor(stackName: string): void {
    const file = this.file('stack');
    const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : stackName;
    if (known !== stackName)
      throw new UserError(
        `DATA_DIR ${this.path} holds the data of ${known}, not of ${stackName}. Set DATA_DIR to another folder for it.`,
      );
    writeFileSync(file, `${stackName}\n`, { mode: 0o600 });
  }

  /** Writes a file that its owner alone can read, whole or not at all. */
  write(name: string, content: object): void {
    const draft = this.file(`${name}.new`);
    writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(draft, this.file(name));
  }

  release(): void {
    this.lock.close();
  }
}
