import { setTimeout as sleep } from 'node:timers/promises';
import { exportJWK, generateKeyPair } from 'jose';
import { environment } from '../../environment.ts';
import { NotYet, Unavailable } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { readSecret, writeSecret } from '../platform/secrets-manager.ts';
import { ulid } from '../platform/ulid.ts';
import { algorithm, tokenLifetimeSeconds } from './access-token.ts';
import type { Key } from './jwk.ts';
import { expireOtherKeys, keysMaxAgeSeconds, publishKey, readPublishedKeys } from './published-keys.ts';

/** A private key, as the secret has it. */
interface SigningKey {
  readonly jwk: Key;
  /** Unix seconds from which it signs. */
  readonly from: number;
}

/** How much longer than the last of its tokens a key is published, in seconds, for clocks that differ. */
const margin = 300;

let kept: { readonly keys: readonly SigningKey[]; readonly until: number } | undefined;

/**
 * The private key that signs now.
 *
 * @throws Unavailable if there is none yet, or if Secrets Manager does not answer
 */
export async function signingKey(context: RequestContext): Promise<Key> {
  if (!kept || kept.until <= context.now)
    kept = { keys: await readSigningKeys(context), until: context.now + keysMaxAgeSeconds * 1000 };
  const signs = signingNow(kept.keys, context);
  if (!signs) {
    kept = undefined;
    throw new Unavailable('There is no key yet to sign tokens with.');
  }
  return signs.jwk;
}

function signingNow(keys: readonly SigningKey[], context: RequestContext): SigningKey | undefined {
  return keys.toSorted((a, b) => b.from - a.from).find(({ from }) => from <= seconds(context.now));
}

async function readSigningKeys(context: RequestContext): Promise<SigningKey[]> {
  const keys = await readSecret(environment('SIGNING_KEY_SECRET'), context);
  return (keys ?? []) as SigningKey[];
}

/** Returns the private keys whose public keys are published. The table may have been restored or replaced. */
async function readUsableKeys(context: RequestContext): Promise<SigningKey[]> {
  const [keys, published] = await Promise.all([readSigningKeys(context), readPublishedKeys(context)]);
  return keys.filter(({ jwk }) => published.some(({ kid }) => kid === jwk.kid));
}

/**
 * Creates a key if none is published. If another process is creating one, or died while it did, waits and tries again.
 *
 * @param contextOf gives each try a time of its own
 */
export async function ensureKey(contextOf: () => RequestContext): Promise<void> {
  while ((await readUsableKeys(contextOf())).length === 0) {
    try {
      await replaceKey(contextOf());
    } catch (error) {
      if (!(error instanceof NotYet)) throw error;
      await sleep(1_000);
    }
  }
}

/**
 * Replaces the key that signs access tokens: publishes a new one at once, has it sign when all who keep the published
 * keys must have looked again, and takes the others back when the last of their tokens has expired. It may die anywhere,
 * and be run again soon.
 *
 *     publish the new one ──── private keys ──── the others expire
 *                         ↑                  ↑
 *            one that never signs     they stay until the next replacement
 *
 * @returns the name of the new key, and when it begins to sign, in Unix seconds
 * @throws NotYet if another replacement is under way, or has just died
 */
export async function replaceKey(context: RequestContext): Promise<{ kid: string; from: number }> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const named = { kid: ulid(context.now), alg: algorithm, use: 'sig' };
  const publicJwk = { ...(await exportJWK(publicKey)), ...named };
  await publishKey(publicJwk, context);
  const signs = signingNow(await readUsableKeys(context), context);
  // Before the first one nobody has looked.
  const from = seconds(context.now) + (signs ? keysMaxAgeSeconds : 0);
  const privateJwk = { ...(await exportJWK(privateKey)), ...named };
  const keys = [{ jwk: privateJwk, from }, ...(signs ? [signs] : [])];
  await writeSecret(environment('SIGNING_KEY_SECRET'), keys, context);
  const expires = from + keysMaxAgeSeconds + tokenLifetimeSeconds + margin;
  await expireOtherKeys(named.kid, expires, context);
  return { kid: named.kid, from };
}
