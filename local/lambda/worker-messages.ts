export interface Invocation {
  /** An ID that is unique in the worker. Each attempt to process an event has a new ID. */
  readonly id: number;
  readonly requestId: string;
  /** The event as JSON. A thread parses JSON faster than it receives a copy of an object. */
  readonly event: string;
  /** The time at which the invocation times out, in milliseconds since 1970. */
  readonly deadline: number;
}

/** The first message from a worker, which means that the worker has loaded the handler. */
export type Initialized = 'initialized';

/** A line for the log. `id` is that of the invocation. Undefined during initialization. */
export interface LoggedLine {
  readonly id: number | undefined;
  readonly line: string;
}

export type InvocationResult =
  | { readonly id: number /** The result as JSON. */; readonly result: string }
  | { readonly id: number; readonly errorType: string; readonly message: string };

export interface WorkerSettings {
  readonly name: string;
  readonly arn: string;
  readonly directory: string;
  /** `<module>.<export>`, as in the template. */
  readonly handler: string;
  readonly memoryMegabytes: number;
}

export interface WorkerData extends WorkerSettings {
  /** The `offset` of the clock. */
  readonly clockOffset: BigInt64Array | undefined;
}
