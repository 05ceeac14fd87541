import { randomUUID } from 'node:crypto';
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { log } from '../platform/log.ts';
import { asObject, logLine, type Report, reportLine } from './log-format.ts';

/** A function as the template has it. */
export interface FunctionDefinition {
  readonly name: string;
  readonly arn: string;
  /** The folder of its bundle. */
  readonly directory: string;
  /** `module.export`, as in the template. */
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
}

/** What a function threw, or that it did not end in time. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
  /** The name of the error that was thrown, as Lambda tells it. */
  readonly errorType: string;

  constructor(errorType: string, message: string) {
    super(message);
    this.errorType = errorType;
  }
}

/**
 * Lambda throttled the invocation (429): the function did not run.
 *
 * @see {@link https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_Errors Invoke}
 */
export class TooManyRequestsException extends Error {
  override readonly name = 'TooManyRequestsException';

  constructor() {
    super('Rate Exceeded.');
  }
}

/** The account's quota of concurrent executions, which all its functions share. */
export class ConcurrencyLimit {
  private readonly limit: number;
  private running = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /**
   * Runs an invocation.
   *
   * @throws TooManyRequestsException if as many run already as the account may run at once
   */
  async run<Result>(invocation: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.limit) throw new TooManyRequestsException();
    this.running += 1;
    try {
      return await invocation();
    } finally {
      this.running -= 1;
    }
  }
}

/** What the worker is asked, and what it answers. */
export interface Invocation {
  /** Tells it from all others of this environment, even from another delivery of the same request. */
  readonly id: number;
  readonly requestId: string;
  readonly event: unknown;
  /** In milliseconds since 1970. */
  readonly deadline: number;
}
export type InvocationResult =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly errorType: string; readonly message: string };

interface Environment {
  readonly worker: Worker;
  readonly pending: Map<number, (completion: InvocationResult) => void>;
  retired: boolean;
}

/**
 * A function in an execution environment of its own: a thread with its own modules and its own `process.env`, which
 * holds the template's variables and nothing else of this process. Where Lambda would start more environments, this one
 * takes several invocations at once. A thread that dies, and one in which an invocation ran out of time, is replaced.
 */
export class LocalFunction {
  readonly definition: FunctionDefinition;
  private environment: Environment | undefined;
  private invocations = 0;
  /** The file of its log; undefined once it has ended. */
  private log: number | undefined;

  constructor(definition: FunctionDefinition) {
    this.definition = definition;
    this.log = openSync(definition.logFile, 'a', 0o600);
  }

  /**
   * @param event the input, which is copied
   * @param requestId the same for each try of an event that is delivered more than once
   * @throws FunctionError
   */
  async invoke(event: unknown, requestId: string = randomUUID()): Promise<unknown> {
    const { name, timeoutSeconds } = this.definition;
    this.environment ??= this.start();
    const environment = this.environment;
    const started = performance.now();
    const timeout = timeoutSeconds * 1000;
    this.invocations += 1;
    const id = this.invocations;
    const completion = await new Promise<InvocationResult>((resolve) => {
      const timer = setTimeout(() => {
        this.retire(environment);
        resolve({
          id,
          errorType: 'Sandbox.Timedout',
          message: `${name}: Task timed out after ${timeoutSeconds} seconds`,
        });
      }, timeout);
      environment.pending.set(id, (completed) => {
        clearTimeout(timer);
        resolve(completed);
      });
      environment.worker.postMessage({
        id,
        requestId,
        event,
        deadline: Date.now() + timeout,
      } satisfies Invocation);
    });
    environment.pending.delete(id);
    if (environment.retired && environment.pending.size === 0) void environment.worker.terminate();
    this.report(requestId, completion, performance.now() - started);
    if ('result' in completion) return completion.result;
    throw new FunctionError(completion.errorType, completion.message);
  }

  async stop(): Promise<void> {
    await this.environment?.worker.terminate();
    if (this.log !== undefined) closeSync(this.log);
    this.log = undefined;
  }

  private start(): Environment {
    const { name, arn, directory, handler, memoryMegabytes, environment: env } = this.definition;
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      name,
      env: { ...env },
      argv: [],
      execArgv: ['--disable-warning=ExperimentalWarning'],
      workerData: { name, arn, directory, handler, memoryMegabytes },
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
      stdout: true,
      stderr: true,
    });
    const environment: Environment = { worker, pending: new Map(), retired: false };
    for (const output of [worker.stdout, worker.stderr]) output.on('data', (lines) => this.write(lines));
    worker.on('message', (completion: InvocationResult) =>
      environment.pending.get(completion.id)?.(completion),
    );
    worker.on('error', (error) => this.write(`${logLine('ERROR', [asObject(error)])}\n`));
    worker.on('exit', () => {
      this.retire(environment);
      for (const [id, complete] of environment.pending)
        complete({ id, errorType: 'Runtime.ExitError', message: `${name}: Runtime exited` });
    });
    worker.unref();
    return environment;
  }

  private report(requestId: string, completion: InvocationResult, milliseconds: number): void {
    const durationMs = Math.round(milliseconds * 100) / 100;
    const metrics = { durationMs, memorySizeMB: this.definition.memoryMegabytes };
    this.write(`${reportLine({ requestId, ...outcomeOf(completion), metrics })}\n`);
  }

  /** Writes at once: to have it done meanwhile takes several times as long. */
  private write(lines: string | Uint8Array): void {
    if (this.log === undefined) return;
    try {
      appendFileSync(this.log, lines);
    } catch (error) {
      log(`The log of ${this.definition.name} cannot be written: ${(error as Error).message}`);
    }
  }

  /** Lets what is under way in an environment end, but gives it nothing new. */
  private retire(environment: Environment): void {
    environment.retired = true;
    if (this.environment === environment) this.environment = undefined;
  }
}

function outcomeOf(completion: InvocationResult): Pick<Report, 'errorType' | 'status'> {
  if ('result' in completion) return { status: 'success' };
  const { errorType } = completion;
  if (errorType === 'Sandbox.Timedout') return { status: 'timeout' };
  return { status: errorType === 'Runtime.ExitError' ? 'failure' : 'error', errorType };
}
