import type { QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { Dog } from '../dogs/dog.ts';
import { readDog } from '../dogs/repository.ts';
import { NotFound } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { nextOccurrence, type UpcomingBarks, upcomingBarks } from '../schedules/schedule.ts';
import { type AsyncBark, type Bark, barkOfAsync, barkOfEntry, type HistoryEntry } from './bark.ts';
import { checkCursor, cursorOf, entryKeyOf } from './cursor.ts';
import { keyRange } from './keys.ts';
import { findBarkItem, queryItems } from './repository.ts';

/** How many past barks a dog shows. */
const maxPrevious = 100;

/** How many pending barks are looked at to see that there is one: a few may be left of a former dog of the same id. */
const maxPendingMarkers = 20;

/** A dog as it is to be shown. */
export interface DogView extends UpcomingBarks {
  readonly dog: Dog;
  /** The times of its latest barks in Unix seconds, oldest first. */
  readonly previous: number[];
  /** True while an asynchronous bark is pending. */
  readonly barking: boolean;
}

/** A dog of which nothing is left to read: it has not barked, and no asynchronous bark is pending. */
export function newDogView(dog: Dog): DogView {
  return { dog, previous: [], barking: false, next: null, frequency: null };
}

/**
 * A dog with what is shown beside it, in one round trip.
 *
 * @throws NotFound
 */
export async function readDogView(id: string, context: RequestContext): Promise<DogView> {
  const [dog, history, pending] = await Promise.all([
    readDog(id, context),
    queryHistory({ dog: id, limit: maxPrevious }, context),
    queryItems(
      { dog: id, ...keyRange('pendingMarker', seconds(context.now) + 1), limit: maxPendingMarkers },
      context,
    ),
  ]);
  const ofIncarnation = ({ Items = [] }: QueryCommandOutput) =>
    Items.filter(({ incarnation }) => incarnation === dog.incarnation);
  return {
    dog,
    ...upcomingBarks(dog, context.now),
    previous: (ofIncarnation(history) as HistoryEntry[]).map(({ timestamp }) => timestamp).reverse(),
    barking: ofIncarnation(pending).length > 0,
  };
}

/**
 * Returns true if nothing that is shown of a dog has changed after a time. `barking` and `next` can change without a write
 * of the dog. If one of them may have changed, the result is false.
 *
 * @param since Unix seconds
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function isUnchangedSince(
  { dog, barking, next }: DogView,
  since: number,
  context: RequestContext,
): Promise<boolean> {
  if (dog.lastModified > since || barking) return false;
  // A clock that was ahead has written the dog. A later bark may have kept such a time.
  if (dog.lastModified > seconds(context.now)) return false;
  // The dog shows the next occurrence when one is lost, although nothing writes the dog.
  if (upcomingBarks(dog, Math.min(since * 1000, context.now)).next !== next) return false;
  const range = { dog: dog.id, ...keyRange('asyncBark'), limit: 1, newestFirst: true };
  const { Items: [newest] = [] } = await queryItems(range, context);
  // Each asynchronous bark settles by its deadline.
  return newest === undefined || (newest as AsyncBark).deadline <= since;
}

/** @throws NotFound if there is no such dog, or no such bark of it that is a resource */
export async function readBark(dogId: string, barkId: string, context: RequestContext): Promise<Bark> {
  const [dog, item] = await Promise.all([readDog(dogId, context), findBarkItem(dogId, barkId, context)]);
  const bark = item?.incarnation === dog.incarnation ? barkOfItem(item, context.now) : undefined;
  if (bark?.id !== barkId) throw new NotFound('bark', barkId);
  return bark;
}

/**
 * The last bark that was noted, of whichever variant: when it was, in Unix seconds, and its id where it was recorded.
 *
 * @throws NotFound if there is no such dog, or if it has not barked
 */
export async function readLastBark(
  dogId: string,
  context: RequestContext,
): Promise<{ timestamp: number; id?: string }> {
  const [dog, { Items = [] }] = await Promise.all([
    readDog(dogId, context),
    queryHistory({ dog: dogId, limit: 1 }, context),
  ]);
  const [entry] = Items as HistoryEntry[];
  if (entry?.incarnation !== dog.incarnation) throw new NotFound('bark of the dog', dogId);
  const bark = barkOfEntry(entry);
  return { timestamp: entry.timestamp, ...(bark && { id: bark.id }) };
}

/**
 * The latest slot at which the dog barked, and the next one, in Unix seconds; null where there is none.
 *
 * @throws NotFound if there is no such dog, or if it never had a schedule
 */
export async function readSchedule(
  dogId: string,
  context: RequestContext,
): Promise<{ last: number | null; next: number | null }> {
  const dog = await readDog(dogId, context);
  if (!dog.schedule) throw new NotFound('schedule of the dog', dogId);
  return { last: dog.lastOccurrence ?? null, next: nextOccurrence(dog, context.now) };
}

function barkOfItem(item: HistoryEntry | AsyncBark, now: number): Bark | undefined {
  return 'status' in item ? barkOfAsync(item, now) : barkOfEntry(item);
}

/**
 * Reads a page of the recorded barks of a dog, newest first. A page may be short, even empty, and yet not the last.
 *
 * @param page `after` is a cursor that a page of this dog returned
 * @returns the barks, and in `next` the cursor of the following page if there is one
 * @throws NotFound if there is no such dog
 * @throws InvalidCursor if no page of this dog returned the cursor
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function listBarks(
  dogId: string,
  { limit, after }: { readonly limit: number; readonly after?: string },
  context: RequestContext,
): Promise<{ barks: Bark[]; next?: string }> {
  const [dog, { Items = [], LastEvaluatedKey }] = await Promise.all([
    readDog(dogId, context),
    queryHistory({ dog: dogId, limit, ...(after !== undefined && { after: entryKeyOf(after) }) }, context),
  ]);
  if (after !== undefined) checkCursor(after, dog);
  const barks = (Items as HistoryEntry[])
    .filter(({ incarnation }) => incarnation === dog.incarnation)
    .flatMap((item) => barkOfEntry(item) ?? []);
  return { barks, ...(LastEvaluatedKey && { next: cursorOf(LastEvaluatedKey.sk as string, dog) }) };
}

function queryHistory(
  page: { dog: string; limit: number; after?: string },
  context: RequestContext,
): Promise<QueryCommandOutput> {
  return queryItems({ ...page, ...keyRange('historyEntry'), newestFirst: true }, context);
}
