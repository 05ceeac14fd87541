import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePrivate } from '../platform/store.ts';
import { UserError } from '../platform/user-error.ts';
import { killOrphans } from './orphans.ts';

const startTimeoutMs = 10_000;
const stopTimeoutMs = 3_000;

/** The delay between two failed restarts. */
const relaunchDelayMs = 1_000;

/** The emulator of DynamoDB: the process of an embedded database, which writes one file. It is restarted if it dies. */
export class DynamoDbEmulator {
  private readonly file: string;
  private readonly onCrash: (message: string) => void;
  private process: ChildProcess | undefined;
  /** Undefined while the process is not running, because another process can then use the port. */
  private port: number | undefined;
  private stopping = false;

  /** @param onCrash receives a message when the process dies, and when a restart fails */
  constructor(file: string, onCrash: (message: string) => void) {
    this.file = file;
    this.onCrash = onCrash;
  }

  /**
   * The URL of the database. It changes with each start of the process.
   *
   * @throws Error while the process is not running. The caller can retry
   */
  get url(): string {
    if (this.port === undefined) throw new Error('The database is not running.');
    return `http://127.0.0.1:${this.port}`;
  }

  /**
   * Starts the process.
   *
   * @throws UserError if the platform is not supported
   * @throws UserError if the file cannot be written, or the process does not start
   */
  async start(): Promise<void> {
    await killOrphans(this.file);
    try {
      makePrivate(this.file);
    } catch (cause) {
      throw this.startError((cause as Error).message, cause);
    }
    await this.launch();
  }

  private startError(reason: string, cause?: unknown): UserError {
    return new UserError(`The database did not start on ${this.file}: ${reason}.`, { cause });
  }

  /** Stops the process. Kills it if it does not end within `stopTimeoutMs`. */
  async stop(): Promise<void> {
    this.stopping = true;
    const { process: child } = this;
    if (!child || hasEnded(child)) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await Promise.race([ended, sleep(stopTimeoutMs, undefined, { ref: false })]);
    child.kill('SIGKILL');
  }

  private async launch(): Promise<void> {
    const port = await freePort();
    if (this.stopping) return;
    const child = spawn(databaseExecutable(), ['serve', '--port', String(port), '--db-path', this.file], {
      // Another process group, so that Ctrl-C reaches only this process. It stops the database after its last request.
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.process = child;
    const output = await startOutputOf(child);
    // Another process took the free port first.
    if (output.includes('already in use')) return this.launch();
    if (!output.includes('listening')) throw this.startError(output);
    try {
      indexStreams(this.file);
    } catch (cause) {
      // The next start would cause two processes to write one file.
      await kill(child);
      throw this.startError((cause as Error).message, cause);
    }
    // The process can have died since its output.
    if (hasEnded(child)) return this.relaunch();
    this.port = port;
    child.once('exit', () => this.relaunch());
  }

  private async relaunch(): Promise<void> {
    this.port = undefined;
    if (this.stopping) return;
    this.onCrash('The database process died. It is restarted.');
    await this.launch().catch((error: Error) => {
      this.onCrash(error.message);
      setTimeout(() => this.relaunch(), relaunchDelayMs).unref();
    });
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function kill(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/**
 * Adds an index to the database. Without it, each write to a table with a stream reads all previous records of the stream
 * to number the next one.
 */
function indexStreams(file: string): void {
  const store = new DatabaseSync(file, { timeout: 3_000 });
  try {
    store.exec(
      'CREATE INDEX IF NOT EXISTS _stream_records_in_order' +
        ' ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
    );
  } finally {
    store.close();
  }
}

/**
 * Returns the path of the embedded database's executable.
 *
 * @throws UserError if the platform is not supported
 */
export function databaseExecutable(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  const file = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  try {
    return createRequire(import.meta.url).resolve(`${name}/${file}`);
  } catch (cause) {
    throw new UserError(
      `The embedded database (${name}) does not support this platform. Set AWS_ENDPOINT_URL_DYNAMODB to another DynamoDB, such as DynamoDB Local.`,
      { cause },
    );
  }
}

/** Returns the output of the process up to the line that it listens. If it ends before, returns the reason. */
async function startOutputOf(child: ChildProcess): Promise<string> {
  let output = '';
  const { promise, resolve } = Promise.withResolvers<string>();
  const append = (text: string) => {
    output += text;
    if (output.includes('listening')) resolve(output);
  };
  const ended = (code: number | null, signal: string | null) =>
    resolve(output.trim() || `exit code ${code ?? signal}`);
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs);
  child.stderr?.setEncoding('utf8').on('data', append);
  child.once('error', (error) => resolve(error.message)).once('close', ended);
  return promise.finally(() => {
    clearTimeout(timer);
    child.stderr?.off('data', append).resume();
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
