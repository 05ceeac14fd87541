import type { AwsResponse } from './response.ts';

/** A call of an AWS service by a function or by the operator. */
export interface AwsCall {
  /** The owner of the access key that signed the call: the name of a function, `operator` or `administrator`. */
  readonly caller: string;
  /** The service, as signatures name it: `dynamodb`, `ses`, … */
  readonly service: string;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * The shared interface of the emulators: responds to each call of one AWS service, or forwards it to an implementation of
 * the service. If it rejects, the endpoint responds with 503, and the SDK repeats the call.
 */
export type Emulator = (call: AwsCall) => Promise<AwsResponse>;
