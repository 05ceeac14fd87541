import { createHmac } from 'node:crypto';

/** At `/proof/<challenge>`, the AWS endpoint proves that it belongs to the service that wrote `operator.json`. */
export const proofPath = '/proof/';

/** 32 bytes in base64url. */
export const challengePattern = /^[\w-]{43}$/;

/**
 * Proves that a program knows the nonce, without revealing it.
 *
 * @param nonce the local cloud's random secret, new at each start, which only the owner of `operator.json` can read
 * @param challenge a random text that the client creates for each check, so that an earlier proof cannot be replayed
 * @returns the HMAC-SHA256 of the challenge, in base64url
 */
export function proofOf(nonce: string, challenge: string): string {
  return createHmac('sha256', nonce).update(challenge).digest('base64url');
}
