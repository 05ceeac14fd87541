import { createHash } from 'node:crypto';

/** The first line of the generated `client/schema.ts` contains this SHA-256 digest, in hex. */
export function digestOf(document: object): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('hex');
}
