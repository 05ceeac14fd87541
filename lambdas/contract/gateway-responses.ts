export interface GatewayResponse {
  readonly type: string;
  readonly status: number;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** API Gateway generates the response only for routes with an authorizer. */
  readonly needsAuthorizer?: true;
}

/**
 * The responses that API Gateway itself generates, as problem documents (RFC 9457). REQUEST_TOO_LARGE (413) cannot be
 * customized.
 */
export const gatewayResponses: readonly GatewayResponse[] = [
  {
    // One text for all reasons, because API Gateway does not pass on the authorizer's. The most common reason is first.
    type: 'UNAUTHORIZED',
    status: 401,
    detail:
      'The user name or the password is wrong, the access token is invalid or expired, or the credentials are missing. Send valid credentials in a single Authorization header, and no X-HTTP-Method-Override header.',
    headers: { 'WWW-Authenticate': 'Basic realm="dogs", charset="UTF-8", Bearer realm="dogs"' },
    needsAuthorizer: true,
  },
  {
    type: 'ACCESS_DENIED',
    status: 403,
    detail:
      'These credentials do not allow this request. Use credentials that have permission for this request.',
    needsAuthorizer: true,
  },
  {
    type: 'MISSING_AUTHENTICATION_TOKEN',
    status: 400,
    detail: 'API Gateway does not support this method. Use a method that the path supports.',
  },
  {
    type: 'BAD_REQUEST_PARAMETERS',
    status: 400,
    detail: 'The request parameters are malformed. Check them against the description of the operation.',
  },
  {
    type: 'BAD_REQUEST_BODY',
    status: 400,
    detail: 'The request body is malformed. Check it against the description of the operation.',
  },
  {
    type: 'UNSUPPORTED_MEDIA_TYPE',
    status: 415,
    detail:
      'API Gateway cannot decode the request body. Send the body without Content-Encoding, or compress it with gzip or deflate.',
  },
  {
    type: 'THROTTLED',
    status: 429,
    detail:
      'The service is receiving too many requests. Wait for the number of seconds in Retry-After, then send the request again.',
    headers: { 'Retry-After': '1' },
  },
  {
    type: 'QUOTA_EXCEEDED',
    status: 429,
    detail:
      'The request quota is exhausted. Wait for the number of seconds in Retry-After, then send the request again.',
    headers: { 'Retry-After': '3600' },
  },
  {
    type: 'WAF_FILTERED',
    status: 403,
    detail:
      'The firewall blocked the request, for one of these reasons: too many requests came from your IP address, the request looks like an attack, or it has an X-HTTP-Method-Override header. Send fewer requests, and do not send this header.',
  },
  // When the authorizer fails, times out, is throttled or returns no policy, sources disagree on which of these types
  // applies. Both therefore get the same response.
  ...['AUTHORIZER_CONFIGURATION_ERROR', 'AUTHORIZER_FAILURE'].map((type) => ({
    type,
    status: 503,
    detail:
      'The service could not check the credentials. The request had no effect. Wait for the number of seconds in Retry-After, then send it again.',
    headers: { 'Retry-After': '1' },
    needsAuthorizer: true as const,
  })),
  // For example, the function was throttled. A function that failed or died gets the default response with status 502.
  {
    type: 'INTEGRATION_FAILURE',
    status: 503,
    detail:
      'The service is overloaded or has failed. The request may have taken effect. Wait for the number of seconds in Retry-After. Before you send the request again, check whether it took effect.',
    headers: { 'Retry-After': '1' },
  },
  {
    type: 'INTEGRATION_TIMEOUT',
    status: 504,
    detail:
      'The service did not respond in time. The request may have taken effect. Before you send it again, check whether it took effect.',
  },
];
