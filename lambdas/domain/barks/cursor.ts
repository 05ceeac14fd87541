import { createHmac } from 'node:crypto';
import type { Dog } from '../dogs/dog.ts';
import { nameIn, sortKey } from '../dogs/keys.ts';
import { InvalidCursor } from '../platform/errors.ts';
import { cursorSignatureLength } from './bark.ts';

/** The cursor of the page that begins after the history entry with the sort key `sk`. */
export function cursorOf(sk: string, dog: Pick<Dog, 'incarnation'>): string {
  const ulid = nameIn(sk);
  return `${ulid}.${signatureOf(ulid, dog)}`;
}

/** Does not check whether a list returned the cursor. */
export function entryKeyOf(cursor: string): string {
  return sortKey('historyEntry', cursor.slice(0, cursor.indexOf('.')));
}

export function checkCursor(cursor: string, dog: Pick<Dog, 'incarnation'>): void {
  if (cursor !== cursorOf(entryKeyOf(cursor), dog)) throw new InvalidCursor();
}

/**
 * The key of the signature is the dog's incarnation, which no two dogs share, so the service does not have to store a secret. A client
 * can compute the signature, because the dog's ETag contains the incarnation. That is harmless, because any ULID is a valid position in
 * the list.
 */
function signatureOf(ulid: string, { incarnation }: Pick<Dog, 'incarnation'>): string {
  return createHmac('sha256', incarnation).update(ulid).digest('base64url').slice(0, cursorSignatureLength);
}
