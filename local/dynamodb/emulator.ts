import type { Emulator } from '../endpoint/emulator.ts';
import { openStore } from '../platform/store.ts';
import { UserError } from '../platform/user-error.ts';
import { DatabaseProcess } from './database-process.ts';
import { ItemReader } from './item-reader.ts';
import { Operations } from './operations.ts';
import { indexStreams, trimStreams } from './stream-records.ts';

const relaunchDelayMs = 1_000;

/** The process keeps about 3 KB of memory for each call, even a failed one, so it is replaced after this many calls. */
const defaultMaxCalls = 5_000;

const defaultSweepIntervalMs = 60_000;

/** Runs the embedded database, restarts its process if it dies, and deletes expired items and old stream records. */
export class DynamoDbEmulator {
  private readonly file: string;
  private readonly onCrash: (message: string) => void;
  private readonly maxCalls: number;
  private readonly sweepIntervalMs: number;
  private sweeper: NodeJS.Timeout | undefined;
  /** Undefined before the start, and while the process is being replaced. */
  private process: DatabaseProcess | undefined;
  /** Rejects if the process could not be started. Undefined before the start. */
  private operations: Promise<Operations> | undefined;
  private readonly inProgress = new Set<Promise<unknown>>();
  private stopping = false;

  constructor(
    file: string,
    onCrash: (message: string) => void,
    { maxCalls = defaultMaxCalls, sweepIntervalMs = defaultSweepIntervalMs } = {},
  ) {
    this.file = file;
    this.onCrash = onCrash;
    this.maxCalls = maxCalls;
    this.sweepIntervalMs = sweepIntervalMs;
  }

  readonly serve: Emulator = async ({ headers, body }) => {
    const [, operation = ''] = headers['x-amz-target']?.split('.') ?? [];
    if (!this.operations) throw new Error('The database is not running.');
    this.replaceIfNecessary();
    const response = this.operations.then((database) => database.perform(operation, body.toString('utf8')));
    this.inProgress.add(response);
    return response.finally(() => this.inProgress.delete(response));
  };

  /** @throws UserError if the platform is not supported, the file is damaged or not writable, or the process does not start */
  async start(): Promise<void> {
    try {
      // If the file is damaged, `openStore` explains the cause; the process's output does not.
      openStore(this.file).close();
    } catch (cause) {
      throw cause instanceof UserError ? cause : this.startError(cause as Error);
    }
    this.operations = this.launch();
    await this.operations;
    this.sweeper = setInterval(() => {
      // If the call fails, so that expired items stay, the next one deletes them.
      this.process?.call('sweep_ttl', {}).catch(() => {});
      trimStreams(this.file);
    }, this.sweepIntervalMs).unref();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.sweeper);
    await this.process?.stop();
    await this.operations?.catch(() => {});
  }

  private async launch(): Promise<Operations> {
    if (this.stopping) throw new Error('The database is not running.');
    const database = new DatabaseProcess(this.file);
    this.process = database;
    try {
      await database.start();
      indexStreams(this.file);
      const reader = new ItemReader(this.file);
      void database.ended.then(() => {
        reader.close();
        if (this.stopping || database !== this.process) return;
        this.onCrash('The database process died and is restarting.');
        this.relaunch(database.ended);
      });
      return new Operations(database, reader);
    } catch (cause) {
      // Otherwise, two processes would write to the same file after the next start.
      await database.kill();
      throw this.startError(cause as Error);
    }
  }

  /** Replaces the process after `maxCalls` calls, once those in progress have ended. New calls wait. */
  private replaceIfNecessary(): void {
    const { process: database } = this;
    if (!database || database.calls < this.maxCalls) return;
    this.process = undefined;
    this.relaunch(Promise.allSettled(this.inProgress).then(() => database.stop()));
  }

  private relaunch(ended: Promise<unknown>): void {
    this.operations = ended.then(() => this.launch());
    this.operations.catch((error: Error) => {
      if (this.stopping) return;
      this.onCrash(error.message);
      setTimeout(() => this.relaunch(Promise.resolve()), relaunchDelayMs).unref();
    });
  }

  private startError(cause: Error): UserError {
    return new UserError(`The database did not start with the file ${this.file}: ${cause.message}.`, {
      cause,
    });
  }
}
