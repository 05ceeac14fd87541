import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Stands for the hash of an item that does not exist, so that the comparison takes the same time. No secret has this hash. */
const noHash = Buffer.alloc(32);

const secretBytes = 32;

/** In characters of base64url, without padding. */
export const secretLength = Math.ceil((secretBytes * 4) / 3);

export function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** SHA-256 in hexadecimal. A slow hash would delay every request, and is not necessary for 256 random bits. */
export function hashOf(secret: string): string {
  return hash('sha256', secret);
}

/** Takes constant time. @param storedHash undefined if the item does not exist */
export function isSecret(secret: string, storedHash: string | undefined): boolean {
  const expected = storedHash === undefined ? noHash : Buffer.from(storedHash, 'hex');
  return timingSafeEqual(Buffer.from(hashOf(secret), 'hex'), expected);
}
