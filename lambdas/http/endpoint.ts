import middy, { type MiddlewareObj } from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as v from 'valibot';
import { corsHeaders } from '../contract/cors.ts';
import { Unavailable } from '../domain/platform/errors.ts';
import { described } from '../domain/platform/logging.ts';
import { isNotModified } from './conditional.ts';
import { showsMethodOverride } from './header.ts';
import { type BodyRules, bodyGuard, validate } from './json-body.ts';
import { Problem, problemDocument, problemOf } from './problem.ts';
import { baseUrlOf, type Request, requestIdOf, requestOf } from './request.ts';

/** The response of a route. */
export interface Response {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON document, or a text. If it is a text, `headers` must contain its Content-Type. */
  readonly body?: object | string;
  /**
   * Returns true if the representation has not changed since a time in Unix seconds. By default, the time is compared with
   * Last-Modified.
   */
  readonly isUnchangedSince?: (since: number) => boolean | Promise<boolean>;
}

/** The time before the timeout of a function at which the function responds with 503, in milliseconds. */
const responseReserveMs = 2_000;

/** The parts of a request that an error response can contain. */
interface FailedRequest {
  readonly requestId: string;
  /** The URL of the service, without a trailing slash. */
  readonly baseUrl: string;
}

/** Returns the response for an error. */
export type ErrorResponse = (error: unknown, request: FailedRequest) => Response;

/**
 * Returns the Lambda handler of a route whose requests have no body, or that parses the request body itself.
 *
 * @param errorResponse creates the response for an error; by default, a problem document
 */
export function endpoint(
  route: (request: Request) => Promise<Response>,
  errorResponse: ErrorResponse = problemResponse,
) {
  return api(errorResponse).handler(async (event, context, { signal }) => {
    const request = requestOf(event, undefined, { now: Date.now(), signal }, timeLeftIn(context));
    return render(await conditional(request, await route(request)), event, requestIdOf(event, context));
  });
}

/**
 * Evaluates the preconditions of a GET or HEAD against the validators in its response. The preconditions of any other request
 * must be evaluated by its route, before the effect of the request.
 *
 * @returns the response, or a 304 if the client already has the representation
 * @throws any error of `isNotModified`
 */
async function conditional(request: Request, response: Response): Promise<Response> {
  const { status, headers = {}, isUnchangedSince } = response;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // RFC 9110 section 13.2.1: a precondition has no effect if the response is not a success without it.
  if (!isRead || status !== 200 || !(await isNotModified(request, headers, isUnchangedSince)))
    return response;
  // The 304 has all header fields, because API Gateway would add its own Content-Type, and a client stores the fields.
  return { status: 304, headers };
}

/** Returns the Lambda handler of a route whose request body is a JSON document. */
export function endpointWithBody<Schema extends v.GenericSchema>(
  rules: BodyRules<Schema>,
  route: (request: Request<v.InferOutput<Schema>>) => Promise<Response>,
) {
  return api(problemResponse)
    .use(bodyGuard(rules))
    .use(jsonBodyParser({ disableContentTypeCheck: true }))
    .handler(async (event, context, { signal }) => {
      const body = validate(rules.schema, event.body);
      const requestContext = { now: Date.now(), signal };
      const request = requestOf(event as APIGatewayProxyEvent, body, requestContext, timeLeftIn(context));
      return render(await route(request), event as APIGatewayProxyEvent, requestIdOf(event, context));
    });
}

/** Returns the function that returns the time until `api` responds with 503, in milliseconds. */
function timeLeftIn(invocation: Context): () => number {
  return () => invocation.getRemainingTimeInMillis() - responseReserveMs;
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
    .use(errorHandler(errorResponse))
    .use(noMethodOverride);
}

/** Rejects a request if the client may have overridden its method with a header. */
const noMethodOverride: MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> = {
  before: ({ event }) => {
    if (showsMethodOverride(event))
      throw new Problem(
        'method-overridden',
        'The request has an X-HTTP-Method-Override header. Remove the header, and send the request with the intended method.',
      );
  },
};

/** Renders the response for an error, and logs the error if the response is a 5xx. */
function errorHandler(
  errorResponse: ErrorResponse,
): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    onError: (request) => {
      const { error, event, context } = request;
      const requestId = requestIdOf(event, context);
      const response = errorResponse(error, { requestId, baseUrl: baseUrlOf(event) });
      if (response.status >= 500) logFailure(error, event, requestId);
      request.response = render(response, event, requestId);
    },
  };
}

/**
 * Logs the error that caused a 5xx response. From the event, logs only the method and the route, in which the names of the path
 * parameters replace their values.
 */
function logFailure(error: unknown, { httpMethod, resource }: APIGatewayProxyEvent, requestId: string) {
  console.error({
    event: 'RequestFailed',
    request: requestId,
    method: httpMethod,
    route: resource,
    error: described(error),
  });
}

/** Returns the response for an error as a problem document. */
function problemResponse(error: unknown, request: FailedRequest): Response {
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

/** Returns the text of a body. A JSON document ends with a newline, so that a terminal shows its prompt on a new line. */
function textOf(body: Response['body'] = ''): string {
  return typeof body === 'string' ? body : `${JSON.stringify(body)}\n`;
}
