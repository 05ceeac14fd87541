import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process of the embedded database. */
export interface DatabaseProcess {
  readonly pid: number;
  /** Returns true if the process is currently running. */
  isAlive(): boolean;
  end(): Promise<void>;
}

/** Starts the HTTP server of a database on a file, and waits until it responds. It does not end with this process. */
export async function startDatabaseProcess(file: string): Promise<DatabaseProcess> {
  const binary = createRequire(import.meta.url).resolve(
    `@dynoxide/${process.platform}-${process.arch}/dynoxide${process.platform === 'win32' ? '.exe' : ''}`,
  );
  const port = await freePort();
  const child = spawn(binary, ['serve', '--port', String(port), '--db-path', file], { stdio: 'ignore' });
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  while (isAlive() && !(await responds(port))) await sleep(5);
  return {
    pid: child.pid ?? 0,
    isAlive,
    end: async () => {
      if (!isAlive()) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Returns the IDs of the processes whose command line contains a text. */
export function processesWith(text: string): number[] {
  return commandLines().flatMap(({ pid, args }) => (args.includes(text) ? [pid] : []));
}

function commandLines(): { pid: number; args: string }[] {
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => ({ pid: Number.parseInt(line, 10), args: line }));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), args: commandLineOf(name).replaceAll('\0', ' ') }));
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // The process has just ended.
  }
}

async function responds(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}`).then(
    () => true,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
