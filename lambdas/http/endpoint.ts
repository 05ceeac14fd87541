import middy, { type MiddlewareObj } from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type * as v from 'valibot';
import { corsHeaders } from '../contract/cors.ts';
import { Unavailable } from '../domain/platform/errors.ts';
import { logFailure } from './failure-log.ts';
import { type BodyRules, bodyGuard, validate } from './json-body.ts';
import { showsMethodOverride } from './method-override.ts';
import { Problem, problemDocument, problemOf } from './problem.ts';
import { type Request, requestIdOf, requestOf } from './request.ts';

/** An answer as the routes give it. */
export interface Response {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON document, or text whose type the headers tell. */
  readonly body?: object | string;
}

/** How long before the function times out a request ends with 503, so that the response still reaches the client. */
const reserveMs = 2_000;

/** The answer to what went wrong. */
export type FailureAnswer = (error: unknown, requestId: string) => Response;

/** Makes a function's handler from a route that reads no body, or reads it itself. */
export function endpoint(
  route: (request: Request) => Promise<Response>,
  failureAnswer: FailureAnswer = problemAnswer,
) {
  return api(failureAnswer).handler(async (event, context, { signal }) => {
    const request = requestOf(event, undefined, { now: Date.now(), signal });
    return render(await route(request), event, requestIdOf(event, context));
  });
}

/** Makes a function's handler from a route that reads a JSON document. */
export function endpointWithBody<Schema extends v.GenericSchema>(
  rules: BodyRules<Schema>,
  route: (request: Request<v.InferOutput<Schema>>) => Promise<Response>,
) {
  return api(problemAnswer)
    .use(bodyGuard(rules))
    .use(jsonBodyParser({ disableContentTypeCheck: true }))
    .handler(async (event, context, { signal }) => {
      const body = validate(rules.schema, event.body);
      const request = requestOf(event as APIGatewayProxyEvent, body, { now: Date.now(), signal });
      return render(await route(request), event as APIGatewayProxyEvent, requestIdOf(event, context));
    });
}

function api(failureAnswer: FailureAnswer) {
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
    timeoutEarlyInMillis: reserveMs,
    timeoutEarlyResponse: () => {
      throw new Unavailable(
        'The service did not finish in time. Whether the request took effect is not known.',
      );
    },
  })
    .use(failures(failureAnswer))
    .use(noMethodOverride);
}

/** Refuses a request whose method the client may have overridden by a header. */
const noMethodOverride: MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> = {
  before: ({ event }) => {
    if (showsMethodOverride(event))
      throw new Problem(
        400,
        'The request has an X-HTTP-Method-Override header. Remove the header, and use the method itself.',
      );
  },
};

/** Answers what went wrong, and logs what is the service's own fault. */
function failures(failureAnswer: FailureAnswer): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    onError: (request) => {
      const { error, event, context } = request;
      const requestId = requestIdOf(event, context);
      const answer = failureAnswer(error, requestId);
      if (answer.status >= 500) logFailure(error, event, requestId);
      request.response = render(answer, event, requestId);
    },
  };
}

/** A failure as RFC 9457 has it. */
function problemAnswer(error: unknown, requestId: string): Response {
  const problem = problemOf(error);
  const headers = { 'Content-Type': 'application/problem+json', ...problem.headers };
  return { status: problem.status, headers, body: problemDocument(problem, requestId) };
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

function textOf(body: Response['body'] = ''): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}
