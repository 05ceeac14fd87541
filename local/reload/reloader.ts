import { type Activity, report } from '../platform/activity.ts';
import type { Clock } from '../platform/clock.ts';

/** How long the reloader waits for further changes, because an editor can write several files in succession. */
export const quietMs = 50;

type Result = Extract<Activity, { type: 'reload' | 'reloadError' }>;

interface ReloaderOptions {
  /** Returns the names of the changed resources. Rejects if the changed code cannot run. */
  readonly reload: () => Promise<readonly string[]>;
  /** @param done resolves when the last of the consecutive reloads has succeeded or failed */
  readonly onStart: (done: Promise<void>) => void;
  readonly clock: Clock;
}

/** Runs one reload at a time. Changes in quick succession cause one reload; a change during a reload causes another. */
export class Reloader {
  private readonly options: ReloaderOptions;
  private changes = 0;
  /** Undefined if no reload is pending. */
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(options: ReloaderOptions) {
    this.options = options;
  }

  fileChanged(): void {
    this.changes += 1;
    if (this.running || this.stopped) return;
    this.running = this.run();
    this.options.onStart(this.running);
  }

  /** Waits for the reload in progress, without reporting its result. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    for (let reloaded = 0; reloaded !== this.changes; ) {
      const start = this.options.clock.now();
      await this.quiet();
      if (this.stopped) break;
      reloaded = this.changes;
      const result = await this.reloadOnce(start);
      if (!this.stopped) report(result);
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

  private async reloadOnce(start: number): Promise<Result> {
    try {
      const changed = await this.options.reload();
      return { type: 'reload', changed, durationMs: this.options.clock.now() - start };
    } catch (error) {
      return { type: 'reloadError', text: (error as Error).message };
    }
  }
}
