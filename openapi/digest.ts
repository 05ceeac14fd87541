import { createHash } from 'node:crypto';

/** Tells one description from another: what was made of one says so. */
export function digestOf(document: object): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('hex');
}
