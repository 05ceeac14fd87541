/** The message to a worker that starts an invocation. */
export interface Invocation {
  /** Unique in the worker, even for another attempt of the same event. */
  readonly id: number;
  readonly requestId: string;
  readonly event: unknown;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** The first message of a worker: it has loaded the handler. */
export type Initialized = 'initialized';

/** The message of a worker that ends an invocation. */
export type InvocationResult =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly errorType: string; readonly message: string };

/** The settings with which a worker starts. */
export interface WorkerSettings {
  readonly name: string;
  readonly arn: string;
  /** The folder of the bundle. */
  readonly directory: string;
  /** `<module>.<export>`, as in the template. */
  readonly handler: string;
  readonly memoryMegabytes: number;
}
