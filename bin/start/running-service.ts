import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { LocalCloud } from '@rest-actions/local-cloud';
import { type InUseError, UserError } from '@rest-actions/local-cloud/platform';
import { defaultHost } from './options.ts';
import { quoted, shortPath } from './paths.ts';

/** What a running service reveals to every user of the computer. */
interface RunningService {
  readonly baseUrl: string;
  readonly pid: number;
}

const path = '/service';

/** Adds a page by which another `npm start` recognizes this service. The page contains no secret, so a guessable path is safe. */
export function addServicePage({ addPage, baseUrl }: Pick<LocalCloud, 'addPage' | 'baseUrl'>): void {
  const body = JSON.stringify({ baseUrl, pid: process.pid } satisfies RunningService);
  addPage(path, () => ({ contentType: 'application/json', body }));
}

interface Options {
  readonly directory: string;
  readonly host: string;
  readonly port: number;
}

/**
 * Returns the given error or, if another dog service uses the folder or port, an error that names that service and shows how to
 * start another one beside it.
 *
 * @param args this process's command-line arguments
 */
export async function secondStart(
  error: InUseError,
  { directory, host, port }: Options,
  args: readonly string[] = process.argv.slice(2),
): Promise<UserError> {
  const endpoint = error.what === 'folder' ? endpointIn(directory) : `http://127.0.0.1:${port + 1}`;
  const running = endpoint === undefined ? undefined : await serviceAt(endpoint);
  const usedPort = Number(running && (new URL(running.baseUrl).port || 80));
  if (!running || (error.what === 'port' && usedPort !== port)) return error;
  const free = await freePortAfter(usedPort, host);
  const address = host === defaultHost ? '' : `HOST=${quoted(host)} `;
  const options = args.length > 0 ? ` -- ${args.map(quoted).join(' ')}` : '';
  return new UserError(
    [
      `The service is already running at ${running.baseUrl} (process ${running.pid}).`,
      'To start another one beside it, run:',
      `  ${address}DATA_DIR=${quoted(`${shortPath(directory)}-${free}`)} PORT=${free} npm start${options}`,
    ].join('\n'),
    { cause: error },
  );
}

/** Returns the AWS endpoint URL of the service that uses a folder, or undefined if the service is not ready. */
function endpointIn(directory: string): string | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, 'operator.json'), 'utf8')).client.endpoint;
  } catch {
    return undefined;
  }
}

const timeoutMs = 2_000;

/** Returns the service at an AWS endpoint URL, or undefined if no dog service responds there. */
async function serviceAt(endpoint: string): Promise<RunningService | undefined> {
  try {
    const response = await fetch(`${endpoint}${path}`, { signal: AbortSignal.timeout(timeoutMs) });
    const { baseUrl, pid } = (await response.json()) as RunningService;
    return { baseUrl: new URL(baseUrl).origin, pid: Number(pid) };
  } catch {
    return undefined;
  }
}

/** At least two, because a service uses two ports. Ten is easy to remember. */
const portStep = 10;

async function freePortAfter(used: number, host: string): Promise<number> {
  for (let port = used + portStep; port < 65_535; port += portStep) if (await isFree(port, host)) return port;
  return 0;
}

async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
