import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';

type Event = APIGatewayProxyEvent | APIGatewayRequestAuthorizerEvent;

/** Ignores the case of the name. Of several values, the last one counts, as in API Gateway's events. */
export function headerOf({ headers }: Event, name: string): string | undefined {
  const fields = Object.entries(headers ?? {});
  return fields.findLast(([field]) => field.toLowerCase() === name.toLowerCase())?.[1];
}

/** In lower case, without parameters; empty if there is no header: https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1 */
export function mediaTypeOf(contentType: string | undefined): string {
  const [mediaType = ''] = (contentType ?? '').split(';');
  return mediaType.trim().toLowerCase();
}

/**
 * True if the method may have been overridden. False proves nothing, because AWS does not document how an override
 * changes the event; see docs/adr/0003-refuse-method-override.md.
 */
export function showsMethodOverride({ headers, multiValueHeaders, httpMethod, requestContext }: Event) {
  const names = [headers, multiValueHeaders].flatMap((fields) => Object.keys(fields ?? {}));
  return (
    names.some((name) => name.toLowerCase() === 'x-http-method-override') ||
    httpMethod !== requestContext.httpMethod
  );
}
