import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { report } from '../platform/activity.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { FunctionError } from './errors.ts';
import { LogFile } from './log-file.ts';
import { logLine, type Report, reportLine } from './log-format.ts';
import type {
  Initialized,
  Invocation,
  InvocationResult,
  LoggedLine,
  WorkerData,
  WorkerSettings,
} from './worker-messages.ts';

export interface FunctionDefinition extends WorkerSettings {
  readonly timeoutSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
}

/**
 * AWS does not document how long Lambda keeps an idle environment. This timeout exceeds the default time for which the API caches
 * an authorizer's result, so that the authorizer's thread does not end while a user is active.
 */
const idleTimeoutMs = 120_000;

/** A larger young generation needs more memory under load. With 12 MB, the service serves 10% fewer GET requests per second. */
const youngGenerationMegabytes = 20;

interface Pending {
  readonly complete: (result: InvocationResult) => void;
  /** API Gateway's extended request ID. Undefined if the event does not come from API Gateway. */
  readonly apiRequestId: string | undefined;
}

interface Environment {
  readonly worker: Worker;
  readonly pending: Map<number, Pending>;
  /** A retired environment accepts no new invocations, and ends after its pending ones. */
  retired: boolean;
  idleTimer: NodeJS.Timeout | undefined;
}

/**
 * Runs a function in a worker thread with its own modules and environment variables. Unlike a Lambda execution environment, the
 * thread runs several invocations at a time. After the thread exits or an invocation times out, new invocations use a new thread.
 */
export class LocalFunction {
  /** Only `update` changes it. */
  definition: FunctionDefinition;
  private environment: Environment | undefined;
  private invocations = 0;
  private readonly clock: Clock;
  private readonly log: LogFile;

  constructor(definition: FunctionDefinition, clock = systemClock) {
    this.definition = definition;
    this.clock = clock;
    this.log = new LogFile(definition.logFile);
  }

  /**
   * @param event the function receives a copy
   * @param requestId the same for all attempts to process an asynchronous event
   */
  async invoke(event: unknown, requestId: string = randomUUID()): Promise<unknown> {
    this.environment ??= this.start();
    const environment = this.environment;
    clearTimeout(environment.idleTimer);
    const started = performance.now();
    const result = await this.run(environment, event, requestId);
    environment.pending.delete(result.id);
    if (environment.pending.size === 0)
      if (environment.retired) void environment.worker.terminate();
      else environment.idleTimer = setTimeout(() => this.end(environment), idleTimeoutMs).unref();
    this.report(requestId, result, performance.now() - started);
    if ('result' in result) return JSON.parse(result.result);
    throw new FunctionError(result.errorType, result.message);
  }

  /**
   * New invocations run in a new thread, and the previous thread ends after its pending invocations. Does nothing if the
   * definition is the same.
   *
   * @param definition with the same name and log file
   */
  update(definition: FunctionDefinition): void {
    if (isDeepStrictEqual(definition, this.definition)) return;
    this.definition = definition;
    const { environment } = this;
    if (environment) this.end(environment);
  }

  async stop(): Promise<void> {
    await this.environment?.worker.terminate();
    this.log.close();
  }

  private run(environment: Environment, event: unknown, requestId: string): Promise<InvocationResult> {
    const { name, timeoutSeconds } = this.definition;
    const timeoutMs = timeoutSeconds * 1000;
    this.invocations += 1;
    const id = this.invocations;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.retire(environment);
        const message = `${name}: Task timed out after ${timeoutSeconds} seconds`;
        this.logError([message], environment.pending.get(id));
        resolve({ id, errorType: 'Sandbox.Timedout', message });
      }, timeoutMs);
      const complete = (result: InvocationResult) => {
        clearTimeout(timer);
        resolve(result);
      };
      const { requestContext } = (event ?? {}) as Partial<APIGatewayProxyEvent>;
      environment.pending.set(id, { complete, apiRequestId: requestContext?.extendedRequestId });
      const deadline = Date.now() + timeoutMs;
      const message: Invocation = { id, requestId, event: JSON.stringify(event ?? null), deadline };
      environment.worker.postMessage(message);
    });
  }

  private start(): Environment {
    const { name, arn, directory, handler, memoryMegabytes, environment: env } = this.definition;
    const started = performance.now();
    const worker = new Worker(new URL(`./worker${extname(import.meta.filename)}`, import.meta.url), {
      name,
      env: { ...env, ...compileCache() },
      argv: [],
      execArgv: ['--disable-warning=ExperimentalWarning'],
      workerData: {
        name,
        arn,
        directory,
        handler,
        memoryMegabytes,
        clockOffset: this.clock.offset,
      } satisfies WorkerData,
      resourceLimits: {
        maxOldGenerationSizeMb: memoryMegabytes,
        maxYoungGenerationSizeMb: youngGenerationMegabytes,
      },
      stdout: true,
      stderr: true,
    });
    const environment: Environment = { worker, pending: new Map(), retired: false, idleTimer: undefined };
    for (const output of [worker.stdout, worker.stderr])
      output.setEncoding('utf8').on('data', (text: string) => this.writeLog(text));
    let isLoaded = false;
    worker.on('message', (message: Initialized | InvocationResult | LoggedLine) => {
      if (message === 'initialized') {
        isLoaded = true;
        report({ type: 'coldStart', functionName: name, durationMs: performance.now() - started });
      } else if ('line' in message)
        this.writeLog(`${message.line}\n`, environment.pending.get(message.id ?? 0));
      else environment.pending.get(message.id)?.complete(message);
    });
    let crash: Error | undefined;
    worker.on('error', (error) => {
      crash = error;
    });
    worker.on('exit', () => {
      this.retire(environment);
      const [first] = environment.pending.values();
      const what = isLoaded ? 'has ended' : 'cannot be loaded';
      if (crash) this.logError([`${name} ${what}:`, crash], first);
      else if (first) this.logError([`${name} ${what}.`], first);
      for (const [id, { complete }] of environment.pending)
        complete({ id, errorType: 'Runtime.ExitError', message: `${name}: Runtime exited` });
    });
    worker.unref();
    return environment;
  }

  private report(requestId: string, result: InvocationResult, milliseconds: number): void {
    const durationMs = Math.round(milliseconds * 100) / 100;
    const metrics = { durationMs, memorySizeMB: this.definition.memoryMegabytes };
    this.log.append(`${reportLine({ requestId, ...statusOf(result), metrics }, this.clock.now())}\n`);
  }

  private logError(values: readonly unknown[], invocation?: Pending): void {
    this.writeLog(`${logLine('ERROR', values, this.clock.now())}\n`, invocation);
  }

  /** @param invocation undefined if the text does not belong to a pending invocation */
  private writeLog(text: string, invocation?: Pending): void {
    this.log.append(text);
    const { apiRequestId: requestId } = invocation ?? {};
    report({ type: 'log', functionName: this.definition.name, requestId, text: text.trimEnd() });
  }

  /** Ends an environment after its pending invocations. */
  private end(environment: Environment): void {
    this.retire(environment);
    if (environment.pending.size === 0) void environment.worker.terminate();
  }

  private retire(environment: Environment): void {
    environment.retired = true;
    if (this.environment === environment) this.environment = undefined;
  }
}

function statusOf(result: InvocationResult): Pick<Report, 'errorType' | 'status'> {
  if ('result' in result) return { status: 'success' };
  const { errorType } = result;
  if (errorType === 'Sandbox.Timedout') return { status: 'timeout' };
  return { status: errorType === 'Runtime.ExitError' ? 'failure' : 'error', errorType };
}

/**
 * Makes a thread use this process's compile cache, if any. The thread then starts in half the time and needs half the memory,
 * because it does not load the module that removes types.
 */
function compileCache(): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}
