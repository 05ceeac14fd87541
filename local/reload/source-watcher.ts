import { basename, join } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import type { Gateway } from '../gateway/server.ts';
import { systemClock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import type { Shutdown } from '../platform/shutdown.ts';
import { UserError } from '../platform/user-error.ts';
import type { RunningStack } from '../template/running-stack.ts';
import type { CachedSynthesizer } from '../template/synthesis-cache.ts';
import type { Template } from '../template/template.ts';
import { Reloader } from './reloader.ts';

interface Dependencies {
  readonly app: CachedSynthesizer;
  readonly stack: RunningStack;
  /** See `StackEmulators`. */
  readonly createData: (next: Template) => Promise<void>;
  readonly gateway: Pick<Gateway, 'hold'>;
  readonly shutdown: Shutdown;
}

/** Editors' temporary files, and macOS's `.DS_Store` files. Vim creates `4913` to check whether a folder is writable. */
const temporaryNames = /^(\.#.*|#.*#|.*~|.*___jb_(old|tmp)___|4913|.*\.(sw[a-z]|tmp|bak)|\.DS_Store)$/;

export function isIgnored(path: string): boolean {
  const name = basename(path);
  return name === 'node_modules' || temporaryNames.test(name);
}

export class SourceWatcher {
  private readonly watcher: FSWatcher;
  private hasChanged = false;

  constructor(project: string, watched: readonly string[]) {
    this.watcher = watch(
      watched.map((path) => join(project, path)),
      { ignoreInitial: true, ignored: (path) => isIgnored(path) },
    );
    this.watcher.on('all', () => {
      this.hasChanged = true;
    });
    this.watcher.on('error', (error) =>
      log(
        `A change to the code may have no effect until you restart the service: ${(error as Error).message}`,
      ),
    );
  }

  /** If a file has already changed, also calls the listener immediately. */
  onChange(listener: () => void): void {
    this.watcher.on('all', listener);
    if (this.hasChanged) listener();
  }

  close(): Promise<void> {
    return this.watcher.close();
  }
}

/**
 * While a reload runs, the gateway delays new requests, so that the next request after a change runs the new code.
 *
 * @returns a function that reloads the stack even without a change
 */
export function startReloading(
  watcher: SourceWatcher | undefined,
  { app, stack, createData, gateway, shutdown }: Dependencies,
): () => void {
  const reloader = new Reloader({
    reload: () => reload(app, stack, createData),
    onStart: (done) => gateway.hold(done),
    clock: systemClock,
  });
  shutdown.add(async () => {
    app.stop();
    await reloader.stop();
  });
  const reloadSoon = () => reloader.fileChanged();
  watcher?.onChange(reloadSoon);
  return reloadSoon;
}

async function reload(
  app: CachedSynthesizer,
  stack: RunningStack,
  createData: Dependencies['createData'],
): Promise<string[]> {
  const next = await app.synthesize();
  if (next.template.stackName !== stack.current.template.stackName)
    throw new UserError(
      `The stack is now ${next.template.stackName}. Restart the service with another DATA_DIR to run this stack.`,
    );
  await createData(next.template);
  return stack.replace(next);
}
