import {
  allowInsecureRequests,
  ClientSecretPost,
  processRefreshTokenResponse,
  ResponseBodyError,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import { InvalidGrant, Unavailable } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import type { Credential, CredentialClient } from './credential.ts';

const tokenEndpointTimeoutMs = 8_000;

/**
 * If the endpoint sends no new refresh token, the credential keeps the old one.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-6 RFC 6749 section 6}
 */
export async function exchangeRefreshToken(
  { auth_url, issuer, client_id, client_secret }: CredentialClient,
  refreshToken: string,
  context: RequestContext,
): Promise<Credential> {
  const server = { issuer: issuer ?? auth_url, token_endpoint: `${auth_url}/oauth2/v4/token` };
  try {
    const response = await refreshTokenGrantRequest(
      server,
      { client_id },
      ClientSecretPost(client_secret),
      refreshToken,
      {
        // fetch does not repeat a POST, so the exchange would fail on a connection that had died while the function was frozen.
        headers: { Connection: 'close' },
        signal: AbortSignal.any([context.signal, AbortSignal.timeout(tokenEndpointTimeoutMs)]),
        // The schema permits http only for URLs on this machine.
        [allowInsecureRequests]: new URL(auth_url).protocol === 'http:',
      },
    );
    return credentialOf(
      await processRefreshTokenResponse(server, { client_id }, response),
      refreshToken,
      context,
    );
  } catch (cause) {
    if (cause instanceof ResponseBodyError && cause.error === 'invalid_grant')
      throw new InvalidGrant(`${server.token_endpoint} refuses the refresh token. Store a new one.`);
    throw new Unavailable(`${server.token_endpoint} did not issue a token: ${reasonOf(cause)}`, { cause });
  }
}

/** Returns what is safe to log. */
function reasonOf(error: unknown): string {
  if (error instanceof ResponseBodyError)
    return [error.error, error.error_description].filter(Boolean).join(': ');
  const { message, cause } = error as Error;
  // The cause of any other error may quote the response, which can contain tokens.
  return message === 'fetch failed' ? `${message}: ${(cause as Error).message}` : message;
}

function credentialOf(
  response: TokenEndpointResponse,
  formerRefreshToken: string,
  context: RequestContext,
): Credential {
  const { access_token, token_type, expires_in, refresh_token = formerRefreshToken } = response;
  if (access_token === '' || token_type !== 'bearer' || expires_in === undefined || expires_in < 1)
    throw new Error('The response has no bearer token with a lifetime of at least one second.');
  return {
    access_token,
    token_type: 'Bearer',
    expires_in: Math.floor(expires_in),
    refresh_token,
    created: seconds(context.now),
  };
}
