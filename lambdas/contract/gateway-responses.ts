import { wafFiltered } from './firewall.ts'; // @extension firewall

export interface GatewayResponse {
  readonly type: string;
  readonly status: number;
  readonly detail: string;
  /** For the API description: who refuses the request, and how. Required with the status 403, which has several causes. */
  readonly cause?: string;
  /** The title of the response in the API description, if the type makes none. */
  readonly summary?: string;
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
    cause: 'the credentials do not allow',
    detail:
      'These credentials do not allow this request. Use credentials that have permission for this request.',
    needsAuthorizer: true,
  },
  {
    type: 'MISSING_AUTHENTICATION_TOKEN',
    status: 400,
    summary: 'Unsupported method',
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
  wafFiltered, // @extension firewall
  // When the authorizer fails, times out, is throttled or returns no policy, sources disagree on which of these types
  // applies. Both therefore get the same response.
  ...['AUTHORIZER_CONFIGURATION_ERROR', 'AUTHORIZER_FAILURE'].map((type) => ({
    type,
    status: 503,
    summary: 'Credentials not checked',
    detail:
      'The service could not check the credentials. The request had no effect. Wait for the number of seconds in Retry-After, then send it again.',
    headers: { 'Retry-After': '1' },
    needsAuthorizer: true as const,
  })),
  // For example, the function was throttled. A function that failed or died gets the default response with status 502.
  {
    type: 'INTEGRATION_FAILURE',
    status: 503,
    summary: 'Service failed',
    detail:
      'The service is overloaded or has failed. The request may have taken effect. Wait for the number of seconds in Retry-After. Before you send the request again, check whether it took effect.',
    headers: { 'Retry-After': '1' },
  },
  {
    type: 'INTEGRATION_TIMEOUT',
    status: 504,
    summary: 'No response in time',
    detail:
      'The service did not respond in time. The request may have taken effect. Before you send it again, check whether it took effect.',
  },
];
