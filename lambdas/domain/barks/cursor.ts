import { createHmac } from 'node:crypto';
import type { Dog } from '../dogs/dog.ts';
import { InvalidCursor } from '../platform/errors.ts';
import { cursorSignatureLength } from './bark.ts';
import { nameIn, sortKey } from './keys.ts';

/**
 * Returns the cursor of the page that follows a history entry.
 *
 * @param sk the entry's sort key, in which the name is a ULID
 */
export function cursorOf(sk: string, dog: Pick<Dog, 'incarnation'>): string {
  const ulid = nameIn(sk);
  return `${ulid}.${signatureOf(ulid, dog)}`;
}

/** Returns the sort key of the history entry that a cursor names. Does not check whether a list returned the cursor. */
export function entryKeyOf(cursor: string): string {
  return sortKey('historyEntry', cursor.slice(0, cursor.indexOf('.')));
}

/**
 * Checks that a cursor belongs to the list of a dog.
 *
 * @throws InvalidCursor if the list of this dog did not return the cursor
 */
export function checkCursor(cursor: string, dog: Pick<Dog, 'incarnation'>): void {
  if (cursor !== cursorOf(entryKeyOf(cursor), dog)) throw new InvalidCursor();
}

/**
 * Returns the signature that binds a cursor to its dog. The key is the name of the dog's incarnation: no two dogs share
 * it, and the service has no secret to store. A client can compute the signature, because the dog's ETag shows that name.
 * That is harmless, because any ULID is a valid position in the list.
 */
function signatureOf(ulid: string, { incarnation }: Pick<Dog, 'incarnation'>): string {
  return createHmac('sha256', incarnation).update(ulid).digest('base64url').slice(0, cursorSignatureLength);
}
