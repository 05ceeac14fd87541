import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';

type Event = APIGatewayProxyEvent | APIGatewayRequestAuthorizerEvent;

/**
 * Ignores the case of the name, and joins repeated values with commas. A field that must not be repeated then becomes invalid,
 * instead of having another value for each reader.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-5.3 RFC 9110 section 5.3}
 */
export function headerOf({ headers, multiValueHeaders }: Event, name: string): string | undefined {
  // Some emulators send only `headers`.
  const values = [multiValueHeaders, headers].map((fields) => valuesOf(fields, name.toLowerCase()));
  return values.find(({ length }) => length > 0)?.join(', ');
}

function valuesOf(fields: Event['headers' | 'multiValueHeaders'], name: string): string[] {
  return Object.entries(fields ?? {}).flatMap(([field, values]) =>
    field.toLowerCase() === name ? (values ?? []) : [],
  );
}

/** In lower case, without parameters; empty if there is no header: https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1 */
export function mediaTypeOf(contentType: string | undefined): string {
  const [mediaType = ''] = (contentType ?? '').split(';');
  return mediaType.trim().toLowerCase();
}

/**
 * True if the method may have been overridden. False proves nothing, because AWS does not document how an override
 * changes the event.
 */
export function showsMethodOverride({ headers, multiValueHeaders, httpMethod, requestContext }: Event) {
  const names = [headers, multiValueHeaders].flatMap((fields) => Object.keys(fields ?? {}));
  return (
    names.some((name) => name.toLowerCase() === 'x-http-method-override') ||
    httpMethod !== requestContext.httpMethod
  );
}
