import { authenticatedClient } from '../access/clients.ts';
import { findGrant } from '../access/grants.ts';
import { InvalidClient, InvalidGrant, UnsupportedGrantType } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { signAccessToken, tokenLifetimeSeconds } from './access-token.ts';
import { signingKey } from './signing-keys.ts';

/** What a client asks the token endpoint for (RFC 6749 section 6). */
export interface TokenRequest {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly grantType: string;
  readonly refreshToken: string;
}

export interface IssuedToken {
  readonly accessToken: string;
  /** Seconds; a little less than it lives, since it takes a while to arrive. */
  readonly expiresIn: number;
}

/**
 * Issues an access token for a refresh token. That stays as it is, and may be used any number of times.
 *
 * @throws InvalidClient, UnsupportedGrantType, InvalidGrant: in this order
 * @throws Unavailable
 */
export async function issueToken(request: TokenRequest, context: RequestContext): Promise<IssuedToken> {
  const [client, grant] = await Promise.all([
    authenticatedClient(request.clientId, request.clientSecret, context),
    findGrant(request.refreshToken, request.clientId, context),
  ]);
  if (!client) throw new InvalidClient('There is no such client, or its secret is another.');
  if (request.grantType !== 'refresh_token')
    throw new UnsupportedGrantType('The grant_type must be refresh_token.');
  if (grant?.clientIncarnation !== client.incarnation)
    throw new InvalidGrant('The refresh token is unknown or revoked, or is not of this client.');
  const accessToken = await signAccessToken(
    { user: grant.user, client: grant.client },
    await signingKey(context),
    context,
  );
  return { accessToken, expiresIn: tokenLifetimeSeconds - 1 };
}
