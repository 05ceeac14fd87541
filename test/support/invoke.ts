import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { context, sampleEvent } from '../../tools/invocation.ts';

/** The Lambda request ID of each call of `invoke`. */
export const lambdaRequestId = '8a1d2f3e-5b6c-4d7e-8f90-a1b2c3d4e5f6';

export type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Calls the handler of a route with the route's sample event, to which it applies changes. */
export async function invoke(
  handler: Handler,
  name: string,
  {
    headers = {},
    remaining,
    ...changes
  }: Partial<Omit<APIGatewayProxyEvent, 'headers'>> & {
    headers?: Record<string, string>;
    /** The milliseconds until the timeout of the function, or a function that returns them. */
    remaining?: number | (() => number);
  } = {},
): Promise<APIGatewayProxyResult & { json: () => unknown }> {
  const event = sampleEvent(name);
  Object.assign(event, changes);
  if (changes.httpMethod && !changes.requestContext) event.requestContext.httpMethod = changes.httpMethod;
  for (const [field, value] of Object.entries(headers)) {
    event.headers[field] = value;
    event.multiValueHeaders[field] = [value];
  }
  const result = await handler(event, context(remaining, lambdaRequestId));
  return { ...result, json: () => JSON.parse(result.body) };
}
