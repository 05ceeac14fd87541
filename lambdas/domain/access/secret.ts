import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** No secret has this hash, so that what does not exist costs the same work as a wrong secret. */
const noHash = Buffer.alloc(32);

const secretBytes = 32;

/** How many characters a secret has: its bytes in base64url, without padding. */
export const secretLength = Math.ceil((secretBytes * 4) / 3);

/** A secret that nobody can guess: 256 random bits in base64url. It is shown once, and kept as a hash alone. */
export function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** SHA-256 is enough, and fast enough to be asked for with each request, because secrets are 256 random bits. */
export function hashOf(secret: string): string {
  return hash('sha256', secret);
}

/** Compares in constant time. @param kept the hash that is stored; undefined for what does not exist */
export function isSecret(secret: string, kept: string | undefined): boolean {
  const stored = kept === undefined ? noHash : Buffer.from(kept, 'hex');
  return timingSafeEqual(Buffer.from(hashOf(secret), 'hex'), stored);
}
