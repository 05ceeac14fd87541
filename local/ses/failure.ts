import { queryFailure } from '../endpoint/query-protocol.ts';
import type { AwsAnswer } from '../endpoint/response.ts';

/** The XML namespace of SES's messages. */
export const namespace = 'http://ses.amazonaws.com/doc/2010-12-01/';

/** Returns an error in the form that SES uses. */
export function mailFailure(status: number, code: string, message: string): AwsAnswer {
  return queryFailure(namespace, status, code, message);
}
