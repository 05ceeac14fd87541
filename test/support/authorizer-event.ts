import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { sampleEvent } from '../../tools/invocation.ts';

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** The event of a request that has only these header fields. @param fields null as in the events of API Gateway's console */
export function authorizerEvent(fields: Fields | null): APIGatewayRequestAuthorizerEvent {
  const lines = fields && Object.entries(fields).map(([name, values]) => [name, [values].flat()] as const);
  return {
    ...sampleEvent<APIGatewayRequestAuthorizerEvent>('Authorizer'),
    headers: lines && Object.fromEntries(lines.map(([name, values]) => [name, values.at(-1)])),
    multiValueHeaders: lines && Object.fromEntries(lines),
  };
}
