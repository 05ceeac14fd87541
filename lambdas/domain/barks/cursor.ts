import { createHmac } from 'node:crypto';
import type { Dog } from '../dogs/dog.ts';
import { cursorSignatureLength, InvalidCursor } from './bark.ts';
import { nameIn, sortKey } from './keys.ts';

/** @param sk the sort key of the history entry after which the page begins */
export function cursorOf(sk: string, dog: Pick<Dog, 'incarnation'>): string {
  const ulid = nameIn(sk);
  return `${ulid}.${signatureOf(ulid, dog)}`;
}

/** Does not verify the signature. */
export function entryKeyOf(cursor: string): string {
  return sortKey('historyEntry', cursor.slice(0, cursor.indexOf('.')));
}

export function checkCursor(cursor: string, dog: Pick<Dog, 'incarnation'>): void {
  if (cursor !== cursorOf(entryKeyOf(cursor), dog)) throw new InvalidCursor();
}

/**
 * The key is the dog's incarnation, so the service stores no secret. A client can compute the signature, because the dog's ETag
 * contains the incarnation. That is harmless, because any ULID is a valid position in the list.
 */
function signatureOf(ulid: string, { incarnation }: Pick<Dog, 'incarnation'>): string {
  return createHmac('sha256', incarnation).update(ulid).digest('base64url').slice(0, cursorSignatureLength);
}
