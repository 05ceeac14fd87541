import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const project = resolve(import.meta.dirname, '../..');

/** What `access.json` says. */
export interface Access {
  readonly base_url: string;
  readonly username: string;
  readonly password: string;
  readonly mail_url?: string;
}

/** The service as `npm start` runs it, in a process of its own. */
export interface Service {
  readonly process: ChildProcess;
  readonly directory: string;
  readonly access: Access;
  /** What it has printed so far. */
  output(): string;
  /** Ends it, and resolves to its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export function newDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'dogs-'));
}

/** Starts the service on a free port, and waits until it says that it is ready. */
export async function startService(
  directory = newDirectory(),
  { environment = {}, settings = [] }: { environment?: Record<string, string>; settings?: string[] } = {},
): Promise<Service> {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      'local/start.ts',
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    {
      cwd: project,
      env: { ...process.env, NODE_OPTIONS: '', PORT: '0', DATA_DIR: directory, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  await new Promise<void>((ready, fail) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      if (/Dog service ready at \S+\n/.test(output)) ready();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void exited.then((code) =>
      fail(new Error(`The service ended with ${code} before it was ready:\n${output}`)),
    );
  });
  return {
    process: child,
    directory,
    access: JSON.parse(readFileSync(join(directory, 'access.json'), 'utf8')),
    output: () => output,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
  };
}
