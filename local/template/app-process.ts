import { createRequire, registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface RunMessage {
  readonly environment: Readonly<Record<string, string>>;
}

export interface ResultMessage {
  /** Why the app failed, with the file and the line. Undefined if the app succeeded. */
  readonly error?: string;
}

/*
 * This process runs a CDK app repeatedly. Each run loads the app's modules again, but the packages stay loaded, so later runs take
 * a fraction of the first run's time.
 */
const [, , module = ''] = process.argv;
const project = pathToFileURL(join(process.cwd(), '/')).href;
let runs = 0;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const isOfApp = resolved.url.startsWith('file:') && !resolved.url.includes('/node_modules/');
    // The first run keeps the usual URLs, so that Node finds the compiled modules in its cache on disk.
    return isOfApp && runs > 1 ? { ...resolved, url: `${resolved.url.split('?')[0]}?run=${runs}` } : resolved;
  },
});

process.on('message', ({ environment }: RunMessage) => void run(environment));
// The parent process has died.
process.once('disconnect', () => process.exit());

async function run(environment: RunMessage['environment']): Promise<void> {
  runs += 1;
  // Otherwise, the app of a failed run would be synthesized at the end of this run.
  process.removeAllListeners('beforeExit');
  Object.assign(process.env, environment);
  try {
    if (runs > 1) clearAssetHashCache();
    await import(pathToFileURL(resolve(module)).href);
    await idle();
    process.send?.({} satisfies ResultMessage);
  } catch (error) {
    process.send?.({ error: textOf(error as Error) } satisfies ResultMessage);
  }
}

/** Makes the CDK read the assets again. Not called in the first run, so that the app itself can load the CDK. */
function clearAssetHashCache(): void {
  const { AssetStaging } = createRequire(join(process.cwd(), 'cdk.json'))('aws-cdk-lib');
  AssetStaging.clearAssetHashCache();
}

/** Waits until the app has finished all work. The CDK then synthesizes the app, unless the app itself has called `synth`. */
function idle(): Promise<void> {
  process.channel?.unref();
  return new Promise((done) => {
    process.once('beforeExit', () => {
      process.channel?.ref();
      done();
    });
  });
}

/** Returns the error's message and the app's lines of the stack trace, with paths relative to the project. */
function textOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => !/^ +at .*(node:|\/node_modules\/|<anonymous>|\/app-process\.ts)/.test(line))
    .join('\n')
    .replaceAll(project, '')
    .replaceAll(`?run=${runs}`, '')
    .trim();
}
