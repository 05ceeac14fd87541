import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';

/**
 * Returns a header from the single-value headers of an event, regardless of the case of its name. If the event has the header
 * more than once, returns the last value, as API Gateway does.
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
