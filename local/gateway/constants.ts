/**
 * The documented or observed behavior of API Gateway, for a regional REST API with Lambda proxy integrations. Sources:
 *
 * - notes: {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html Amazon API
 *   Gateway important notes}. From the table of headers, only the column `lambda`
 * - types: {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 *   Gateway response types}
 * - quotas: {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 *   Quotas of REST APIs}
 * - LocalStack: `services/apigateway/next_gen/execute_api/` of localstack/localstack. Its authors compare this code with AWS
 * - seen: published examples of responses from deployed APIs
 */

/**
 * The header fields, in lower case, that do not reach the function. Sources: notes, and LocalStack for Content-Length and
 * Transfer-Encoding.
 */
export const droppedFromRequests = new Set(
  `connection content-length content-md5 expect max-forwards proxy-authenticate server te trailer transfer-encoding
  upgrade www-authenticate`.split(/\s+/),
);

/** The header fields, in lower case, that do not reach the client. Source: notes. */
export const droppedFromResponses = new Set(
  'expect host proxy-authenticate te trailer transfer-encoding upgrade via'.split(' '),
);

/**
 * The header fields, in lower case, that reach the client as `x-amzn-Remapped-<name>`. Source: notes. LocalStack remaps only
 * Connection, Content-Length, Date and Server, so a function must not rely on the treatment of the other fields.
 */
export const remappedInResponses = new Set(
  `authorization connection content-length content-md5 date max-forwards server user-agent
  www-authenticate`.split(/\s+/),
);

/** An Authorization header with an AWS Signature Version 4 does not reach the function. Source: notes. */
export const sigV4Authorization = /^AWS4-/;

/**
 * Source: quotas. AWS does not document an authorizer's timeout, so the local gateway uses this one for authorizers, too.
 *
 * @see {@link https://dev.to/marcogrcr/api-gateway-lambda-authorizer-lambda-proxy-integration-failure-modes-52bc failure modes}
 */
export const integrationTimeoutMs = 29_000;

/**
 * The header that overrides a request's method. Source: notes. AWS does not document the details. In the local gateway, the
 * header overrides every method, an empty value has no effect, values are case-sensitive, and neither the authorizer nor the
 * function receives the header.
 */
export const methodOverride = 'x-http-method-override';

/** The Content-Type of a response whose integration sets none, even without a body. Source: notes. */
export const defaultContentType = 'application/json';

/** The header fields that API Gateway adds to responses. Sources: LocalStack, seen. */
export const addedHeaders = {
  requestId: 'x-amzn-RequestId',
  extendedRequestId: 'x-amz-apigw-id',
  traceId: 'X-Amzn-Trace-Id',
} as const;

/**
 * The responses that API Gateway generates itself: the usual status (source: types), the value of `x-amzn-ErrorType`, and the
 * message if the template defines no response. The error types marked "Seen" are certain; all others are from LocalStack. The
 * messages are those that users report, because AWS does not document them.
 *
 * @see {@link https://loige.co/debugging-custom-apigateway-authorizers/ a report of the message null}
 */
export const gatewayErrors = {
  ACCESS_DENIED: error(403, 'AccessDenied', 'User is not authorized to access this resource'),
  // Seen if an authorizer throws any error except `Unauthorized`, returns a policy that cannot be parsed, or is throttled.
  AUTHORIZER_CONFIGURATION_ERROR: error(500, 'AuthorizerConfiguration', null),
  BAD_REQUEST_BODY: error(400, 'BadRequest', 'Invalid request body'),
  BAD_REQUEST_PARAMETERS: error(400, 'BadRequest', 'Bad Request'),
  DEFAULT_4XX: error(400, 'BadRequest', 'Bad Request'),
  // Seen with status 502 if a function failed or returned a malformed response.
  DEFAULT_5XX: error(500, 'InternalServerError', 'Internal server error'),
  // If Lambda throttles a function, the status is 500. For the error type, LocalStack uses IntegrationFailureException, but its
  // authors have not compared this value with AWS.
  INTEGRATION_FAILURE: error(504, 'InternalServerError', 'Internal server error'),
  INTEGRATION_TIMEOUT: error(504, 'InternalServerError', 'Endpoint request timed out'),
  // Seen.
  MISSING_AUTHENTICATION_TOKEN: error(403, 'MissingAuthenticationToken', 'Missing Authentication Token'),
  REQUEST_TOO_LARGE: error(413, 'RequestTooLarge', 'Request Too Long'),
  UNAUTHORIZED: error(401, 'Unauthorized', 'Unauthorized'),
  UNSUPPORTED_MEDIA_TYPE: error(415, 'BadRequest', 'Unsupported Media Type'),
};

function error(status: number, name: string, message: string | null) {
  return { status, errorType: `${name}Exception`, message };
}

export type GatewayErrorType = keyof typeof gatewayErrors;

export const largestBodyBytes = 10 * 1024 * 1024;

/** The limit of all header values together. Source: quotas. */
export const largestHeaderBytes = 10_240;

/**
 * The largest JSON event that Lambda accepts for a synchronous invocation. Users report that API Gateway responds to a larger one
 * with 413 REQUEST_TOO_LARGE. AWS does not document this response.
 *
 * @see {@link https://zaccharles.medium.com/deep-dive-lambdas-request-payload-size-limit-2-2-6350c1ae5577 a measurement}
 */
export const largestEventBytes = 6_291_456;
