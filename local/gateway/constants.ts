/**
 * The documented or observed behavior of API Gateway, for a regional REST API with Lambda proxy integrations. The local
 * gateway and the tests use these tables. Sources:
 *
 * - notes: {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html Amazon API
 *   Gateway important notes}. From the table of headers, only the column `lambda`
 * - types: {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 *   Gateway response types}
 * - LocalStack: `services/apigateway/next_gen/execute_api/` of localstack/localstack (`header_utils.py`,
 *   `gateway_response.py`). LocalStack's authors compare the behavior of this code with AWS
 * - seen: published examples of responses from deployed APIs
 */

/** `pass` keeps the field unchanged, `drop` removes it, and `remap` renames it to `x-amzn-Remapped-<name>`. */
type Treatment = 'pass' | 'drop' | 'remap';

interface HeaderTreatment {
  /** The treatment on the way from the client to the function. */
  readonly request: Treatment;
  /** The treatment on the way from the function to the client. */
  readonly response: Treatment;
}

/**
 * How API Gateway treats header fields, by their names in lower case. It passes all other fields unchanged. Source: notes.
 *
 * In the response of a proxy integration, LocalStack remaps only Connection, Content-Length, Date and Server. For the other
 * fields, the sources disagree, so a function must not rely on either behavior.
 */
export const headerTreatments: Readonly<Record<string, HeaderTreatment>> = {
  authorization: { request: 'pass', response: 'remap' },
  connection: { request: 'drop', response: 'remap' },
  // Notes: "Passthrough (generated based on body)" in both directions. LocalStack drops the field in requests
  // and remaps it in responses.
  'content-length': { request: 'drop', response: 'remap' },
  'content-md5': { request: 'drop', response: 'remap' },
  // Notes: API Gateway overwrites the values of the remapped Date and Server. AWS does not document the new values.
  date: { request: 'pass', response: 'remap' },
  expect: { request: 'drop', response: 'drop' },
  // Notes: the host of the integration overwrites the value. Events of Lambda proxy integrations contain the API's host.
  host: { request: 'pass', response: 'drop' },
  'max-forwards': { request: 'drop', response: 'remap' },
  'proxy-authenticate': { request: 'drop', response: 'drop' },
  server: { request: 'drop', response: 'remap' },
  te: { request: 'drop', response: 'drop' },
  trailer: { request: 'drop', response: 'drop' },
  // Notes: "Exception" for the request. LocalStack drops the field and serves chunked requests.
  'transfer-encoding': { request: 'drop', response: 'drop' },
  upgrade: { request: 'drop', response: 'drop' },
  'user-agent': { request: 'pass', response: 'remap' },
  via: { request: 'pass', response: 'drop' },
  'www-authenticate': { request: 'drop', response: 'remap' },
};

/** Matches an Authorization header with an AWS Signature Version 4, which does not reach the function. Source: notes. */
export const sigV4Authorization = /^AWS4-/;

/**
 * The maximum number of authorizer results in the cache of the local gateway. A key contains a whole header value of at
 * most 16 KiB, so the keys take at most about 16 MiB. AWS documents only how long API Gateway caches a result: at most one
 * hour.
 *
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/api/API_CreateAuthorizer.html CreateAuthorizer}
 */
export const maxCachedResults = 1_000;

/**
 * How long API Gateway waits for an integration. It also has a timeout for an authorizer, whose length AWS does not document. The
 * local gateway uses the same length.
 *
 * @see {@link https://dev.to/marcogrcr/api-gateway-lambda-authorizer-lambda-proxy-integration-failure-modes-52bc failure modes}
 */
export const integrationTimeoutMs = 29_000;

/**
 * The header that overrides the method of a request. It does not reach the integration unless the integration request maps
 * it. Source: notes.
 *
 * AWS does not document the details. The local gateway behaves as follows:
 *
 * - The header overrides every method.
 * - An empty value has no effect.
 * - Values are case-sensitive. `delete` is an unknown method.
 * - Authorizers do not receive the header. An authorizer that depends on it therefore fails in tests.
 */
export const methodOverride = 'x-http-method-override';

/** The Content-Type of a response whose integration sets none, whether or not the response has a body. Source: notes. */
export const defaultContentType = 'application/json';

/**
 * The header fields that API Gateway adds to responses. Sources: LocalStack, seen.
 *
 * - `always`: to each response
 * - `integration`: to the response of an integration
 * - `gateway`: to a response that API Gateway generates itself, even if the template customizes that response
 */
export const addedHeaders = {
  always: { requestId: 'x-amzn-RequestId', extendedRequestId: 'x-amz-apigw-id' },
  integration: { traceId: 'X-Amzn-Trace-Id' },
  gateway: { errorType: 'x-amzn-ErrorType' },
} as const;

/**
 * The responses that API Gateway generates itself: the usual status (source: types) and the value of `x-amzn-ErrorType`.
 * The values that are marked "Seen" are certain. All others are from LocalStack.
 */
export const gatewayErrors = {
  ACCESS_DENIED: { status: 403, errorType: 'AccessDeniedException' },
  // Seen if an authorizer throws any error except `Unauthorized`, returns a policy that cannot be parsed, or is throttled.
  AUTHORIZER_CONFIGURATION_ERROR: { status: 500, errorType: 'AuthorizerConfigurationException' },
  BAD_REQUEST_BODY: { status: 400, errorType: 'BadRequestException' },
  BAD_REQUEST_PARAMETERS: { status: 400, errorType: 'BadRequestException' },
  DEFAULT_4XX: { status: 400, errorType: 'BadRequestException' },
  // Seen with status 502 if a function failed or returned a malformed response.
  DEFAULT_5XX: { status: 500, errorType: 'InternalServerErrorException' },
  // If Lambda throttles a function, the status is 500. For the error type, LocalStack uses IntegrationFailureException, but its
  // authors have not compared this value with AWS.
  INTEGRATION_FAILURE: { status: 504, errorType: 'InternalServerErrorException' },
  INTEGRATION_TIMEOUT: { status: 504, errorType: 'InternalServerErrorException' },
  // Seen.
  MISSING_AUTHENTICATION_TOKEN: { status: 403, errorType: 'MissingAuthenticationTokenException' },
  REQUEST_TOO_LARGE: { status: 413, errorType: 'RequestTooLargeException' },
  UNAUTHORIZED: { status: 401, errorType: 'UnauthorizedException' },
} as const;

export type GatewayErrorType = keyof typeof gatewayErrors;

/**
 * The largest body that API Gateway accepts.
 *
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 *   Quotas of REST APIs}
 */
export const largestBodyBytes = 10 * 1024 * 1024;

/**
 * The size of the largest JSON event that Lambda accepts for a synchronous invocation. Lambda refuses a larger event with
 * 413. Users report that API Gateway then responds with 413 REQUEST_TOO_LARGE. AWS does not document this.
 *
 * @see {@link https://zaccharles.medium.com/deep-dive-lambdas-request-payload-size-limit-2-2-6350c1ae5577 a measurement}
 */
export const largestEventBytes = 6_291_456;

/** The gateway responses that a template cannot customize, with their messages. Sources: notes, seen. */
export const fixedMessages: Partial<Readonly<Record<GatewayErrorType, string>>> = {
  REQUEST_TOO_LARGE: 'Request Too Long',
};
