import { changeDog } from '../dogs/change.ts';
import type { Dog, Effect } from '../dogs/dog.ts';
import { sortKey } from '../dogs/keys.ts';
import type { Part } from '../platform/commit.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import { type HistoryEntry, isRecorded } from './bark.ts';

/**
 * Returns the history entry of a bark that happens now.
 *
 * @param barkId the ID of the asynchronous bark that becomes the entry; absent for a synchronous bark
 */
export function newHistoryEntry(
  dog: Dog,
  effects: readonly Effect[],
  context: RequestContext,
  barkId?: string,
): HistoryEntry {
  return {
    dog: dog.id,
    sk: sortKey('historyEntry', ulid(context.now)),
    incarnation: dog.incarnation,
    timestamp: seconds(context.now),
    ...(isRecorded(effects) && { resource: true }),
    ...(barkId !== undefined && { barkId }),
  };
}

/** Returns the part that changes the dog of a history entry, and increases `barkCount` if `counted` is true. */
export function countEntry(
  { dog, incarnation }: HistoryEntry,
  counted: boolean,
  context: RequestContext,
): Part<'dog gone'> {
  const change = { expected: { incarnation }, isCounted: counted };
  return changeDog(dog, change, { judge: () => ({ refusal: 'dog gone' }) }, context);
}
