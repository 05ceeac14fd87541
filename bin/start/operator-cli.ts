import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CommandResult } from '../cli/thread.ts';

/**
 * The operator CLI in a thread of this process, for the service with a data directory. A command changes the environment variables
 * of its thread only.
 */
export class OperatorCli {
  private readonly dataDirectory: string;
  private worker: Worker | undefined;

  constructor(dataDirectory: string) {
    this.dataDirectory = dataDirectory;
  }

  /** Starts to load the CLI, so that the next command starts sooner. */
  load(): void {
    this.worker ??= this.startThread();
  }

  /**
   * Runs a command. Then ends the thread, because it uses memory.
   *
   * @returns the JSON that the command prints
   * @throws Error if the command fails
   */
  async run(...parameters: readonly string[]): Promise<string> {
    const worker = this.worker ?? this.startThread();
    this.worker = undefined;
    worker.postMessage([...parameters, '--json']);
    const [{ code, output, errors }] = (await once(worker, 'message')) as [CommandResult];
    await worker.terminate();
    if (code !== 0) throw new Error(`The operator CLI failed: ${errors}`);
    return output;
  }

  private startThread(): Worker {
    return new Worker(new URL('../cli/thread.ts', import.meta.url), {
      env: { ...process.env, DATA_DIR: this.dataDirectory },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
  }
}
