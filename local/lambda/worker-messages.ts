export interface Invocation {
  /** Unique in the worker. Each attempt to process an event gets a new ID. */
  readonly id: number;
  readonly requestId: string;
  /** JSON, which a thread parses faster than it receives a copy of an object. */
  readonly event: string;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** Sent when the worker has loaded the handler. */
export type Initialized = 'initialized';

/** `id` is the invocation's, or undefined outside an invocation. */
export interface LoggedLine {
  readonly id: number | undefined;
  readonly line: string;
}

export type InvocationResult =
  | { readonly id: number /** JSON. */; readonly result: string }
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
  /** The clock's `offset`. */
  readonly clockOffset: BigInt64Array | undefined;
}
