import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';

type Event = Pick<
  APIGatewayProxyEvent | APIGatewayRequestAuthorizerEvent,
  'headers' | 'multiValueHeaders' | 'httpMethod' | 'requestContext'
>;

/**
 * Returns true if the event has an `X-HTTP-Method-Override` header, or if its two method fields differ. Either is a sign that API
 * Gateway may have overridden the method that the client sent.
 *
 * A REST API of API Gateway obeys `X-HTTP-Method-Override`: "API Gateway overrides the method. So in order to pass the header
 * to the backend, the header needs to be added to the integration request." AWS does not document whether a proxy integration
 * or an authorizer sees the header, or which method each part of the event has. The client may therefore have overridden the
 * method even if this function returns false.
 *
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html Amazon API Gateway
 *   important notes}
 */
export function showsMethodOverride({
  headers,
  multiValueHeaders,
  httpMethod,
  requestContext,
}: Event): boolean {
  const names = [headers, multiValueHeaders].flatMap((fields) => Object.keys(fields ?? {}));
  return (
    names.some((name) => name.toLowerCase() === 'x-http-method-override') ||
    httpMethod !== requestContext.httpMethod
  );
}
