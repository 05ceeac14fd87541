import { randomUUID } from 'node:crypto';
import { type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose';
import { environment } from '../../environment.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import type { Key } from './jwk.ts';
import { readPublishedKeys } from './published-keys.ts';

export const algorithm = 'ES256';

/** How long an access token lives, in seconds. */
export const tokenLifetimeSeconds = 3_600;

const type = 'at+jwt';

/** Whom an access token is issued for, and to which client. */
export interface Subject {
  readonly user: string;
  readonly client: string;
}

/** An access token (RFC 9068). */
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

/** How soon the published keys may be looked at again for a key that is not known, in milliseconds. */
const minKeyAgeMs = 10_000;

/** How long they are known at most, in milliseconds: a key that is published no more must be forgotten. */
const maxKeyAgeMs = 5 * 60_000;

let known: { readonly keys: readonly Key[]; readonly since: number } | undefined;

/**
 * The user for whom an access token of this service was issued; undefined for what is none, or is one no more.
 *
 * @throws Unavailable if the keys cannot be read
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
    if (isFaultOfToken(error)) return undefined;
    throw error;
  }
}

class UnknownKey extends Error {}

async function publicKey(kid: string, context: RequestContext): Promise<Key | undefined> {
  const age = known ? context.now - known.since : Number.POSITIVE_INFINITY;
  const find = () => known?.keys.find((key) => key.kid === kid);
  if (age > maxKeyAgeMs || (age > minKeyAgeMs && !find()))
    known = { keys: await readPublishedKeys(context), since: context.now };
  return find();
}

/** True for what jose finds wrong with a token, and for a key that is not this service's. */
function isFaultOfToken(error: unknown): boolean {
  return error instanceof UnknownKey || /^ERR_J(OSE|W[ST])_/.test((error as { code?: string }).code ?? '');
}
