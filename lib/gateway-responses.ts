import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { corsHeaders } from '../lambdas/cors.ts';

/** What API Gateway answers by itself, without any function, in the manners of the service (RFC 9457). */
const answers: readonly {
  readonly type: ResponseType;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
}[] = [
  {
    type: ResponseType.UNAUTHORIZED,
    status: 401,
    title: 'Unauthorized',
    detail: 'The request bears no credentials, or they are wrong.',
    headers: { 'WWW-Authenticate': 'Basic realm="dogs", charset="UTF-8", Bearer realm="dogs"' },
  },
  {
    type: ResponseType.ACCESS_DENIED,
    status: 403,
    title: 'Forbidden',
    detail: 'These credentials do not allow this request.',
  },
  {
    type: ResponseType.MISSING_AUTHENTICATION_TOKEN,
    status: 400,
    title: 'Bad Request',
    detail: 'The service does not know this method.',
  },
  {
    type: ResponseType.BAD_REQUEST_PARAMETERS,
    status: 400,
    title: 'Bad Request',
    detail: 'The request is not well formed.',
  },
  {
    type: ResponseType.BAD_REQUEST_BODY,
    status: 400,
    title: 'Bad Request',
    detail: 'The body is not well formed.',
  },
  {
    type: ResponseType.REQUEST_TOO_LARGE,
    status: 413,
    title: 'Content Too Large',
    detail: 'The body has more than 65536 bytes.',
  },
  {
    type: ResponseType.UNSUPPORTED_MEDIA_TYPE,
    status: 415,
    title: 'Unsupported Media Type',
    detail: 'The body must be JSON, with Content-Type: application/json.',
  },
  {
    type: ResponseType.THROTTLED,
    status: 429,
    title: 'Too Many Requests',
    detail: 'The service has more requests than it takes at once.',
    headers: { 'Retry-After': '1' },
  },
  {
    type: ResponseType.QUOTA_EXCEEDED,
    status: 429,
    title: 'Too Many Requests',
    detail: 'The quota is used up.',
    headers: { 'Retry-After': '3600' },
  },
  {
    type: ResponseType.WAF_FILTERED,
    status: 403,
    title: 'Forbidden',
    detail: 'The firewall refuses this request: too many came from its address, or it looks like an attack.',
  },
  {
    type: ResponseType.AUTHORIZER_FAILURE,
    status: 503,
    title: 'Service Unavailable',
    detail: 'The credentials could not be checked.',
    headers: { 'Retry-After': '1' },
  },
  {
    type: ResponseType.INTEGRATION_FAILURE,
    status: 502,
    title: 'Bad Gateway',
    detail: 'The service failed. Whether the request took effect is not known.',
  },
  {
    type: ResponseType.INTEGRATION_TIMEOUT,
    status: 504,
    title: 'Gateway Timeout',
    detail: 'The service did not answer in time. Whether the request took effect is not known.',
  },
];

/**
 * Puts each answer into the API; what is none of them keeps its status and says that it is unforeseen.
 *
 * @param corsOrigin whose pages may read the answers; empty for none
 */
export function addGatewayResponses(api: RestApi, corsOrigin: string): void {
  const cors = corsHeaders(corsOrigin);
  for (const { type, status, title, detail, headers } of answers)
    add(api, type, { title, status, detail }, { ...cors, ...headers }, String(status));
  add(
    api,
    ResponseType.DEFAULT_4XX,
    { title: 'Request Refused', detail: 'The request cannot be served.' },
    cors,
  );
  add(
    api,
    ResponseType.DEFAULT_5XX,
    {
      title: 'Internal Server Error',
      detail: 'The service failed. Whether the request took effect is not known.',
    },
    cors,
  );
}

function add(
  api: RestApi,
  type: ResponseType,
  problem: object,
  headers: Readonly<Record<string, string>> = {},
  statusCode?: string,
): void {
  const fields = {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  };
  api.addGatewayResponse(type.responseType, {
    type,
    ...(statusCode && { statusCode }),
    responseHeaders: {
      ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, `'${value}'`])),
      'X-Request-Id': 'context.requestId',
    },
    templates: {
      'application/json': JSON.stringify({
        type: 'about:blank',
        ...problem,
        instance: 'urn:uuid:$context.requestId',
      }),
    },
  });
}
