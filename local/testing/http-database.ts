import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { databaseExecutable } from '../dynamodb/database-process.ts';
import { indexStreams } from '../dynamodb/stream-records.ts';
import { makePrivate } from '../platform/store.ts';

/**
 * A shell becomes the server. Its watcher ends the server when standard input closes, which also happens if the process that has
 * started the server is killed. Windows has no such shell, so the server can survive there.
 */
const serverUntilInputCloses =
  'exec 3<&0; (read -r _ <&3; kill $$ 2> /dev/null) & exec "$0" "$@" 3<&- < /dev/null';

/**
 * The embedded database as an HTTP server, for tests, some of which need `ConsumedCapacity`. The local cloud does not use the
 * server, because the server accepts calls from any user and any web page.
 */
export class HttpDatabase {
  private readonly file: string;
  private process: ChildProcess | undefined;
  private port = 0;

  constructor(file: string) {
    this.file = file;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** @throws Error with the server's output if the server does not start */
  async start(): Promise<void> {
    makePrivate(this.file);
    this.port = await freePort();
    const server = [databaseExecutable(), 'serve', '--port', String(this.port), '--db-path', this.file];
    const [program = '', ...parameters] =
      process.platform === 'win32' ? server : ['/bin/sh', '-c', serverUntilInputCloses, ...server];
    const child = spawn(program, parameters, { stdio: ['pipe', 'ignore', 'pipe'] });
    this.process = child;
    let output = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes('listening')) resolve();
      });
      child.once('error', reject).once('close', () => reject(new Error(output)));
    });
    indexStreams(this.file);
  }

  async stop(): Promise<void> {
    const { process: child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
