import { randomUUID } from 'node:crypto';
import { type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose';
import { environment } from '../../environment.ts';
import { isOlderThan, type RequestContext, seconds } from '../platform/request-context.ts';
import { type Key, readPublishedKeys } from './published-keys.ts';

export const algorithm = 'ES256';

export const tokenLifetimeSeconds = 3_600;

const type = 'at+jwt';

interface Subject {
  readonly user: string;
  readonly client: string;
}

/** @see {@link https://www.rfc-editor.org/rfc/rfc9068#section-2 RFC 9068 section 2} */
export function signAccessToken(
  { user, client }: Subject,
  key: Key,
  context: RequestContext,
): Promise<string> {
  const issuer = environment('TOKEN_ISSUER');
  const issued = seconds(context.now);
  return new SignJWT({ client_id: client })
    .setProtectedHeader({ alg: algorithm, typ: type, kid: key.kid })
    .setIssuer(issuer)
    .setAudience(issuer)
    .setSubject(user)
    .setIssuedAt(issued)
    .setExpirationTime(issued + tokenLifetimeSeconds)
    .setJti(randomUUID())
    .sign(key);
}

/** How old the cached keys must be before an unknown key ID causes another read. */
const minCacheAgeMs = 10_000;

/** A key that is no longer published still verifies tokens for at most this long. */
const maxCacheAgeMs = 5 * 60_000;

let cache: { readonly keys: readonly Key[]; readonly readAtMs: number } | undefined;

/**
 * Returns undefined if the token is not a valid access token of this service, or has expired.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9068#section-4 RFC 9068 section 4}
 */
export async function userOfToken(token: string, context: RequestContext): Promise<string | undefined> {
  const issuer = environment('TOKEN_ISSUER');
  const keyOf: JWTVerifyGetKey = async ({ kid }) => {
    const key = kid === undefined ? undefined : await publicKey(kid, context);
    if (!key) throw new UnknownKey();
    return key;
  };
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      issuer,
      audience: issuer,
      typ: type,
      algorithms: [algorithm],
      requiredClaims: ['sub', 'exp', 'client_id'],
      currentDate: new Date(context.now),
    });
    return payload.sub;
  } catch (error) {
    const isRejected = /^ERR_J(OSE|W[ST])_/.test((error as { code?: string }).code ?? '');
    if (isRejected || error instanceof UnknownKey) return undefined;
    throw error;
  }
}

class UnknownKey extends Error {}

async function publicKey(kid: string, context: RequestContext): Promise<Key | undefined> {
  const find = () => cache?.keys.find((key) => key.kid === kid);
  const maxAgeMs = find() ? maxCacheAgeMs : minCacheAgeMs;
  if (!cache || isOlderThan(maxAgeMs, cache.readAtMs, context)) await cachePublishedKeys(context);
  return find();
}

export async function cachePublishedKeys(context: RequestContext): Promise<void> {
  cache = { keys: await readPublishedKeys(context), readAtMs: context.now };
}
