import { createHash } from 'node:crypto';

/** Returns a digest of a description. Files that are generated from the description contain it, so that a test finds stale ones. */
export function digestOf(document: object): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('hex');
}
