import { setTimeout as sleep } from 'node:timers/promises';
import { exportJWK, generateKeyPair } from 'jose';
import { environment } from '../../environment.ts';
import { NotYet, Unavailable } from '../platform/errors.ts';
import { isOlderThan, type RequestContext, seconds } from '../platform/request-context.ts';
import { readSecret, writeSecret } from '../platform/secrets-manager.ts';
import { ulid } from '../platform/ulid.ts';
import { algorithm, tokenLifetimeSeconds } from './access-token.ts';
import {
  expireOtherKeys,
  type Key,
  keysMaxAgeSeconds,
  publishKey,
  readPublishedKeys,
} from './published-keys.ts';

/** The secret contains a list of these keys. */
interface SigningKey {
  readonly jwk: Key;
  /** When the key begins to sign, in Unix seconds. */
  readonly from: number;
}

/** A key stays published for this long after its last token has expired, because the clocks of verifiers differ. */
const verifierClockSkewSeconds = 300;

const retryPauseMs = 1_000;

/** Shorter than `keysMaxAgeSeconds`: when the cached keys reach that age, a key that they lack may begin to sign. */
const maxCacheAgeMs = keysMaxAgeSeconds * 1000 - 1;

let cache: { readonly keys: readonly SigningKey[]; readonly readAtMs: number } | undefined;

export async function signingKey(context: RequestContext): Promise<Key> {
  if (!cache || isOlderThan(maxCacheAgeMs, cache.readAtMs, context))
    cache = { keys: await readSigningKeys(context), readAtMs: context.now };
  const current = currentKey(cache.keys, context);
  if (!current) {
    cache = undefined;
    throw new Unavailable('There is no signing key yet. Create one with "npx dogs keys rotate".');
  }
  return current.jwk;
}

/** If no key has begun to sign by this function's clock, which may be behind, returns the earliest key. */
function currentKey(keys: readonly SigningKey[], context: RequestContext): SigningKey | undefined {
  const latestFirst = keys.toSorted((a, b) => b.from - a.from);
  return latestFirst.find(({ from }) => from <= seconds(context.now)) ?? latestFirst.at(-1);
}

async function readSigningKeys(context: RequestContext): Promise<SigningKey[]> {
  const keys = await readSecret(environment('SIGNING_KEY_SECRET'), context);
  return (keys ?? []) as SigningKey[];
}

/** Omits private keys that match no published key, for example after the access table was restored or replaced. */
async function readUsableKeys(context: RequestContext): Promise<SigningKey[]> {
  const [keys, published] = await Promise.all([readSigningKeys(context), readPublishedKeys(context)]);
  return keys.filter(({ jwk }) => published.some(({ kid }) => kid === jwk.kid));
}

/** Creates a key if there is no usable one. Waits if another process is creating a key, or has crashed while creating one. */
export async function ensureKey(newContext: () => RequestContext): Promise<void> {
  while ((await readUsableKeys(newContext())).length === 0) {
    try {
      await replaceKey(newContext());
    } catch (error) {
      if (!(error instanceof NotYet)) throw error;
      await sleep(retryPauseMs);
    }
  }
}

/**
 * The new key begins to sign `keysMaxAgeSeconds` after it is published. By then, each copy of the published keys that lacks it has
 * expired, if it was cached for at most that long. A verifier with an older copy must read the keys again when it finds an unknown
 * key ID, as `userOfToken` does. The other keys expire after the last token that they signed has expired.
 *
 *     GetItem ──── PutItem (new key, lease) ──── GetSecretValue, GetItem ──── PutSecretValue ──── GetItem ──── PutItem (expiry, no lease)
 *
 * If another write comes between a GetItem and the PutItem that follows it, both are repeated.
 *
 * | The process dies after | Stored                                              | A repeat                         |
 * | ---------------------- | --------------------------------------------------- | -------------------------------- |
 * | GetItem                | nothing                                             | replaces the key                 |
 * | the first PutItem      | a published key that never signs, the lease         | NotYet until the lease has ended |
 * | PutSecretValue         | a key that will sign, the lease; no key expires     | NotYet until the lease has ended |
 * | the second PutItem     | the replacement                                     | replaces the key again           |
 *
 * After the lease, a repeat creates another key, and sets the expiry of all others. Tokens stay valid throughout.
 *
 * @returns `from`: the time at which the new key begins to sign, in Unix seconds
 * @throws NotYet if another replacement is in progress, or has just crashed
 */
export async function replaceKey(context: RequestContext): Promise<{ kid: string; from: number }> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const parameters = { kid: ulid(context.now), alg: algorithm, use: 'sig' };
  const publicJwk = { ...(await exportJWK(publicKey)), ...parameters };
  await publishKey(publicJwk, context);
  const current = currentKey(await readUsableKeys(context), context);
  // Without a usable key, the new key begins to sign at once. A verifier that has cached the published keys can reject the new
  // key's tokens until the cache expires.
  const now = seconds(context.now);
  // The new key begins to sign after the current one, even if the clock was set back.
  const from = current ? Math.max(now + keysMaxAgeSeconds, current.from + 1) : now;
  const privateJwk = { ...(await exportJWK(privateKey)), ...parameters };
  const keys = [{ jwk: privateJwk, from }, ...(current ? [current] : [])];
  await writeSecret(environment('SIGNING_KEY_SECRET'), keys, context);
  const expires = from + keysMaxAgeSeconds + tokenLifetimeSeconds + verifierClockSkewSeconds;
  await expireOtherKeys(parameters.kid, expires, context);
  return { kid: parameters.kid, from };
}
