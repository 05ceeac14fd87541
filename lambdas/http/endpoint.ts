import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type * as v from 'valibot';
import { corsHeaders } from '../contract/cors.ts';
import { Unavailable } from '../domain/platform/errors.ts';
import { described } from '../domain/platform/logging.ts';
import { isNotModified } from './conditional.ts';
import { showsMethodOverride } from './header.ts';
import { type BodyRules, jsonBody, validate } from './json-body.ts';
import { Problem, problemDocument, problemOf } from './problem.ts';
import { baseUrlOf, type Request, requestIdOf, requestOf } from './request.ts';

export interface Response {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or text whose Content-Type is in `headers`. */
  readonly body?: object | string;
  /** `since` is in Unix seconds. By default, Last-Modified decides. */
  readonly isUnchangedSince?: (since: number) => boolean | Promise<boolean>;
}

/** A function responds with 503 this long before its timeout. */
const responseReserveMs = 2_000;

export type ErrorResponse = typeof problemResponse;

export function endpoint(
  route: (request: Request) => Promise<Response>,
  errorResponse: ErrorResponse = problemResponse,
) {
  return api(errorResponse).handler(async (event, context, { signal }) => {
    const request = requestOf(event, undefined, context, signal);
    return render(await conditional(request, await route(request)), event, request.id);
  });
}

/**
 * For requests other than GET and HEAD, the route evaluates the preconditions before it acts. A representation with an entity tag
 * may be stored by its client, which must revalidate it before each use, unless the route states another rule.
 */
async function conditional(request: Request, response: Response): Promise<Response> {
  const { status, headers: own = {}, isUnchangedSince } = response;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // RFC 9110 section 13.2.1: a precondition applies only if the response without it would be successful.
  if (!isRead || status !== 200) return response;
  const headers: NonNullable<Response['headers']> = {
    ...(own.ETag !== undefined && { 'Cache-Control': 'private, no-cache' }),
    ...own,
  };
  // The 304 response keeps all header fields, because API Gateway would otherwise add a Content-Type, which clients would store.
  return (await isNotModified(request, headers, isUnchangedSince))
    ? { status: 304, headers }
    : { ...response, headers };
}

export function endpointWithBody<Schema extends v.GenericSchema>(
  rules: BodyRules<Schema>,
  route: (request: Request<v.InferOutput<Schema>>) => Promise<Response>,
) {
  return endpointWithParser(rules, (document) => validate(rules.schema, document), route);
}

/** @param parse throws a Problem if the document is invalid */
export function endpointWithParser<Body>(
  rules: Omit<BodyRules, 'schema'>,
  parse: (document: unknown) => Body,
  route: (request: Request<Body>) => Promise<Response>,
) {
  return api(problemResponse)
    .use(jsonBody(rules))
    .handler(async (event, context, { signal }) => {
      const body = parse(event.body ?? rules.empty ?? null);
      const request = requestOf(event, body, context, signal);
      return render(await route(request), event, request.id);
    });
}

function api(errorResponse: ErrorResponse) {
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
    timeoutEarlyInMillis: responseReserveMs,
    timeoutEarlyResponse: () => {
      throw new Unavailable(
        'The service did not respond in time. The request may have taken effect. Before you send it again, check whether it took effect.',
      );
    },
  })
    .onError((request) => {
      const { error, event, context } = request;
      const requestId = requestIdOf(event, context);
      const response = errorResponse(error, { requestId, baseUrl: baseUrlOf(event) });
      if (response.status >= 500) logFailure(error, event, requestId);
      request.response = render(response, event, requestId);
    })
    .before(({ event }) => {
      if (showsMethodOverride(event))
        throw new Problem(
          'method-overridden',
          'The request has an X-HTTP-Method-Override header. Remove the header, and send the request with the intended method.',
        );
    });
}

/** Logs the route instead of the path, which can contain an unsubscribe token. */
function logFailure(error: unknown, { httpMethod, resource }: APIGatewayProxyEvent, requestId: string) {
  console.error({
    event: 'RequestFailed',
    request: requestId,
    method: httpMethod,
    route: resource,
    error: described(error),
  });
}

function problemResponse(error: unknown, request: Parameters<typeof problemDocument>[1]): Response {
  const problem = problemOf(error);
  const headers = { 'Content-Type': 'application/problem+json', ...problem.headers };
  return { status: problem.status, headers, body: problemDocument(problem, request) };
}

function render(
  { status, headers, body }: Response,
  { httpMethod }: APIGatewayProxyEvent,
  requestId: string,
): APIGatewayProxyResult {
  return {
    statusCode: status,
    headers: {
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
      ...corsHeaders(process.env.CORS_ORIGIN),
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: httpMethod === 'HEAD' ? '' : textOf(body),
  };
}

/** A JSON document ends with a newline, so that a terminal shows its prompt on a new line. */
function textOf(body: Response['body'] = ''): string {
  return typeof body === 'string' ? body : `${JSON.stringify(body)}\n`;
}
