import { createHmac } from 'node:crypto';
import type { Dog } from '../dogs/dog.ts';
import { nameIn, sortKey } from '../dogs/keys.ts';
import { InvalidCursor } from '../platform/errors.ts';
import { cursorSignatureLength } from './bark.ts';

/**
 * Returns the cursor of the page that begins after a history entry.
 *
 * @param sk the sort key of the entry: a prefix and a ULID
 */
export function cursorOf(sk: string, dog: Pick<Dog, 'incarnation'>): string {
  const ulid = nameIn(sk);
  return `${ulid}.${signatureOf(ulid, dog)}`;
}

/** Returns the sort key of the history entry that a cursor identifies. Does not check whether a list returned the cursor. */
export function entryKeyOf(cursor: string): string {
  return sortKey('historyEntry', cursor.slice(0, cursor.indexOf('.')));
}

/**
 * Checks that a cursor belongs to the list of a dog.
 *
 * @throws InvalidCursor if the cursor does not belong to the list of this dog
 */
export function checkCursor(cursor: string, dog: Pick<Dog, 'incarnation'>): void {
  if (cursor !== cursorOf(entryKeyOf(cursor), dog)) throw new InvalidCursor();
}

/**
 * Returns the signature that binds a cursor to its dog. The key of the signature is the incarnation of the dog, so the service
 * does not have to store a secret. No two dogs share an incarnation. A client can compute the signature, because the dog's ETag
 * contains the incarnation. That is harmless, because any ULID is a valid position in the list.
 */
function signatureOf(ulid: string, { incarnation }: Pick<Dog, 'incarnation'>): string {
  return createHmac('sha256', incarnation).update(ulid).digest('base64url').slice(0, cursorSignatureLength);
}
