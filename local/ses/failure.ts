import { queryFailure } from '../endpoint/query-protocol.ts';
import type { AwsResponse } from '../endpoint/response.ts';

/** The XML namespace of SES's messages. */
export const namespace = 'http://ses.amazonaws.com/doc/2010-12-01/';

/** Returns an error in the form that SES uses. */
export function mailFailure(status: number, code: string, message: string): AwsResponse {
  return queryFailure(namespace, status, code, message);
}
