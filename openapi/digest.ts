import { createHash } from 'node:crypto';

/** Returns the SHA-256 digest of an OpenAPI document in hex. The first line of the generated `client/schema.ts` contains it. */
export function digestOf(document: object): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('hex');
}
