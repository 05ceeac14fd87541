import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CommandCall, CommandResult } from '../cli/thread.ts';

/** Runs the operator CLI in a thread, so that a command changes only that thread's environment variables. */
export class OperatorCli {
  private readonly dataDirectory: string;
  private worker: Worker | undefined;

  constructor(dataDirectory: string) {
    this.dataDirectory = dataDirectory;
  }

  /** Loads the CLI in advance, so that the next command starts sooner. */
  load(): void {
    this.thread();
  }

  /**
   * Must not be called while another command runs.
   *
   * @param input the standard input of the command
   * @returns the JSON that the command prints
   * @throws Error if the command fails
   */
  async run(parameters: readonly string[], input = ''): Promise<string> {
    const worker = this.thread();
    worker.postMessage({ parameters: [...parameters, '--json'], input } satisfies CommandCall);
    const [{ code, output, errors }] = (await once(worker, 'message')) as [CommandResult];
    if (code !== 0) throw new Error(`The operator CLI failed: ${errors}`);
    return output;
  }

  /** Ends the thread. The next command starts another one. */
  async stop(): Promise<void> {
    await this.worker?.terminate();
    this.worker = undefined;
  }

  private thread(): Worker {
    this.worker ??= new Worker(new URL('../cli/thread.ts', import.meta.url), {
      // DOGS_STACK could name another service.
      env: { ...process.env, DATA_DIR: this.dataDirectory, DOGS_STACK: '' },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    return this.worker;
  }
}
