import type { APIGatewayProxyEvent } from 'aws-lambda';
import { described } from '../domain/platform/logging.ts';

/** Logs an error of the service with the `X-Request-Id` of the response. Does not log any client data. */
export function logFailure(error: unknown, event: APIGatewayProxyEvent, requestId: string) {
  console.error({
    event: 'RequestFailed',
    request: requestId,
    method: event.httpMethod,
    route: event.resource,
    error: described(error),
  });
}
