import { randomBytes, randomUUID } from 'node:crypto';
import { addedHeaders } from './constants.ts';

export interface RequestIds {
  readonly requestId: string;
  readonly extendedRequestId: string;
  readonly traceId: string;
}

/**
 * Returns new IDs in API Gateway's formats.
 *
 * @param now milliseconds since 1970
 * @param chosenRequestId from the client. API Gateway's documentation states: "Clients can override this request ID"
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
 *   $context variables}
 */
export function newIds(now: number, chosenRequestId?: string): RequestIds {
  const seconds = Math.floor(now / 1000);
  const random = randomBytes(23);
  return {
    requestId: chosenRequestId || randomUUID(),
    extendedRequestId: `${random.toString('base64url', 0, 11)}=`,
    traceId: `Root=1-${seconds.toString(16)}-${random.toString('hex', 11)}`,
  };
}

/** API Gateway adds these header fields to every response. */
export function idHeaders({ requestId, extendedRequestId }: RequestIds): [string, string][] {
  return [
    [addedHeaders.requestId, requestId],
    [addedHeaders.extendedRequestId, extendedRequestId],
  ];
}
