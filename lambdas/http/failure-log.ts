import type { APIGatewayProxyEvent } from 'aws-lambda';
import { described } from '../domain/platform/logging.ts';

/**
 * Logs a failure of the service itself, under the `X-Request-Id` of the response. Logs nothing that the client sent.
 */
export function logFailure(error: unknown, event: APIGatewayProxyEvent, requestId: string) {
  console.error({
    event: 'RequestFailed',
    request: requestId,
    method: event.httpMethod,
    route: event.resource,
    error: described(error),
  });
}
