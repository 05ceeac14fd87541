import { spawn } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { processesWith } from '@rest-actions/local-cloud/testing';
import {
  type Access,
  type Launch,
  launchService,
  type Options,
  type Service,
  startService,
} from '../../tools/service.ts';
import { Client } from '../support/client.ts';
import { newFastDirectory } from '../support/fast-directory.ts';
import { preparedStack } from '../support/prepare-services.ts';

const project = resolve(import.meta.dirname, '../..');

const directories: string[] = [];
const launches: Launch[] = [];

/** Starts the service so that it prints a line for each request. */
export const verboseStart = [process.execPath, 'bin/start.mjs', '--no-watch'] as const;

/** Creates a folder for one service, and deletes it at the end of the test file. */
export function temporaryDirectory(): string {
  const directory = newFastDirectory();
  directories.push(directory);
  return directory;
}

/** Starts a service, which runs the prepared stack unless `settings` is set: with `[]`, it synthesizes the default stack. */
export function launch(directory = temporaryDirectory(), options?: Options): Launch {
  const launched = launchService(directory, prepared(options));
  launches.push(launched);
  return launched;
}

export async function start(directory = temporaryDirectory(), options?: Options): Promise<Service> {
  const service = await startService(directory, prepared(options));
  launches.push(service);
  return service;
}

export let service: Service;
export let client: Client;

/** Starts the service of the test file on a folder, for the first time or again. @param user the credentials of the client */
export async function restart(directory: string, options?: Options, user?: Partial<Access>): Promise<void> {
  service = await start(directory, options);
  client = new Client({ ...service.access, ...user });
}

/** Starts the service of the test file before its tests. @returns the folder of the service */
export function useService(options?: Options): string {
  const directory = temporaryDirectory();
  beforeAll(() => restart(directory, options));
  return directory;
}

export async function kill9(): Promise<void> {
  service.process.kill('SIGKILL');
  await service.exited;
}

export async function statusWith(token: string): Promise<number> {
  return (await client.get('/v1/dogs/?limit=1', { Authorization: `Bearer ${token}` })).status;
}

type TokenParameters = {
  readonly [Name in 'client_id' | 'client_secret' | 'refresh_token']?: string | undefined;
};

/** Exchanges a refresh token for an access token. `result` is `access_token` or the error. */
export async function exchange({
  client_id = '',
  client_secret = '',
  refresh_token = '',
}: TokenParameters): Promise<{ result: string; token: string }> {
  const response = await fetch(`${client.baseUrl}/oauth2/v4/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id, client_secret, refresh_token, grant_type: 'refresh_token' }),
  });
  const { error, access_token = '' } = (await response.json()) as { error?: string; access_token?: string };
  return { result: error ?? 'access_token', token: access_token };
}

function prepared(options: Options = {}): Options {
  return options.settings ? options : { app: preparedStack, ...options };
}

afterAll(async () => {
  for (const { process: child, exited } of launches) {
    child.kill();
    await exited;
  }
  for (const directory of directories) {
    // The database of a service that a test killed ends by itself, a moment later.
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
});

export function modeOf(file: string): number {
  return statSync(file).mode & 0o777;
}

export function readJson<Content>(...path: readonly string[]): Content {
  return JSON.parse(readFileSync(join(...path), 'utf8')) as Content;
}

/** Returns the IDs of the database processes that write into a folder. */
export const databasesOn = (directory: string): number[] =>
  processesWith(`--db-path ${join(directory, 'dynamodb.sqlite')}`);

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function run(
  program: string,
  parameters: readonly string[],
  environment: Record<string, string> = {},
): Promise<Result> {
  const env = { ...process.env, ...environment };
  const child = spawn(program, parameters, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done({ code, ...output }));
  });
}

/** Runs a command of the operator on the service of a folder. */
export function runCommand(directory: string, ...parameters: readonly string[]): Promise<Result> {
  return run(process.execPath, ['bin/cli.mjs', ...parameters], { DATA_DIR: directory });
}

/** The longest time that a service may take to end, in milliseconds. */
const soon = 3_000;

/** Returns the exit code of a service after `end` and whether it ended in time. If it did not, the service is killed. */
export async function endOf(
  { exited, process: child }: Launch,
  end: () => unknown,
): Promise<{ code: number | null; soon: boolean }> {
  const timer = setTimeout(() => child.kill('SIGKILL'), soon);
  const began = Date.now();
  end();
  const code = await exited;
  clearTimeout(timer);
  return { code, soon: Date.now() - began < soon };
}

export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}
