import type { APIGatewayProxyEvent } from 'aws-lambda';
import { described } from '../domain/logged.ts';

/**
 * Logs what was the service's own fault, under the request id that the client was told: Lambda's own is another. Nothing
 * that the client sent is logged.
 */
export function logFailure(error: unknown, { requestContext, httpMethod, resource }: APIGatewayProxyEvent) {
  const { requestId: request } = requestContext;
  console.error({
    event: 'RequestFailed',
    request,
    method: httpMethod,
    route: resource,
    error: described(error),
  });
}
