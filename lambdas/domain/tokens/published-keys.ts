import { NotYet } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import type { Key, Publication, PublishedKey } from './jwk.ts';
import { putPublication, readPublication } from './repository.ts';

/** How long programs may cache the published keys, in seconds. `signingKey` caches the private keys for the same time. */
export const keysMaxAgeSeconds = 60;

/** The duration of the lease of a key replacement, in seconds. No replacement takes that long. */
const replacementLeaseSeconds = 15;

/**
 * Returns all published public keys: those that verify valid access tokens, and any new key that has not begun to sign.
 *
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function readPublishedKeys(context: RequestContext): Promise<Key[]> {
  return (await listPublishedKeys(context)).map(({ jwk }) => jwk);
}

/**
 * Returns the published keys, with the times at which they expire.
 *
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function listPublishedKeys(context: RequestContext): Promise<PublishedKey[]> {
  const { keys } = await readPublication(context);
  return unexpired(keys, context);
}

/**
 * Publishes a public key in addition to the others, and acquires the lease that a replacement of the signing key needs. Without
 * the lease, each of two concurrent replacements would set an expiry time for the other's key.
 *
 * @throws NotYet if another replacement has the lease
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the key was published
 */
export function publishKey(jwk: Key, context: RequestContext): Promise<void> {
  return publish(({ keys, leaseEnds = 0 }) => {
    if (leaseEnds > seconds(context.now))
      throw new NotYet('Another replacement of the key is in progress. Try again in a few seconds.');
    return { keys: [...keys, { jwk }], leaseEnds: seconds(context.now) + replacementLeaseSeconds };
  }, context);
}

/**
 * Sets the time at which all published keys except one expire, and releases the lease of the replacement. A key that already has
 * an expiry time keeps it. Safe to call twice.
 *
 * @param kid the ID of the key that does not expire
 * @param expires Unix seconds
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the time was set
 */
export function expireOtherKeys(kid: string, expires: number, context: RequestContext): Promise<void> {
  return publish(
    ({ keys }) => ({ keys: keys.map((key) => (key.jwk.kid === kid ? key : { expires, ...key })) }),
    context,
  );
}

/** Applies a change to the publication. Reads the publication again and repeats the change if another write came first. */
async function publish(
  change: (publication: Publication) => Omit<Publication, 'version'>,
  context: RequestContext,
): Promise<void> {
  for (;;) {
    const stored = await readPublication(context);
    const changed = change({ ...stored, keys: unexpired(stored.keys, context) });
    if (await putPublication({ ...changed, version: stored.version + 1 }, context)) return;
  }
}

function unexpired(keys: readonly PublishedKey[], context: RequestContext): PublishedKey[] {
  return keys.filter(({ expires = Number.POSITIVE_INFINITY }) => expires > seconds(context.now));
}
