import { report } from '../platform/activity.ts';
import type { Clock } from '../platform/clock.ts';

/** The time without a change after which a reload starts, because an editor can write several files. */
export const quietMs = 50;

interface ReloaderOptions {
  /** Reloads all changes. Returns the names of the resources that changed. */
  readonly reload: () => Promise<readonly string[]>;
  /** Receives a promise that resolves when the service runs the changes, or when a reload has failed. */
  readonly onStart: (done: Promise<void>) => void;
  readonly clock: Clock;
}

/**
 * Reloads after changes of files: once for changes that follow each other quickly, and one reload at a time. A change during
 * a reload causes another one.
 */
export class Reloader {
  private readonly options: ReloaderOptions;
  private changes = 0;
  /** Resolves at the end of the reloads. Undefined if there is no change. */
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(options: ReloaderOptions) {
    this.options = options;
  }

  /** Records that a file has changed. */
  fileChanged(): void {
    this.changes += 1;
    if (this.running || this.stopped) return;
    this.running = this.run();
    this.options.onStart(this.running);
  }

  /** Starts no other reload, and waits for the one in progress. Does not report its result. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    for (let reloaded = 0; reloaded !== this.changes; ) {
      const start = this.options.clock.now();
      await this.quiet();
      reloaded = this.changes;
      if (!this.stopped) await this.reloadOnce(start);
    }
    this.running = undefined;
  }

  private async quiet(): Promise<void> {
    for (let seen = 0; seen !== this.changes; ) {
      seen = this.changes;
      const { clock } = this.options;
      await new Promise<void>((wake) => clock.wakeAt(clock.now() + quietMs, wake));
    }
  }

  private async reloadOnce(start: number): Promise<void> {
    try {
      const changed = await this.options.reload();
      if (!this.stopped) report({ type: 'reload', changed, durationMs: this.options.clock.now() - start });
    } catch (error) {
      if (!this.stopped) report({ type: 'reloadError', text: (error as Error).message });
    }
  }
}
