import { createHmac } from 'node:crypto';

/**
 * The prefix of the path `/proof/<challenge>`. At this path, the AWS endpoint of the local cloud proves that it belongs to
 * the service that wrote the file `operator.json`.
 */
export const proofPath = '/proof/';

/** The pattern of challenges: 256 random bits in base64url. */
export const challengePattern = /^[\w-]{43}$/;

/**
 * Returns the proof that a program knows the nonce. The proof does not reveal the nonce.
 *
 * @param nonce the local cloud's random secret, new at each start, which only the owner of `operator.json` can read
 * @param challenge a random text that the client creates for each check, so that an earlier proof cannot be replayed
 * @returns the HMAC-SHA256 of the challenge, in base64url
 */
export function proofOf(nonce: string, challenge: string): string {
  return createHmac('sha256', nonce).update(challenge).digest('base64url');
}
