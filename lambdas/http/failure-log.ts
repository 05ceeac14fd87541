import type { APIGatewayProxyEvent } from 'aws-lambda';
import { described } from '../domain/platform/logging.ts';

/**
 * Logs the error that caused a 5xx response, with the `X-Request-Id` of the response. From the event, logs only the method and
 * the route of the request. The route has the names of the path parameters in place of their values.
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
