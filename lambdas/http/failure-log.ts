import type { APIGatewayProxyEvent } from 'aws-lambda';
import { described } from '../domain/platform/logging.ts';
import { requestIdOf } from './request.ts';

/**
 * Logs a failure of the service itself, under the `X-Request-Id` of the response. Logs nothing that the client sent.
 */
export function logFailure(error: unknown, event: APIGatewayProxyEvent) {
  console.error({
    event: 'RequestFailed',
    request: requestIdOf(event),
    method: event.httpMethod,
    route: event.resource,
    error: described(error),
  });
}
