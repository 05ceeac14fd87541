import { randomBytes } from 'node:crypto';
import { bypassProxy } from '@rest-actions/local-cloud/platform';
import { revokeClient } from '../../lambdas/domain/access/clients.ts';
import { createGrant, revokeGrant } from '../../lambdas/domain/access/grants.ts';
import { grantName } from '../../lambdas/domain/access/keys.ts';
import { createUser, revokeUser } from '../../lambdas/domain/access/users.ts';
import { CommandLineError, parseCommandLine } from '../../lib/command-line.ts';
import { readStage, SettingsError, stackOf } from '../../lib/stages.ts';
import { useDeployment } from '../cli/deployment.ts';
import { CommandFailed, UsageError } from '../cli/errors.ts';
import { newClient } from '../cli/new-client.ts';
import { newContext } from '../cli/parameters.ts';
import type { Terminal } from '../cli/terminal.ts';
import { printable, printableLines } from '../printable.ts';
import { Api } from './api.ts';
import { CleanUp, dogFactory } from './clean-up.ts';
import { monitoring } from './monitoring.ts';
import { type Result, runChecks, suite } from './suite.ts';

const usage = `npm run verify -- [options]

Makes new dogs bark in the deployed service, checks what only a deployment can prove, and deletes everything that it has created.
The statements that it prints are the result.

  --stage <name>     the stage to verify; without it, the service on this machine
  --url <URL>        the URL of the service, if it differs from the stack's output BaseUrl (for an emulator of AWS)
  --wait <minutes>   how long to wait for an occurrence, a bounce or a metric (default: 5)`;

/** @returns the exit code: 0 if no check failed, 1 if one did, 2 for an incorrect command line, 130 after Ctrl-C */
export async function main(
  args: readonly string[],
  terminal: Pick<Terminal, 'print' | 'printError' | 'showProgress'>,
): Promise<number> {
  try {
    const options = readOptions(args);
    if (options) return await verify(options, terminal);
    terminal.print(`${usage}\n`);
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError || error instanceof CommandLineError;
    if (!(isUsage || error instanceof SettingsError || error instanceof CommandFailed)) throw error;
    const hint = isUsage ? ' Run npm run verify -- --help for the usage.' : '';
    terminal.printError(`${printableLines(error.message)}${hint}\n`);
    return isUsage ? 2 : 1;
  }
}

interface Options {
  readonly stack: string | undefined;
  readonly url: string | undefined;
  readonly longestWaitMs: number;
}

/** Returns undefined for a request for help. */
function readOptions(args: readonly string[]): Options | undefined {
  const { stage, url, wait, help } = parseCommandLine(args, {
    stage: { type: 'string' },
    url: { type: 'string' },
    wait: { type: 'string', default: '5' },
    help: { type: 'boolean', short: 'h' },
  }).values;
  if (help) return undefined;
  const minutes = Number(wait);
  if (!(minutes > 0)) throw new UsageError(`--wait must be a number of minutes, but is "${wait}".`);
  if (url !== undefined && !/^https?:\/\/[^?#]+$/.test(url))
    throw new UsageError(`--url must be the URL of a service, but is "${url}".`);
  if (stage !== undefined) readStage(stage);
  return {
    stack: stage === undefined ? undefined : stackOf(stage),
    url: url?.replace(/\/+$/, ''),
    longestWaitMs: minutes * 60_000,
  };
}

async function verify(
  { stack, url, longestWaitMs }: Options,
  { print, printError, showProgress }: Pick<Terminal, 'print' | 'printError' | 'showProgress'>,
): Promise<number> {
  const outputs = await useDeployment(stack);
  const baseUrl = url ?? outputs.BaseUrl;
  if (stack === undefined) bypassProxy(baseUrl);
  const ended = new AbortController();
  const { signal } = ended;
  const end = () => ended.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, end);
  const cleanUp = new CleanUp();
  const counts = { proven: 0, FAILED: 0, unproven: 0 };
  print(`${baseUrl} (${stack ?? 'the service on this machine'})\n\n`);
  const hideProgress = showProgress('Verifying');
  const report = ({ state, statement, text }: Result) => {
    counts[state] += 1;
    print(`${state.padEnd(8)}  ${statement}\n${text === undefined ? '' : `          ${printable(text)}\n`}`);
  };
  let left: string[];
  try {
    const name = `verify-${randomBytes(4).toString('hex')}`;
    const { client, ...user } = await createAccess(name, cleanUp);
    const urls = { baseUrl, publishedUrl: outputs.BaseUrl };
    const api = new Api(urls, user, signal);
    const newDog = dogFactory(name, api, new Api(urls, user, AbortSignal.any([])), cleanUp);
    const deployment = { api, client, newDog, stack, longestWaitMs, pollMs: 1_000, signal };
    await runChecks(suite, deployment, report);
    await runChecks([monitoring], deployment, report);
  } finally {
    if (signal.aborted)
      printError('Deleting what the checks have created. Press Ctrl-C again to leave it.\n');
    left = await cleanUp.run();
    hideProgress();
    for (const text of left) printError(`Not deleted: ${printable(text)}\n`);
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, end);
  }
  print(`\nProven: ${counts.proven}. Failed: ${counts.FAILED}. Not proven here: ${counts.unproven}.\n`);
  if (signal.aborted) return 130;
  return counts.FAILED > 0 || left.length > 0 ? 1 : 0;
}

async function createAccess(name: string, cleanUp: CleanUp) {
  cleanUp.add(`the user ${name}`, () => revokeUser(name, newContext()));
  const password = await createUser(name, { replace: false }, newContext());
  cleanUp.add(`the client ${name}`, () => revokeClient(name, newContext()));
  const { client_id, client_secret } = await newClient(name, { replace: false });
  cleanUp.add(`the grant of ${name}`, () => revokeGrant(grantName(name, name), newContext()));
  const { refreshToken: refresh_token } = await createGrant(name, name, { replace: false }, newContext());
  return { username: name, password, client: { client_id, client_secret, refresh_token } };
}
