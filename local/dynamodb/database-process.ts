import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../platform/user-error.ts';

const startTimeoutMs = 10_000;
const stopTimeoutMs = 3_000;

export interface ToolResult {
  /** JSON, or possibly plain text if the call failed. */
  readonly text: string;
  readonly isError: boolean;
}

interface Reply {
  readonly id?: number;
  readonly result?: {
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
    readonly tools?: readonly Tool[];
  };
  readonly error?: { readonly message: string };
}

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> };
}

interface Waiter {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Runs Dynoxide, the embedded database, as a Model Context Protocol server. No other user and no web page can reach the server,
 * because it uses only standard input and output. The server ends when its input closes, which also happens if the local cloud is
 * killed.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2025-03-26/basic/transports#stdio MCP: stdio}
 */
export class DatabaseProcess {
  readonly ended: Promise<unknown>;
  /** Each tool's argument names. Empty until `start` resolves. */
  readonly tools = new Map<string, ReadonlySet<string>>();
  private readonly child: ChildProcess;
  private readonly waiters = new Map<number, Waiter>();
  private lastId = 0;
  private hasEnded = false;
  private errorOutput = '';
  /** The incomplete last line of the output, in chunks. */
  private line: string[] = [];

  constructor(file: string) {
    this.child = spawn(databaseExecutable(), ['mcp', '--db-path', file], {
      // In its own process group, the database does not receive Ctrl-C. The local cloud stops it after the last request.
      detached: true,
      windowsHide: true,
      // With more threads, contention for the allocator's lock costs a quarter of the throughput.
      env: { ...process.env, TOKIO_WORKER_THREADS: '1' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.receive(chunk));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.errorOutput = `${this.errorOutput}${text}`.slice(-1_000);
    });
    // The process can exit during a write. The `close` handler deals with that.
    this.child.stdin?.on('error', () => {});
    this.ended = once(this.child, 'close').then(
      ([code, signal]) => this.end(code === null ? `killed by ${signal}` : `exit code ${code}`),
      ({ message }: Error) => this.end(message),
    );
  }

  get calls(): number {
    return this.lastId;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /**
   * Kills the process if it does not accept calls within `startTimeoutMs`.
   *
   * @throws Error with the process's error output, or else its exit code or signal, if it ends before it accepts calls
   */
  async start(): Promise<void> {
    const timer = setTimeout(() => this.child.kill('SIGKILL'), startTimeoutMs);
    try {
      await this.request('initialize', {
        protocolVersion: '2025-03-26',
        capabilities: {},
        clientInfo: { name: 'local-cloud', version: '1' },
      });
      this.send({ method: 'notifications/initialized' });
      const { result } = await this.request('tools/list', {});
      for (const { name, inputSchema } of result?.tools ?? [])
        this.tools.set(name, new Set(Object.keys(inputSchema.properties ?? {})));
    } finally {
      clearTimeout(timer);
    }
  }

  async call(name: string, parameters: object): Promise<ToolResult> {
    const { result, error } = await this.request('tools/call', { name, arguments: parameters });
    if (error) return { text: error.message, isError: true };
    return { text: result?.content?.[0]?.text ?? '{}', isError: result?.isError ?? false };
  }

  /** Ends the process after the calls in progress, or kills it after `stopTimeoutMs`. */
  async stop(): Promise<void> {
    if (this.hasEnded) return;
    this.child.stdin?.end();
    await Promise.race([this.ended, sleep(stopTimeoutMs, undefined, { ref: false })]);
    await this.kill();
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private request(method: string, params: object): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.hasEnded) {
        reject(new Error('The database is not running.'));
        return;
      }
      this.lastId += 1;
      this.waiters.set(this.lastId, { resolve, reject });
      this.send({ id: this.lastId, method, params });
    });
  }

  private send(message: object): void {
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** `node:readline` would also split at U+2028, a character that JSON permits. */
  private receive(chunk: string): void {
    const [first = '', ...others] = chunk.split('\n');
    this.line.push(first);
    for (const next of others) {
      const reply = JSON.parse(this.line.join('')) as Reply;
      this.line = [next];
      const waiter = this.waiters.get(reply.id ?? 0);
      this.waiters.delete(reply.id ?? 0);
      waiter?.resolve(reply);
    }
  }

  private end(reason: string): void {
    this.hasEnded = true;
    for (const { reject } of this.waiters.values()) reject(new Error(this.errorOutput.trim() || reason));
    this.waiters.clear();
  }
}

/** @throws UserError if the executable for this platform is not installed */
export function databaseExecutable(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  const file = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  try {
    return createRequire(import.meta.url).resolve(`${name}/${file}`);
  } catch (cause) {
    throw new UserError(
      `The embedded database (${name}) is not installed. Run npm ci. If the database does not support this platform, set AWS_ENDPOINT_URL_DYNAMODB to another DynamoDB endpoint, such as that of DynamoDB Local.`,
      { cause },
    );
  }
}
