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
