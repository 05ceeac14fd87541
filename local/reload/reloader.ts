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
  private running = false;

  constructor(options: ReloaderOptions) {
    this.options = options;
  }

  /** Records that a file has changed. */
  fileChanged(): void {
    this.changes += 1;
    if (this.running) return;
    this.running = true;
    this.options.onStart(this.run());
  }

  private async run(): Promise<void> {
    for (let reloaded = 0; reloaded !== this.changes; ) {
      const start = this.options.clock.now();
      await this.quiet();
      reloaded = this.changes;
      await this.reloadOnce(start);
    }
    this.running = false;
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
      report({ type: 'reload', changed, durationMs: this.options.clock.now() - start });
    } catch (error) {
      report({ type: 'reloadError', text: (error as Error).message });
    }
  }
}
