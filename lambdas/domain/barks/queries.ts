import { decodeTime, encodeTime } from 'ulid';
import type { Dog } from '../dogs/dog.ts';
import { readDog } from '../dogs/read.ts';
import { isScheduleUnchangedSince, upcomingBarks } from '../dogs/schedule.ts';
import { NotFound } from '../platform/errors.ts';
import { clockSkewSeconds, type RequestContext, seconds } from '../platform/request-context.ts';
import { type AsyncBark, barkOfAsync, type PendingMarker } from './async-bark.ts';
import type { Bark, DogView } from './bark.ts';
import { findDogAndBark, type ItemRange, queryItems } from './barks-table.ts';
import { checkCursor, cursorOf, entryKeyOf } from './cursor.ts';
import { barkOfEntry, type HistoryEntry } from './history-entry.ts';
import { isKeyOf, keyRange, sortKey } from './keys.ts';

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
  const { entries } = await ownEntries(dog, history, maxPrevious, context);
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
export async function isUnchangedSince(
  view: DogView,
  since: number,
  context: RequestContext,
): Promise<boolean> {
  const { dog, barking } = view;
  if (barking || !isScheduleUnchangedSince(dog, view.next, since, context.now)) return false;
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
  const { entries } = await ownEntries(dog, history, 1, context);
  const [entry] = entries;
  if (!entry) throw new NotFound('bark of the dog', dogId);
  const bark = barkOfEntry(entry);
  return { timestamp: entry.timestamp, ...(bark && { id: bark.id }) };
}

export async function hasBarked(dog: Dog, context: RequestContext): Promise<boolean> {
  const history = await queryHistory({ dog: dog.id, limit: 1 }, context);
  return (await ownEntries(dog, history, 1, context)).entries.length > 0;
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
  const [dog, history] = await Promise.all([
    readDog(dogId, context),
    queryHistory({ dog: dogId, limit, after: after && entryKeyOf(after) }, context),
  ]);
  if (after !== undefined) checkCursor(after, dog);
  const { entries, last } = await ownEntries(dog, history, limit, context);
  const barks = entries.flatMap((entry) => barkOfEntry(entry) ?? []);
  return { barks, ...(last !== undefined && { next: cursorOf(last, dog) }) };
}

/**
 * Newest first. Reads on if the first page also contains many markers, or unpurged entries of a deleted dog with the same ID.
 * `first.last` can be the key of a marker. `last` is undefined if the dog has no further entries.
 */
async function ownEntries(
  dog: Dog,
  first: Awaited<ReturnType<typeof queryHistory>>,
  limit: number,
  context: RequestContext,
): Promise<{ entries: HistoryEntry[]; last: string | undefined }> {
  const entries = itemsOf(dog, first.items);
  const from = earliestKey(dog);
  let { last } = first;
  let pageSize = entries.length === first.items.length ? maxPrevious : undefined;
  while (entries.length < limit && last !== undefined) {
    if (last < from) return { entries, last: undefined };
    const after = isKeyOf('historyEntry', last) ? last : undefined;
    const { incarnation } = dog;
    const page = await queryHistory({ dog: dog.id, from, limit: pageSize, after, incarnation }, context);
    entries.push(...page.items);
    last = page.last;
    // A deleted dog may have barked thousands of times in its last minutes.
    pageSize = undefined;
  }
  const end = entries[limit - 1];
  return entries.length > limit ? { entries: entries.slice(0, limit), last: end?.sk } : { entries, last };
}

/** No entry of the dog has a smaller key, because none is older than the dog. Another function's clock may have been behind. */
function earliestKey({ incarnation }: Dog): string {
  return sortKey('historyEntry', encodeTime(decodeTime(incarnation) - clockSkewSeconds * 1000));
}

type HistoryPage = Pick<ItemRange, 'dog' | 'limit' | 'after' | 'incarnation'> &
  Partial<Pick<ItemRange, 'from'>>;

function queryHistory(page: HistoryPage, context: RequestContext) {
  return queryItems<HistoryEntry>({ ...keyRange('historyEntry'), ...page, newestFirst: true }, context);
}
