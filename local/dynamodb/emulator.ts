import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { makePrivate } from '../platform/store.ts';
import { UserError } from '../platform/user-error.ts';
import type { Template } from '../template/template.ts';

/** The embedded database: a process of its own that writes one file, and is started again if it dies. */
export class DynamoDbEmulator {
  private readonly file: string;
  private readonly onCrash: (message: string) => void;
  private process: ChildProcess | undefined;
  /** None while it is not running: the port that it had may be another's as soon as it has died. */
  private port: number | undefined;
  private stopping = false;

  /** @param onCrash is told when the process died and is started again */
  constructor(file: string, onCrash: (message: string) => void) {
    this.file = file;
    this.onCrash = onCrash;
  }

  /** @throws Error while it is not running: what was to be asked is to be sent again */
  get url(): string {
    if (this.port === undefined) throw new Error('The database is not running.');
    return `http://127.0.0.1:${this.port}`;
  }

  /** @throws UserError if there is no database for this platform, or if it does not start */
  async start(): Promise<void> {
    await endOrphans(this.file);
    try {
      makePrivate(this.file);
    } catch (cause) {
      throw this.notStarted((cause as Error).message, cause);
    }
    await this.launch();
  }

  private notStarted(why: string, cause?: unknown): UserError {
    return new UserError(`The database did not start on ${this.file}: ${why}.`, { cause });
  }

  async stop(): Promise<void> {
    this.stopping = true;
    const { process: child } = this;
    if (!child || hasEnded(child)) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await Promise.race([ended, sleep(3_000, undefined, { ref: false })]);
    child.kill('SIGKILL');
  }

  private async launch(): Promise<void> {
    const port = await freePort();
    if (this.stopping) return;
    const child = spawn(databaseExecutable(), ['serve', '--port', String(port), '--db-path', this.file], {
      // A group of its own: Ctrl-C reaches this process, which ends the database when it has answered what is under way.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.process = child;
    const said = await firstWordsOf(child);
    // Somebody else was faster to take the port.
    if (said.includes('already in use')) return this.launch();
    if (!said.includes('listening')) throw this.notStarted(said);
    try {
      indexStreams(this.file);
    } catch (cause) {
      // Two of them would write one file when the next one is started.
      await end(child);
      throw this.notStarted((cause as Error).message, cause);
    }
    // It may have died since it said so.
    if (hasEnded(child)) return this.relaunch();
    this.port = port;
    child.once('exit', () => this.relaunch());
  }

  private async relaunch(): Promise<void> {
    this.port = undefined;
    if (this.stopping) return;
    this.onCrash('The database process died; it is started again.');
    await this.launch().catch((error: Error) => {
      this.onCrash(error.message);
      setTimeout(() => this.relaunch(), 1_000).unref();
    });
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/**
 * Adds the index that the database lacks: without it each write of a table with a stream looks at all records that the
 * stream has had, to number the next one.
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

/** The program of the embedded database. @throws UserError if there is none for this platform */
export function databaseExecutable(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  const file = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  try {
    return createRequire(import.meta.url).resolve(`${name}/${file}`);
  } catch (cause) {
    throw new UserError(
      `There is no embedded database (${name}) for this machine. Set AWS_ENDPOINT_URL_DYNAMODB to a DynamoDB of yours, such as DynamoDB Local.`,
      { cause },
    );
  }
}

/** Ends the database processes that a killed service left behind, lest two of them write one file. */
async function endOrphans(file: string): Promise<void> {
  for (const pid of processesOn(file)) {
    process.kill(pid, 'SIGKILL');
    while (processesOn(file).includes(pid)) await sleep(10);
  }
}

function processesOn(file: string): number[] {
  return commandLines()
    .filter(({ args }) => args.includes('dynoxide') && `${args} `.includes(` --db-path ${file} `))
    .map(({ pid }) => pid);
}

function commandLines(): { pid: number; args: string }[] {
  if (process.platform === 'linux')
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({
        pid: Number(name),
        args: readIfThere(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim(),
      }));
  if (process.platform === 'win32') return [];
  return execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => ({ pid: Number.parseInt(line, 10), args: line.trim().replace(/^\d+ /, '') }));
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // the process has just ended
  }
}

/** What a database says first: that it listens, or why it does not. What it says after that is not kept. */
async function firstWordsOf(child: ChildProcess): Promise<string> {
  let said = '';
  const { promise, resolve } = Promise.withResolvers<string>();
  const hear = (text: string) => {
    said += text;
    if (said.includes('listening')) resolve(said);
  };
  const ended = (code: number | null, signal: string | null) =>
    resolve(said.trim() || `exit code ${code ?? signal}`);
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  child.stderr?.setEncoding('utf8').on('data', hear);
  child.once('error', (error) => resolve(error.message)).once('close', ended);
  return promise.finally(() => {
    clearTimeout(timer);
    child.stderr?.off('data', hear).resume();
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Makes the tables of the template, those that are not there yet.
 *
 * @throws UserError if a table is there that has other keys
 */
export async function createTables(client: DynamoDBClient, template: Template): Promise<void> {
  for (const resource of template.ofType('AWS::DynamoDB::Table')) {
    const { KeySchema, AttributeDefinitions, BillingMode, StreamSpecification, TimeToLiveSpecification } =
      resource.properties;
    const TableName = template.idOf(resource);
    const existing = await client.send(new DescribeTableCommand({ TableName })).catch((error) => {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    });
    if (existing) {
      if (JSON.stringify(existing.Table?.KeySchema) !== JSON.stringify(KeySchema))
        throw new UserError(
          `The table ${TableName} has other keys than the template: set DATA_DIR to another folder.`,
        );
      continue;
    }
    const definition: CreateTableCommandInput = {
      TableName,
      KeySchema,
      AttributeDefinitions,
      BillingMode,
      ...(StreamSpecification && { StreamSpecification: { StreamEnabled: true, ...StreamSpecification } }),
    };
    await client.send(new CreateTableCommand(definition));
    if (TimeToLiveSpecification)
      await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  }
}
