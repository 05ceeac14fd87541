import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { segmentsOf } from '../contract/segments.ts';
import type { RequestContext } from '../domain/platform/request-context.ts';
import { headerOf } from './header.ts';
import { bytesOf } from './json-body.ts';

export interface Request<Body = unknown> {
  /** Identifies the request in the log and in the response. */
  readonly id: string;
  readonly context: RequestContext;
  // @extension waiting {
  /** How long until the function's timeout. */
  timeLeftMs(): number;
  // @extension waiting }
  readonly method: string;
  /** The name of the authenticated user; empty for a route without authentication. */
  readonly user: string;
  /** The path below the service's URL, as the client sent it. */
  readonly path: string;
  /** Without a trailing slash. Only a path if the event has no domain name. */
  readonly baseUrl: string;
  readonly body: Body;
  /** @throws Problem 413 if the body is too large */
  bytes(): Buffer;
  /** Empty if the route does not have the parameter. */
  parameter(name: string): string;
  /** If the parameter is repeated, the last value, as in API Gateway's events. */
  query(name: string): string | undefined;
  /** See `headerOf`. */
  header(name: string): string | undefined;
}

/**
 * A client can choose API Gateway's plain `requestId`, but not the extended one.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
 */
export function requestIdOf(
  { requestContext }: Pick<APIGatewayProxyEvent, 'requestContext'>,
  { awsRequestId }: Pick<Context, 'awsRequestId'>,
): string {
  return requestContext.extendedRequestId || awsRequestId;
}

export function requestOf<Body>(
  event: APIGatewayProxyEvent,
  body: Body,
  invocation: Context,
  signal: AbortSignal,
): Request<Body> {
  return {
    id: requestIdOf(event, invocation),
    context: { now: Date.now(), signal },
    timeLeftMs: () => invocation.getRemainingTimeInMillis(), // @extension waiting
    method: event.httpMethod,
    user: event.requestContext.authorizer?.principalId ?? '',
    path: event.path,
    baseUrl: baseUrlOf(event),
    body,
    bytes: () => bytesOf(event),
    parameter: (name) => event.pathParameters?.[name] ?? '',
    query: (name) => event.queryStringParameters?.[name],
    header: (name) => headerOf(event, name),
  };
}

/**
 * Includes the stage, or the base path of a custom domain. The URL comes from the request, because a stack's URL is
 * unknown until the stack is deployed. The domain name never comes from a header, because the client chooses the
 * headers. In tests and some emulators, events have no domain name; a path is then enough:
 * https://www.rfc-editor.org/rfc/rfc9110#section-10.2.2
 */
export function baseUrlOf(event: APIGatewayProxyEvent): string {
  const { domainName, path } = event.requestContext;
  const scheme = headerOf(event, 'X-Forwarded-Proto') === 'http' ? 'http' : 'https';
  const segments = segmentsOf(path);
  // A greedy path parameter can have any number of segments.
  const own = segmentsOf(event.resource.replace('{proxy+}', event.pathParameters?.proxy ?? '')).length - 1;
  const prefix = segments.slice(0, Math.max(0, segments.length - own)).join('/');
  if (domainName) return `${scheme}://${domainName}${prefix}`;
  // A client would read the text after two slashes as a host name, and browsers treat a backslash as a slash.
  return prefix.replace(/^[/\\]+/, '/');
}
