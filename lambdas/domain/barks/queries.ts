import type { Dog } from '../dogs/dog.ts';
import { isKeyOf, keyRange } from '../dogs/keys.ts';
import { readDog } from '../dogs/read.ts';
import { nextOccurrence, upcomingBarks } from '../dogs/schedule.ts';
import { NotFound } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { type AsyncBark, barkOfAsync, type PendingMarker } from './async-bark.ts';
import type { Bark, DogView } from './bark.ts';
import { findDogAndBark, type ItemRange, queryItems } from './barks-table.ts';
import { checkCursor, cursorOf, entryKeyOf } from './cursor.ts';
import { barkOfEntry, type HistoryEntry } from './history-entry.ts';

const maxPrevious = 100;

/**
 * How many pending markers the query for past barks leaves room for. If there are more, a second query reads the remaining past
 * barks.
 */
const maxPendingMarkers = 20;

/** Needs no read, because a new dog has neither barks nor a schedule. */
export function newDogView(dog: Dog): DogView {
  return { dog, previous: [], barking: false, next: null, frequency: null };
}

/** @throws NotFound if the dog does not exist */
export async function readDogView(id: string, context: RequestContext): Promise<DogView> {
  const range = { ...keyRange('historyEntry', 'pendingMarker'), newestFirst: true };
  const [dog, { items, last }] = await Promise.all([
    readDog(id, context),
    queryItems<HistoryEntry | PendingMarker>(
      { dog: id, ...range, limit: maxPrevious + maxPendingMarkers },
      context,
    ),
  ]);
  const history = { items: items.filter(isHistoryEntry), last };
  const entries = await latestEntries(dog, history, maxPrevious, context);
  const isPending = (item: HistoryEntry | PendingMarker) =>
    !isHistoryEntry(item) && item.expires > seconds(context.now);
  return {
    dog,
    ...upcomingBarks(dog, context.now),
    previous: entries.map(({ timestamp }) => timestamp).reverse(),
    barking: itemsOf(dog, items).some(isPending),
  };
}

function isHistoryEntry(item: HistoryEntry | PendingMarker): item is HistoryEntry {
  return isKeyOf('historyEntry', item.sk);
}

function itemsOf<Item extends { readonly incarnation: string }>(
  { incarnation }: Dog,
  items: readonly Item[],
): Item[] {
  return items.filter((item) => item.incarnation === incarnation);
}

/** Returns false when in doubt. `since` is in Unix seconds. */
export function isScheduleUnchangedSince(
  { dog, next }: Pick<DogView, 'dog' | 'next'>,
  since: number,
  context: RequestContext,
): boolean {
  if (dog.lastModified > since) return false;
  // If `lastModified` is in the future, another clock was ahead, and later barks may not have changed it.
  if (dog.lastModified > seconds(context.now)) return false;
  // If the dog misses an occurrence, `next` changes to the following one without a write.
  return nextOccurrence(dog, Math.min(since * 1000, context.now)) === next;
}

/** Returns false when in doubt. `since` is in Unix seconds. */
export async function isUnchangedSince(
  view: DogView,
  since: number,
  context: RequestContext,
): Promise<boolean> {
  const { dog, barking } = view;
  if (barking || !isScheduleUnchangedSince(view, since, context)) return false;
  const range = { dog: dog.id, ...keyRange('asyncBark'), limit: 1, newestFirst: true };
  const [newest] = (await queryItems<AsyncBark>(range, context)).items;
  // Every asynchronous bark has its final status by its deadline.
  return newest === undefined || newest.deadline <= since;
}

export async function readBark(dogId: string, barkId: string, context: RequestContext): Promise<Bark> {
  const { dog, item } = await findDogAndBark(dogId, barkId, context);
  if (!dog) throw new NotFound('dog', dogId);
  if (item?.incarnation !== dog.incarnation) throw new NotFound('bark', barkId);
  const bark = 'status' in item ? barkOfAsync(item, context) : barkOfEntry(item);
  if (bark?.id !== barkId) throw new NotFound('bark', barkId);
  return bark;
}

/**
 * `timestamp` is in Unix seconds. `id` is absent if the bark is not recorded.
 *
 * @throws NotFound if the dog does not exist, or if it has not barked
 */
export async function readLastBark(
  dogId: string,
  context: RequestContext,
): Promise<{ timestamp: number; id?: string }> {
  const [dog, history] = await Promise.all([
    readDog(dogId, context),
    queryHistory({ dog: dogId, limit: 1 }, context),
  ]);
  const [entry] = await latestEntries(dog, history, 1, context);
  if (!entry) throw new NotFound('bark of the dog', dogId);
  const bark = barkOfEntry(entry);
  return { timestamp: entry.timestamp, ...(bark && { id: bark.id }) };
}

export async function hasBarked(dog: Dog, context: RequestContext): Promise<boolean> {
  const history = await queryHistory({ dog: dog.id, limit: 1 }, context);
  return (await latestEntries(dog, history, 1, context)).length > 0;
}

/**
 * `last` is the latest occurrence at which the dog barked. `last` and `next` are in Unix seconds.
 *
 * @throws NotFound if the dog does not exist, or if it has never had a schedule
 */
export async function readSchedule(
  dogId: string,
  context: RequestContext,
): Promise<{ dog: Dog; shown: { last: number | null; next: number | null } }> {
  const dog = await readDog(dogId, context);
  if (!dog.schedule) throw new NotFound('schedule of the dog', dogId);
  return { dog, shown: { last: dog.lastOccurrence ?? null, next: nextOccurrence(dog, context.now) } };
}

/**
 * Newest first. A page may contain fewer barks than `limit`, or none, even if another page follows. `after` and `next` are the
 * cursors of this page and the following one.
 *
 * @throws NotFound if the dog does not exist
 * @throws InvalidCursor if the cursor does not belong to this dog's list
 */
export async function listBarks(
  dogId: string,
  { limit, after }: { readonly limit: number; readonly after?: string },
  context: RequestContext,
): Promise<{ barks: Bark[]; next?: string }> {
  const [dog, { items, last }] = await Promise.all([
    readDog(dogId, context),
    queryHistory({ dog: dogId, limit, after: after && entryKeyOf(after) }, context),
  ]);
  if (after !== undefined) checkCursor(after, dog);
  const barks = itemsOf(dog, items).flatMap((item) => barkOfEntry(item) ?? []);
  return { barks, ...(last !== undefined && { next: cursorOf(last, dog) }) };
}

/**
 * Newest first. Reads further pages if the first one also contains many markers, or unpurged entries of a deleted dog with the
 * same ID. `first.last` can be the key of a marker.
 */
async function latestEntries(
  dog: Dog,
  first: Awaited<ReturnType<typeof queryHistory>>,
  limit: number,
  context: RequestContext,
): Promise<HistoryEntry[]> {
  const entries = itemsOf(dog, first.items);
  for (let { last } = first; entries.length < limit && last !== undefined; ) {
    const after = isKeyOf('historyEntry', last) ? last : undefined;
    const page = await queryHistory({ dog: dog.id, limit: maxPrevious, after }, context);
    entries.push(...itemsOf(dog, page.items));
    last = page.last;
  }
  return entries.slice(0, limit);
}

function queryHistory(page: Pick<ItemRange, 'dog' | 'limit' | 'after'>, context: RequestContext) {
  return queryItems<HistoryEntry>({ ...page, ...keyRange('historyEntry'), newestFirst: true }, context);
}
