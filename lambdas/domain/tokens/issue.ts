import { authenticatedClient } from '../access/clients.ts';
import { findGrant } from '../access/grants.ts';
import { InvalidClient, InvalidGrant, UnsupportedGrantType } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { signAccessToken, tokenLifetimeSeconds } from './access-token.ts';
import { signingKey } from './signing-keys.ts';

/** @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-6 RFC 6749 section 6} */
export interface TokenRequest {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly grantType: string;
  readonly refreshToken: string;
}

interface IssuedToken {
  readonly accessToken: string;
  /** In seconds, minus one for the time that the response takes to arrive. */
  readonly expiresIn: number;
}

/**
 * The refresh token stays valid, and can be used any number of times. Safe to call again, because nothing is written.
 *
 * If several of these errors apply, throws the first one:
 *
 * @throws InvalidClient if the client does not exist, or if its secret is wrong
 * @throws UnsupportedGrantType if the grant type is not `refresh_token`
 * @throws InvalidGrant if the refresh token is unknown or revoked, or belongs to another client
 */
export async function issueToken(request: TokenRequest, context: RequestContext): Promise<IssuedToken> {
  const [client, grant, [key]] = await Promise.all([
    authenticatedClient(request.clientId, request.clientSecret, context),
    findGrant(request.refreshToken, request.clientId, context),
    // An error in this read must not take precedence over an error in the request.
    Promise.allSettled([signingKey(context)]),
  ]);
  if (!client) throw new InvalidClient('The client is unknown, or its secret is wrong.');
  if (request.grantType !== 'refresh_token')
    throw new UnsupportedGrantType('The grant_type must be refresh_token.');
  if (grant?.clientIncarnation !== client.incarnation)
    throw new InvalidGrant('The refresh token is unknown or revoked, or belongs to another client.');
  if (key.status === 'rejected') throw key.reason;
  const subject = { user: grant.user, client: grant.client };
  const accessToken = await signAccessToken(subject, key.value, context);
  return { accessToken, expiresIn: tokenLifetimeSeconds - 1 };
}
