/**
 * The documented or observed behavior of API Gateway, for a regional REST API with Lambda proxy integrations. The local
 * gateway and the tests use these tables. Sources:
 *
 * - notes: {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html Amazon API
 *   Gateway important notes}, the column `lambda` of its table of headers
 * - types: {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 *   Gateway response types}
 * - LocalStack: `services/apigateway/next_gen/execute_api/` of localstack/localstack (`header_utils.py`,
 *   `gateway_response.py`), which its authors compare with AWS
 * - seen: responses of deployed APIs that users published
 */

/** `pass`: unchanged. `drop`: removed. `remap`: renamed to `x-amzn-Remapped-<name>`. */
type Treatment = 'pass' | 'drop' | 'remap';

interface HeaderTreatment {
  /** On the way from the client to the function. */
  readonly request: Treatment;
  /** On the way from the function to the client. */
  readonly response: Treatment;
}

/**
 * What API Gateway does to header fields, by their names in lower case. It passes all others unchanged. Source: notes.
 *
 * LocalStack remaps only Connection, Content-Length, Date and Server of a proxy integration's response. A function must
 * therefore not rely on either reading for the other fields.
 */
export const headerTreatments: Readonly<Record<string, HeaderTreatment>> = {
  authorization: { request: 'pass', response: 'remap' },
  connection: { request: 'drop', response: 'remap' },
  // Notes: "Passthrough (generated based on body)" in both directions. LocalStack: dropped, and remapped.
  'content-length': { request: 'drop', response: 'remap' },
  'content-md5': { request: 'drop', response: 'remap' },
  // Notes: API Gateway overwrites the values of the remapped Date and Server. The new values are not documented.
  date: { request: 'pass', response: 'remap' },
  expect: { request: 'drop', response: 'drop' },
  // Notes: overwritten by the host of the integration. Events of Lambda proxy integrations have the host of the API.
  host: { request: 'pass', response: 'drop' },
  'max-forwards': { request: 'drop', response: 'remap' },
  'proxy-authenticate': { request: 'drop', response: 'drop' },
  server: { request: 'drop', response: 'remap' },
  te: { request: 'drop', response: 'drop' },
  trailer: { request: 'drop', response: 'drop' },
  // Notes: "Exception" for the request. LocalStack: dropped, and chunked requests are served.
  'transfer-encoding': { request: 'drop', response: 'drop' },
  upgrade: { request: 'drop', response: 'drop' },
  'user-agent': { request: 'pass', response: 'remap' },
  via: { request: 'pass', response: 'drop' },
  'www-authenticate': { request: 'drop', response: 'remap' },
};

/** An Authorization header with a Signature Version 4 signature does not reach the function. Source: notes. */
export const sigV4Authorization = /^AWS4-/;

/**
 * The results of authorizers that the local gateway caches at once. A key holds a whole header value, at most 16 KiB, so the
 * keys take at most about 16 MiB. API Gateway documents only how long it caches a result, at most one hour.
 *
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/api/API_CreateAuthorizer.html CreateAuthorizer}
 */
export const maxCachedResults = 1_000;

/** The time that API Gateway waits for an integration. */
export const integrationTimeoutMs = 29_000;

/**
 * The header whose value API Gateway takes as the method of the request instead of the method that the client sent. Source:
 * notes. The header does not reach the integration unless the integration request maps it.
 *
 * Not documented: which methods may be overridden (here: each), whether lower-case values count (here: no), and whether an
 * authorizer sees the header (here: no, so that no test passes because it does).
 */
export const methodOverride = 'x-http-method-override';

/** The type of an integration's response that names none, whether or not it has a body. Source: notes. */
export const defaultContentType = 'application/json';

/**
 * The header fields that API Gateway adds to responses. Source: LocalStack, seen.
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
 * Only the values with the remark "seen" are certain. The others are those of LocalStack.
 */
export const gatewayErrors = {
  ACCESS_DENIED: { status: 403, errorType: 'AccessDeniedException' },
  // Seen: each error of an authorizer except `Unauthorized`, each policy that cannot be parsed, each throttled authorizer.
  AUTHORIZER_CONFIGURATION_ERROR: { status: 500, errorType: 'AuthorizerConfigurationException' },
  BAD_REQUEST_BODY: { status: 400, errorType: 'BadRequestException' },
  BAD_REQUEST_PARAMETERS: { status: 400, errorType: 'BadRequestException' },
  DEFAULT_4XX: { status: 400, errorType: 'BadRequestException' },
  // Seen: 502, for a function that failed or whose response is malformed.
  DEFAULT_5XX: { status: 500, errorType: 'InternalServerErrorException' },
  // Users report 500 for a function that Lambda throttles. LocalStack, without a comparison: IntegrationFailureException.
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
 * The largest event, as JSON, that Lambda accepts for a synchronous invocation. It refuses a larger one with 413. Users
 * report that API Gateway then responds 413 REQUEST_TOO_LARGE; AWS does not document it.
 *
 * @see {@link https://zaccharles.medium.com/deep-dive-lambdas-request-payload-size-limit-2-2-6350c1ae5577 a measurement}
 */
export const largestEventBytes = 6_291_456;

/** The types that a template cannot customize, with the message of API Gateway's own response. Source: notes, seen. */
export const fixedMessages: Partial<Readonly<Record<GatewayErrorType, string>>> = {
  REQUEST_TOO_LARGE: 'Request Too Long',
};
