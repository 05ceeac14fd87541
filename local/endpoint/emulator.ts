import type { AwsResponse } from './response.ts';

/** A call to an AWS service from a function, the operator or the administrator. */
export interface AwsCall {
  /** The owner of the access key that signed the call: the name of a function, `operator` or `administrator`. */
  readonly caller: string;
  /** The name of the service in signatures: `dynamodb`, `ses`, … Version 2 of the SES API is named `sesv2`. */
  readonly service: string;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** The header values, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * The interface that all emulators implement. An emulator responds to each call to one AWS service, or forwards the call to
 * another implementation of the service. If the returned promise rejects, the endpoint responds with 503, and an SDK
 * client can repeat the call.
 */
export type Emulator = (call: AwsCall) => Promise<AwsResponse>;
