import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bypassProxy, removeAwsConfiguration } from '@rest-actions/local-cloud/platform';
import type { Access } from '../bin/start/access.ts';

const project = resolve(import.meta.dirname, '..');

export type { Access };

/** A process that runs the service as `npm start` does. It can end before the service is ready. */
export interface Launch {
  readonly process: ChildProcess;
  readonly directory: string;
  output(): string;
  /** Waits until the process has printed matching text. Rejects if the process ends first, or prints none for two minutes. */
  says(pattern: RegExp): Promise<void>;
  /** Resolves when the process ends: to its exit code, or to null if a signal ended it. */
  readonly exited: Promise<number | null>;
  /**
   * Signals the process group, as Ctrl-C does.
   *
   * @throws Error if the process does not lead a group
   */
  signalGroup(signal: NodeJS.Signals): void;
}

export interface Service extends Launch {
  readonly access: Access;
  /** Ends the process, and resolves as `exited` does. Kills a process that does not end within two minutes. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface Options {
  readonly environment?: Record<string, string>;
  /** Settings that override those in the stage's file. `stage=test` selects another stage. */
  readonly settings?: readonly string[];
  /** The folder that contains a synthesized stack to run. By default, the service synthesizes its stack when it starts. */
  readonly app?: string;
  /** The clock's initial difference from the system time. If it is set, a test can adjust the clock through `clock_url`. */
  readonly clockOffsetMs?: number;
  /** Replaces the command `node bin/start.mjs --quiet --no-watch`. */
  readonly command?: readonly [string, ...string[]];
  /** True if the process leads its own process group, as in a terminal. */
  readonly ownGroup?: boolean;
}

/** Several times as long as a service takes on a busy machine. */
const limitMs = 120_000;

const start = [process.execPath, 'bin/start.mjs', '--quiet', '--no-watch'] as const;

export function newDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'dogs-'));
}

export function launchService(
  directory = newDirectory(),
  {
    environment = {},
    settings = [],
    app,
    command: [program, ...parameters] = start,
    ownGroup = false,
    clockOffsetMs,
  }: Options = {},
): Launch {
  const options = [
    ...(app ? ['--app', app] : []),
    ...(clockOffsetMs === undefined ? [] : [`--clock-offset=${clockOffsetMs}`]),
    ...settings.flatMap((setting) => ['-c', setting]),
  ];
  // This process and those that it starts call the service.
  bypassProxy();
  const env = { ...process.env, HOST: '127.0.0.1', PORT: '0', DATA_DIR: directory };
  removeAwsConfiguration(env);
  const child = spawn(program, [...parameters, ...options], {
    cwd: project,
    env: { ...env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: ownGroup,
  });
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const listener of listeners) listener();
    });
  const exited = new Promise<number | null>((done) => child.once('close', done));
  const says = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const listener = () => pattern.test(output) && resolve();
      listeners.add(listener);
      listener();
      const fail = (what: string) => reject(new Error(`${what} before it printed ${pattern}:\n${output}`));
      void exited.then((code) => fail(`The service ended with ${code}`));
      setTimeout(fail, limitMs, `${limitMs / 1000} seconds passed`).unref();
    });
  const signalGroup = (signal: NodeJS.Signals) => {
    if (!ownGroup || !child.pid) throw new Error('The process does not lead a process group.');
    process.kill(-child.pid, signal);
  };
  return { process: child, directory, output: () => output, says, exited, signalGroup };
}

export async function startService(directory?: string, options?: Options): Promise<Service> {
  const launch = launchService(directory, options);
  await launch.says(/^Press Ctrl-C to stop\.\n/m).catch((error) => {
    launch.process.kill('SIGKILL');
    throw error;
  });
  return {
    ...launch,
    access: JSON.parse(readFileSync(join(launch.directory, 'access.json'), 'utf8')),
    stop: (signal = 'SIGTERM') => {
      launch.process.kill(signal);
      setTimeout(() => launch.process.kill('SIGKILL'), limitMs).unref();
      return launch.exited;
    },
  };
}
