import type { AwsResponse } from './response.ts';

export interface AwsCall {
  /** Who signed the call: the name of a function, `operator` or `administrator`. */
  readonly caller: string;
  /** The service's name in signatures, such as `dynamodb`. Version 2 of the SES API is `sesv2`. */
  readonly service: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Responds to each call to one AWS service. If the promise rejects, the endpoint responds with 503, which SDK clients retry. */
export type Emulator = (call: AwsCall) => Promise<AwsResponse>;
