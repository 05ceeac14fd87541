import { createHmac } from 'node:crypto';

/**
 * The prefix of the path `/proof/<challenge>`, where the endpoint proves that it belongs to the service that wrote
 * `operator.json`.
 */
export const proofPath = '/proof/';

/** The pattern of challenges: 256 random bits in base64url. */
export const challengePattern = /^[\w-]{43}$/;

/**
 * Returns the proof that a program knows the nonce of a start, without revealing the nonce.
 *
 * @param nonce the secret of this start, which only the owner of `operator.json` can read
 * @param challenge a random text, so that an earlier proof cannot be replayed
 */
export function proofOf(nonce: string, challenge: string): string {
  return createHmac('sha256', nonce).update(challenge).digest('base64url');
}
