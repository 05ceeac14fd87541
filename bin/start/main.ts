import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { type LocalCloud, startCloud } from '@rest-actions/local-cloud';
import {
  bypassProxy,
  explainDiskError,
  InUseError,
  removeAwsConfiguration,
  Shutdown,
  UserError,
} from '@rest-actions/local-cloud/platform';
import { readAssembly, type Synthesized, stacksIn } from '@rest-actions/local-cloud/template';
import { appInputs, appSources } from '../app-inputs.ts';
import { printableLines } from '../printable.ts';
import { type Access, isFirstStart, writeAccess } from './access.ts';
import { banner, readyFacts } from './banner.ts';
import { hintsOf, type Key, listenToKeys } from './keys.ts';
import { OperatorCli } from './operator-cli.ts';
import { localSettings, readOptions } from './options.ts';
import type { StartedPage, StartPage } from './page.ts';
import { shortPath } from './paths.ts';
import { addServicePage, secondStart } from './running-service.ts';
import type * as SourcePositions from './source-positions.ts';
import { Terminal } from './terminal.ts';
import { texts } from './texts.ts';

/** The directory that contains `cdk.json`. */
const project = resolve(import.meta.dirname, '../..');

const shutdown = new Shutdown();

/** Postpones loading esbuild, on which the module depends, until a function prints a stack trace. */
const sourcePositions = () =>
  createRequire(import.meta.url)('./source-positions.ts') as typeof SourcePositions;

async function start(): Promise<void> {
  const { settings, app, output, help, watches, ...options } = readOptions();
  if (help) {
    console.log((await import('./help.ts')).help());
    return;
  }
  // For example, work in the background cannot be stored because the disk is full. The next start repeats it.
  process.on('uncaughtException', (error) => void fail(explainDiskError(options.directory, error)));
  const aws = removeAwsConfiguration();
  bypassProxy();
  // Only the user of this process may read the files that it and its child processes create, even if others can read DATA_DIR.
  process.umask(0o077);
  const terminal = new Terminal(output, {
    stream: process.stdout,
    logFileOf: (name) => shortPath(join(options.directory, 'logs', `${name}.log`)),
    sourcePosition: (...position) => sourcePositions().sourcePosition(...position),
  });
  terminal.listen();
  const source =
    app === undefined
      ? { project, settings, inputs: appInputs, ...(watches && { watched: appSources }) }
      : readSynthesized(app);
  const operator = new OperatorCli(options.directory);
  if (isFirstStart(options.directory)) operator.load();
  const cloud = await startCloud(source, { ...options, aws, texts, shutdown }).catch(async (error) => {
    throw error instanceof InUseError ? await secondStart(error, options) : error;
  });
  bypassProxy(cloud.baseUrl);
  const { access, pages } = await prepare(cloud, operator).catch((error) => {
    throw explainDiskError(options.directory, error);
  });
  await operator.stop();
  addServicePage(cloud);
  const hasKeys = process.stdin.isTTY && output !== 'json';
  const keys = [...pages.flatMap((page) => page.keys ?? []), ...keysOf(cloud)];
  const ready = Object.assign(readyFacts(access, cloud), ...pages.map(({ facts }) => facts));
  const rows = pages.flatMap((page) => page.rows);
  terminal.print((paint) => banner(ready, rows, hasKeys ? hintsOf(keys) : [], paint), ready);
  terminal.ready();
  goodbye = () =>
    terminal.print(() => `Stopped. All state is in ${shortPath(options.directory)}.`, { type: 'stopped' });
  if (!hasKeys) return;
  const print = (text: string) => terminal.print(() => text, { type: 'message' });
  listenToKeys(process.stdin, keys, { print, onLine: () => terminal.typed() });
}

async function prepare(
  cloud: LocalCloud,
  operator: OperatorCli,
): Promise<{ access: Access; pages: readonly StartedPage[] }> {
  // The first credential in the setting `credentials` is for this service itself.
  const [credential] = JSON.parse(cloud.template.outputs.Credentials ?? '[]') as { name: string }[];
  const access = await writeAccess(cloud.directory, operator, credential?.name, {
    base_url: cloud.baseUrl,
    mail_url: cloud.mailUrl,
    ...(cloud.clockUrl && { clock_url: cloud.clockUrl }),
  });
  return { access, pages: await startPages(cloud, access) };
}

/** Starts the pages in the folder `pages`, in the order of their names. */
async function startPages(cloud: LocalCloud, access: Access): Promise<StartedPage[]> {
  const files = globSync('pages/*.ts', { cwd: import.meta.dirname }).sort();
  const modules: { startPage: StartPage }[] = await Promise.all(files.map((file) => import(`./${file}`)));
  return modules.map(({ startPage }) => startPage(cloud, access));
}

function keysOf({ reload }: LocalCloud): Key[] {
  return [
    ...(reload ? [{ key: 'r', help: 'reload the code', run: reload }] : []),
    { key: 'q', help: 'stop the service', run: () => void exit(0) },
  ];
}

/**
 * Reads the chosen stage's stack. If no stage is chosen, reads the folder's only stack or, if it has several, that of the stage
 * which `npm start` runs by default.
 *
 * @throws UserError if the folder does not contain the stack
 */
function readSynthesized({ folder, stage }: { folder: string; stage: string | undefined }): Synthesized {
  const chosen = stage ?? localSettings.stage;
  let stacks: string[];
  try {
    stacks = stacksIn(folder);
    const [only, ...others] = stacks;
    const isOnly = stage === undefined && others.length === 0;
    const stack = isOnly ? only : stacks.find((name) => name.endsWith(`-${chosen}`));
    if (stack !== undefined) return readAssembly(folder, stack);
  } catch (cause) {
    throw new UserError(`${folder} has no synthesized stack. Run npm run synth, which writes to cdk.out.`, {
      cause,
    });
  }
  throw new UserError(
    `${folder} has no stack of the stage ${chosen}, only ${stacks.join(', ')}. Choose one with -c stage=<name>.`,
  );
}

let goodbye = () => {};
let exiting = false;

/** Only the first call has an effect. */
async function exit(code: number): Promise<void> {
  if (exiting) return;
  exiting = true;
  await shutdown.run();
  goodbye();
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void exit(0));

// npm sends SIGTERM to the shell that runs the script, and some shells, such as dash, do not forward it. So the service also
// ends when its parent process does. On Windows, `process.ppid` does not change, so this check has no effect.
const parent = process.ppid;
const checkIntervalMs = 100;
setInterval(() => {
  if (process.ppid !== parent) void exit(0);
}, checkIntervalMs).unref();

function fail(error: Error): Promise<void> {
  console.error(error instanceof UserError ? printableLines(error.message) : error);
  return exit(1);
}

await start().catch(fail);
