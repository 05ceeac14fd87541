import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { RequestContext } from '../domain/platform/request-context.ts';
import { headerOf } from './header.ts';
import { bytesOf } from './json-body.ts';

/** An HTTP request, independent of the event format of API Gateway. */
export interface Request<Body = unknown> {
  readonly context: RequestContext;
  /** Returns the time after which the service responds with 503, in milliseconds. */
  timeLeftMs(): number;
  readonly method: string;
  /** The name of the authenticated user; empty for a route without authentication. */
  readonly user: string;
  /** The path below the service's URL, as the client sent it. */
  readonly path: string;
  /**
   * The URL of the service as the client knows it, without a trailing slash. If the event has no domain name, this is a path and
   * not a full URL.
   */
  readonly baseUrl: string;
  readonly body: Body;
  /**
   * Returns the bytes of the body.
   *
   * @throws Problem 413 if the body is too large
   */
  bytes(): Buffer;
  /** Returns the value of a path parameter; empty if the route does not have the parameter. */
  parameter(name: string): string;
  /** Returns the value of a query parameter; the last value if it is repeated, undefined if it is absent. */
  query(name: string): string | undefined;
  /**
   * Returns the value of a header, regardless of the case of the header's name; undefined if the header is absent. Joins the
   * values of a repeated header with commas.
   */
  header(name: string): string | undefined;
}

/**
 * Returns the extended request ID of API Gateway, because a client can choose the plain `requestId` but not the extended one. If
 * the event has no extended request ID, returns the Lambda request ID.
 *
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
 *   Variables for access logging}
 */
export function requestIdOf(
  { requestContext }: Pick<APIGatewayProxyEvent, 'requestContext'>,
  { awsRequestId }: Pick<Context, 'awsRequestId'>,
): string {
  return requestContext.extendedRequestId || awsRequestId;
}

/** Returns the request that an API Gateway event contains. */
export function requestOf<Body>(
  event: APIGatewayProxyEvent,
  body: Body,
  context: RequestContext,
  timeLeftMs: () => number,
): Request<Body> {
  const lines = Object.entries(event.multiValueHeaders ?? {}).flatMap(([name, values = []]) =>
    values.map((value) => ({ name: name.toLowerCase(), value })),
  );
  const headers = Map.groupBy(lines, ({ name }) => name);
  const header = (name: string) =>
    headers
      .get(name.toLowerCase())
      ?.map(({ value }) => value)
      .join(', ');
  const baseUrl = baseUrlOf(event);
  return {
    context: { ...context, baseUrl },
    timeLeftMs,
    method: event.httpMethod,
    user: event.requestContext.authorizer?.principalId ?? '',
    path: event.path,
    baseUrl,
    body,
    bytes: () => bytesOf(event),
    parameter: (name) => event.pathParameters?.[name] ?? '',
    query: (name) => event.queryStringParameters?.[name],
    header,
  };
}

/**
 * Returns the URL that the client called, without the path of the resource. The URL comes from the request, because a stack does
 * not know its own URL before it is deployed. The result includes the stage or the base path of a custom domain.
 *
 * The events of tests and of some emulators of API Gateway have no domain name. For such an event, the function returns only a
 * path. A client resolves a relative Location against the URL that it called, so the path is enough. The function does not take
 * the domain name from a header, because the client chooses the headers.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-10.2.2 RFC 9110 section 10.2.2}
 */
export function baseUrlOf(event: APIGatewayProxyEvent): string {
  const { requestContext } = event;
  const scheme = headerOf(event, 'X-Forwarded-Proto') === 'http' ? 'http' : 'https';
  const segments = segmentsOf(requestContext.path);
  const prefix = segments.slice(0, Math.max(0, segments.length - ownSegments(event))).join('/');
  if (requestContext.domainName) return `${scheme}://${requestContext.domainName}${prefix}`;
  // A client would interpret the text after two slashes as a host name. Browsers treat a backslash as a slash.
  return prefix.replace(/^[/\\]+/, '/');
}

/** Returns the number of path segments that belong to the resource. A greedy path parameter can have any number of segments. */
function ownSegments({ resource, pathParameters }: APIGatewayProxyEvent): number {
  return segmentsOf(resource.replace('{proxy+}', pathParameters?.proxy ?? '')).length - 1;
}

function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/');
}
