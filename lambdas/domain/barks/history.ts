import type { Dog, Effect } from '../dogs/dog.ts';
import { sortKey } from '../dogs/keys.ts';
import type { DogTime } from '../dogs/last-modified.ts';
import { updateDog } from '../dogs/repository.ts';
import type { Action } from '../platform/dynamodb.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import { type HistoryEntry, isRecorded } from './bark.ts';
import { putHistoryEntry } from './repository.ts';

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

/**
 * Returns the two actions that write a history entry and update its dog. The update increases `barkCount` if `counted` is true.
 */
export function historyEntryActions(
  entry: HistoryEntry,
  { counted, time }: { readonly counted: boolean; readonly time: DogTime },
): { historyEntry: Action; dog: Action } {
  return {
    historyEntry: putHistoryEntry(entry),
    dog: updateDog(entry.dog, { time, expected: { incarnation: entry.incarnation }, isCounted: counted }),
  };
}
