export interface GatewayAnswer {
  /** The response type of API Gateway. */
  readonly type: string;
  readonly status: number;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The responses that API Gateway generates itself, without a function, in the form of the service's own (RFC 9457).
 * API Gateway cannot customize 413 REQUEST_TOO_LARGE.
 */
export const gatewayAnswers: readonly GatewayAnswer[] = [
  {
    type: 'UNAUTHORIZED',
    status: 401,
    detail:
      'The credentials are missing or wrong, or the request has an X-HTTP-Method-Override header, which the service refuses.',
    headers: { 'WWW-Authenticate': 'Basic realm="dogs", charset="UTF-8", Bearer realm="dogs"' },
  },
  {
    type: 'ACCESS_DENIED',
    status: 403,
    detail: 'These credentials do not allow this request.',
  },
  {
    type: 'MISSING_AUTHENTICATION_TOKEN',
    status: 400,
    detail: 'The service does not know this method.',
  },
  {
    type: 'BAD_REQUEST_PARAMETERS',
    status: 400,
    detail: 'The request is not well formed.',
  },
  {
    type: 'BAD_REQUEST_BODY',
    status: 400,
    detail: 'The body is not well formed.',
  },
  {
    type: 'UNSUPPORTED_MEDIA_TYPE',
    status: 415,
    detail: 'The body must be JSON, with Content-Type: application/json.',
  },
  {
    type: 'THROTTLED',
    status: 429,
    detail: 'The service has more requests than it takes at once.',
    headers: { 'Retry-After': '1' },
  },
  {
    type: 'QUOTA_EXCEEDED',
    status: 429,
    detail: 'The quota is used up.',
    headers: { 'Retry-After': '3600' },
  },
  {
    type: 'WAF_FILTERED',
    status: 403,
    detail:
      'The firewall refuses this request. Its address sends too many requests, it looks like an attack, or it has an X-HTTP-Method-Override header.',
  },
  // The authorizer failed, timed out, was throttled or returned no policy. The sources disagree on the type for each case.
  ...['AUTHORIZER_CONFIGURATION_ERROR', 'AUTHORIZER_FAILURE'].map((type) => ({
    type,
    status: 503,
    detail: 'The service could not check the credentials. Nothing was done.',
    headers: { 'Retry-After': '1' },
  })),
  // Lambda throttled the function, or the integration failed in another way: API Gateway does not distinguish the two.
  {
    type: 'INTEGRATION_FAILURE',
    status: 503,
    detail: 'The service is overloaded or has failed. Whether the request took effect is not known.',
    headers: { 'Retry-After': '1' },
  },
  {
    type: 'INTEGRATION_TIMEOUT',
    status: 504,
    detail: 'The service did not answer in time. Whether the request took effect is not known.',
  },
];
