import { existsSync, readFileSync } from 'node:fs';
import type { Clients } from './clients.ts';
import type { EmulatorContext } from './emulators.ts';
import { AwsEndpoint, type Page } from './endpoint/endpoint.ts';
import { Gateway } from './gateway/server.ts';
import { ActivityStream } from './platform/activity-stream.ts';
import { type AwsVariables, removeAwsConfiguration } from './platform/aws-configuration.ts';
import { AdjustableClock, type Clock, systemClock } from './platform/clock.ts';
import { serveClock } from './platform/clock-page.ts';
import { DataDirectory } from './platform/data-directory.ts';
import { explainDiskError } from './platform/disk-errors.ts';
import { log } from './platform/log.ts';
import { defaultTexts, type ServiceTexts } from './platform/service-texts.ts';
import { Shutdown } from './platform/shutdown.ts';
import { keptPath } from './platform/unguessable-path.ts';
import { InUseError } from './platform/user-error.ts';
import { SourceWatcher, startReloading } from './reload/source-watcher.ts';
import { CachedSynthesizer } from './template/synthesis-cache.ts';
import type { Synthesized } from './template/synthesize.ts';
import type { Template } from './template/template.ts';

export { DataDirectory };

/** A CDK app. The local cloud synthesizes it at startup, unless the previous synthesis is up to date. */
export interface CdkApp {
  /** The folder that contains the app's `cdk.json`. */
  readonly project: string;
  /** Context values that take precedence over those in `cdk.json`. */
  readonly settings: Readonly<Record<string, string>>;
  /** The files and folders that determine the stack, relative to the project. */
  readonly inputs: readonly string[];
  /** Files and folders, relative to the project. When one changes, the local cloud reloads the app. */
  readonly watched?: readonly string[];
}

export interface CloudOptions {
  /** The folder for all state, including the synthesized template. */
  readonly directory: string;
  /** The default is 127.0.0.1. */
  readonly host?: string;
  /**
   * The API's port. The AWS endpoint uses the next port, or else any free one. With 0, the default, both use any free port, but the
   * API prefers that of the folder's previous start, because events, mail and bookmarks contain its URL.
   */
  readonly port?: number;
  /** The quota that all functions share. */
  readonly concurrentExecutions?: number;
  /** The clock's initial difference from the system time. With this option, tests can adjust the clock at `clockUrl`. */
  readonly clockOffsetMs?: number | undefined;
  /** The user's AWS configuration. By default, it is removed from this process's environment variables. */
  readonly aws?: AwsVariables;
  readonly texts?: ServiceTexts;
  /** Stops the local cloud, even while it is starting. */
  readonly shutdown?: Shutdown;
}

export interface LocalCloud extends Clients {
  /** The URL of the API, without a trailing slash. */
  readonly baseUrl: string;
  /** The URLs of the API for other machines, if it is reachable at all addresses of this one. */
  readonly networkUrls: readonly string[];
  /** The same path at `baseUrl` redirects here. */
  readonly inboxUrl: string;
  /** Serves the sent mail as JSON. */
  readonly mailUrl: string;
  /** See `serveClock`. Undefined without the option `clockOffsetMs`. */
  readonly clockUrl: string | undefined;
  /** The running stack's template, which a reload replaces. */
  readonly template: Template;
  readonly directory: DataDirectory;
  /** See `AwsEndpoint.addPage`. */
  addPage(path: string, page: Page): string;
  readonly addAction: AwsEndpoint['addAction'];
  /** Undefined if `startCloud` received a synthesized template. */
  readonly reload: (() => void) | undefined;
  /** Starts an `ActivityStream`, and returns its unguessable path at `baseUrl`. */
  streamActivities(): string;
  /** Every call returns the same promise. */
  close(): Promise<void>;
}

const portFile = 'port';

/** The default quota in an AWS region. */
export const defaultConcurrentExecutions = 1000;

/**
 * Starts the emulators, and serves the template's API. The variable `AWS_ENDPOINT_URL_DYNAMODB` in `aws` replaces the database
 * with another implementation of DynamoDB. If the start fails, stops everything that was started.
 *
 * @throws UserError if the user can correct the cause, such as a port in use, an invalid setting or a full disk
 * @throws Error if the template uses a feature that the local cloud does not support
 */
export async function startCloud(source: CdkApp | Synthesized, options: CloudOptions): Promise<LocalCloud> {
  const { shutdown = new Shutdown(), clockOffsetMs } = options;
  const clock = clockOffsetMs === undefined ? systemClock : new AdjustableClock(clockOffsetMs);
  const gateway = new Gateway(clock);
  try {
    return await startAll(source, { gateway, clock }, { ...options, shutdown });
  } catch (error) {
    await shutdown.run();
    await gateway.close(0);
    throw explainDiskError(options.directory, error);
  }
}

async function startAll(
  source: CdkApp | Synthesized,
  { gateway, clock }: { readonly gateway: Gateway; readonly clock: Clock },
  {
    directory: path,
    host = '127.0.0.1',
    port = 0,
    concurrentExecutions = defaultConcurrentExecutions,
    aws = removeAwsConfiguration(),
    texts = defaultTexts,
    shutdown,
  }: CloudOptions & { readonly shutdown: Shutdown },
): Promise<LocalCloud> {
  const directory = new DataDirectory(path, texts.name);
  shutdown.add(() => directory.release());
  const baseUrl = port === 0 ? await listenAgain(gateway, host, directory) : await gateway.listen(host, port);
  const endpoint = new AwsEndpoint(clock);
  await endpoint.listen(port === 0 ? 0 : port + 1);
  shutdown.add(() => endpoint.close());

  const app = 'project' in source ? synthesizerOf(source, directory, shutdown) : undefined;
  const watcher = 'project' in source ? watcherOf(source, shutdown) : undefined;
  const startDatabase = async () => {
    const { mountDynamoDb } = await import('./emulators.ts');
    return mountDynamoDb({ endpoint, directory, shutdown, aws });
  };
  // These modules load while another process synthesizes the stack.
  const [synthesized, dynamodb, { startEmulators }] = await Promise.all([
    app?.synthesize() ?? (source as Synthesized),
    startDatabase(),
    import('./stack.ts'),
  ]);
  const context = { endpoint, directory, shutdown, clock, texts, baseUrl, aws };
  const emulators = await startEmulators(synthesized, {
    ...context,
    gateway,
    dynamodb,
    concurrentExecutions,
  });
  const { clients, stack, createData, mailPages } = emulators;
  const { inboxUrl, mailUrl } = mailPages;
  redirectToInbox(gateway, inboxUrl);
  // The app's process uses more memory than all the emulators. The next reload starts a new one.
  app?.stop();
  const reload = app && startReloading(watcher, { app, stack, createData, gateway, shutdown });
  return {
    ...clients,
    baseUrl,
    networkUrls: gateway.networkUrls,
    mailUrl,
    inboxUrl,
    clockUrl:
      clock instanceof AdjustableClock
        ? serveClock(endpoint, clock, keptPath(directory, 'clock'))
        : undefined,
    get template() {
      return stack.current.template;
    },
    directory,
    reload,
    addPage: (path, page) => endpoint.addPage(path, page),
    addAction: (...action) => endpoint.addAction(...action),
    streamActivities: () => streamActivities(gateway, context),
    close: () => shutdown.run(),
  };
}

/** Listens on the port of the folder's previous start if it is free, or else on any free port. */
async function listenAgain(gateway: Gateway, host: string, directory: DataDirectory): Promise<string> {
  const file = directory.file(portFile);
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '0';
  const previous = /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
  if (previous === undefined) log(`${file} is damaged. The service uses another port.`);
  const baseUrl = await gateway.listen(host, previous ?? 0).catch((error) => {
    if (error instanceof InUseError) return gateway.listen(host, 0);
    throw error;
  });
  directory.writeText(portFile, `${new URL(baseUrl).port}\n`);
  return baseUrl;
}

function synthesizerOf(app: CdkApp, directory: DataDirectory, shutdown: Shutdown): CachedSynthesizer {
  log('Synthesizing the stack and starting its emulators …');
  const synthesizer = new CachedSynthesizer({ ...app, directory: directory.file('cdk.out') });
  shutdown.add(() => synthesizer.stop());
  return synthesizer;
}

/** Called before the synthesis, so that the watcher lists the files while another process synthesizes the stack. */
function watcherOf({ project, watched }: CdkApp, shutdown: Shutdown): SourceWatcher | undefined {
  if (!watched) return undefined;
  const watcher = new SourceWatcher(project, watched);
  shutdown.add(() => watcher.close());
  return watcher;
}

/** Lets a sign-in link contain only the path of the inbox, so that a forged link cannot lead to another host. */
function redirectToInbox(gateway: Gateway, inboxUrl: string): void {
  gateway.mount(new URL(inboxUrl).pathname, (_, response) => {
    response.writeHead(303, { Location: inboxUrl, 'Cache-Control': 'no-store' }).end();
  });
}

function streamActivities(
  gateway: Gateway,
  { directory, shutdown, clock }: Pick<EmulatorContext, 'directory' | 'shutdown' | 'clock'>,
): string {
  const stream = new ActivityStream(clock);
  const path = `${keptPath(directory, 'activities')}/activities`;
  gateway.mount(path, stream.serve);
  shutdown.add(() => stream.close());
  return path;
}
