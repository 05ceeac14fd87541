import { createHash } from 'node:crypto';

/** Returns the SHA-256 digest of a description in hex. The generated client names the description that it was made from. */
export function digestOf(document: object): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('hex');
}
