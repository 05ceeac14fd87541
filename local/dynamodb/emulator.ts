import type { Emulator } from '../endpoint/emulator.ts';
import type { AwsResponse } from '../endpoint/response.ts';
import { openStore } from '../platform/store.ts';
import { UserError } from '../platform/user-error.ts';
import { DatabaseProcess } from './database-process.ts';
import { ItemReader } from './item-reader.ts';
import { isRead, Operations } from './operations.ts';
import { killOrphans } from './orphans.ts';
import { indexStreams, type StreamPosition, trimStream } from './stream-records.ts';

/** The delay between a failed restart and the next one. */
const relaunchDelayMs = 1_000;

/**
 * The number of calls after which the emulator replaces the process. The process keeps about 3 KB of memory for each call, even
 * for a call that fails.
 */
const defaultMaxCalls = 5_000;

/**
 * The emulator of DynamoDB. It runs an embedded database in another process. That process stores its data in one file. If the
 * process dies, the emulator restarts it.
 */
export class DynamoDbEmulator {
  private readonly file: string;
  private readonly onCrash: (message: string) => void;
  private process: DatabaseProcess | undefined;
  /** Undefined while the process is not running. */
  private operations: Operations | undefined;
  /** Settles when the last write is complete. */
  private lastWrite: Promise<unknown> = Promise.resolve();
  private readonly maxCalls: number;
  /** The process that the emulator ends in order to replace it. */
  private replaced: DatabaseProcess | undefined;
  /** Settles when the next process runs. Undefined while no process is replaced. */
  private replacement: Promise<void> | undefined;
  private stopping = false;

  /** @param onCrash receives a message when the process dies, and when a restart fails */
  constructor(
    file: string,
    onCrash: (message: string) => void,
    { maxCalls = defaultMaxCalls }: { maxCalls?: number } = {},
  ) {
    this.file = file;
    this.onCrash = onCrash;
    this.maxCalls = maxCalls;
  }

  /**
   * Performs reads immediately, and writes one after another. Both wait while the process is replaced. Rejects while the process
   * is not running.
   */
  readonly serve: Emulator = ({ headers, body }) => {
    const [, operation = ''] = headers['x-amz-target']?.split('.') ?? [];
    const perform = () => this.perform(operation, body.toString('utf8'));
    if (isRead(operation)) return perform();
    const response = this.lastWrite.then(() => this.replaceIfNecessary()).then(perform);
    this.lastWrite = response.catch(() => {});
    return response;
  };

  private async perform(operation: string, body: string): Promise<AwsResponse> {
    await this.replacement;
    if (!this.operations) throw new Error('The database is not running.');
    return this.operations.perform(operation, body);
  }

  /**
   * Starts the process.
   *
   * @throws UserError if the platform is not supported
   * @throws UserError if the file is damaged or cannot be written, or the process does not start
   */
  async start(): Promise<void> {
    await killOrphans(this.file);
    try {
      // If the file is damaged, this call throws an error that explains it. The output of the process does not.
      openStore(this.file).close();
    } catch (cause) {
      if (cause instanceof UserError) throw cause;
      throw this.startError(cause as Error);
    }
    await this.launch();
  }

  private startError(cause: Error): UserError {
    return new UserError(`The database did not start with the file ${this.file}: ${cause.message}.`, {
      cause,
    });
  }

  /** Deletes stream records that are before the position and older than a day. */
  readonly trim = (position: StreamPosition): void => trimStream(this.file, position);

  /** Stops the process. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.process?.stop();
  }

  private async launch(): Promise<void> {
    if (this.stopping) return;
    const database = new DatabaseProcess(this.file);
    this.process = database;
    try {
      await database.start();
      indexStreams(this.file);
      const reader = new ItemReader(this.file);
      void database.ended.then(() => reader.close());
      this.operations = new Operations(database, reader);
    } catch (cause) {
      // Otherwise, this process would keep running, and the process of the next start would write to the same file.
      await database.kill();
      throw this.startError(cause as Error);
    }
    // Even if the process has already died, the restart begins only after this method has returned.
    void database.ended.then(() => (database === this.replaced ? undefined : this.relaunch()));
  }

  /** Replaces the process between two writes if it has performed `maxCalls`. */
  private async replaceIfNecessary(): Promise<void> {
    if (!this.process || !this.operations || this.process.calls < this.maxCalls) return;
    this.replacement = this.replace(this.process);
    await this.replacement;
    this.replacement = undefined;
  }

  private async replace(database: DatabaseProcess): Promise<void> {
    this.replaced = database;
    this.operations = undefined;
    await database.stop();
    await this.launchOrTryLater();
  }

  private async relaunch(): Promise<void> {
    this.operations = undefined;
    if (this.stopping) return;
    this.onCrash('The database process died and is restarting.');
    await this.launchOrTryLater();
  }

  /** Starts the process. If that fails, returns, and tries again later. */
  private async launchOrTryLater(): Promise<void> {
    await this.launch().catch((error: Error) => {
      this.onCrash(error.message);
      setTimeout(() => this.relaunch(), relaunchDelayMs).unref();
    });
  }
}
