import type { APIGatewayProxyEvent } from 'aws-lambda';

/**
 * Logs what was the service's own fault, under the request id that the client was told: Lambda's own is another. Nothing
 * that the client sent is logged; an error's message may quote an address, its other fields may hold a whole item.
 */
export function logFailure(error: unknown, { requestContext, httpMethod, resource }: APIGatewayProxyEvent) {
  const { requestId: request } = requestContext;
  console.error({ event: 'RequestFailed', request, method: httpMethod, route: resource, error: told(error) });
}

function told(error: unknown): object {
  const { name, message, stack, cause } = error instanceof Error ? error : new Error(String(error));
  return {
    errorType: name,
    errorMessage: withoutAddresses(message),
    stackTrace: withoutAddresses(stack ?? '').split('\n'),
    ...(cause !== undefined && { cause: told(cause) }),
  };
}

function withoutAddresses(text: string): string {
  return text.replace(/[^\s<>,;:"/]+@[^\s<>,;:"/]+/g, '(an address)');
}
