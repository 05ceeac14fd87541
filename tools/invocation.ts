import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

export function sampleEvent<Event = APIGatewayProxyEvent>(name: string): Event {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../events', `${name}.json`), 'utf8'));
}

/**
 * Returns a context with only the two members that the handlers use.
 *
 * @param remaining the milliseconds until the timeout, or a function that returns them
 */
export function context(
  remaining: number | (() => number) = 10_000,
  awsRequestId: string = crypto.randomUUID(),
): Context {
  if (typeof remaining === 'function')
    return { getRemainingTimeInMillis: remaining, awsRequestId } as Context;
  const end = Date.now() + remaining;
  return { getRemainingTimeInMillis: () => Math.max(0, end - Date.now()), awsRequestId } as Context;
}
