import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';

/**
 * Returns the value of a header from the single-value headers of an event, regardless of the case of the header's name. If the
 * event has several headers whose names differ only in case, returns the value of the last one. If a client repeats a header, API Gateway also keeps only the
 * last value.
 *
 * @returns the value of the header, or undefined if the event does not have the header
 */
export function headerOf(
  { headers }: Pick<APIGatewayProxyEvent | APIGatewayRequestAuthorizerEvent, 'headers'>,
  name: string,
): string | undefined {
  const [, value] =
    Object.entries(headers ?? {}).findLast(([field]) => field.toLowerCase() === name.toLowerCase()) ?? [];
  return value;
}

/**
 * Returns the media type of a Content-Type header in lower case, without its parameters.
 *
 * @param contentType the value of the header, if the request has it
 * @returns the media type, or an empty string if the request does not have the header
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1 RFC 9110 section 8.3.1}
 */
export function mediaTypeOf(contentType: string | undefined): string {
  const [mediaType = ''] = (contentType ?? '').split(';');
  return mediaType.trim().toLowerCase();
}

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
