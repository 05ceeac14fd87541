import type { QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { Dog } from '../dogs/dog.ts';
import { readDog } from '../dogs/repository.ts';
import { NotFound } from '../platform/errors.ts';
import { type Call, seconds } from '../platform/request-context.ts';
import { type Coming, coming, nextSlot } from '../schedules/schedule.ts';
import { type AsyncBark, asyncBark, type Bark, type NotedBark, notedBark } from './bark.ts';
import { checkCursor, cursorOf, entryKeyOf } from './cursor.ts';
import { keyRange } from './keys.ts';
import { findBarkItem, queryItems } from './repository.ts';

/** How many past barks a dog shows. */
const previousAtMost = 100;

/** How many pending barks are looked at to see that there is one: a few may be left of a former dog of the same id. */
const pendingAtMost = 20;

/** A dog as it is to be shown. */
export interface ShownDog extends Coming {
  readonly dog: Dog;
  /** The times of its latest barks in Unix seconds, oldest first. */
  readonly previous: number[];
  /** True while an asynchronous bark is pending. */
  readonly barking: boolean;
}

/** A dog of which nothing is left to read: it has not barked, and no asynchronous bark is pending. */
export function newDogShown(dog: Dog): ShownDog {
  return { dog, previous: [], barking: false, next: null, frequency: null };
}

/**
 * A dog with what is shown beside it, in one round trip.
 *
 * @throws NotFound
 */
export async function showDog(id: string, call: Call): Promise<ShownDog> {
  const [dog, noted, pending] = await Promise.all([
    readDog(id, call),
    queryNotes({ dog: id, limit: previousAtMost }, call),
    queryItems({ dog: id, ...keyRange('pendingMarker', seconds(call.now) + 1), limit: pendingAtMost }, call),
  ]);
  const ofThisLife = ({ Items = [] }: QueryCommandOutput) => Items.filter(({ life }) => life === dog.life);
  return {
    dog,
    ...coming(dog, call.now),
    previous: (ofThisLife(noted) as NotedBark[]).map(({ timestamp }) => timestamp).reverse(),
    barking: ofThisLife(pending).length > 0,
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
  { dog, barking, next }: ShownDog,
  since: number,
  call: Call,
): Promise<boolean> {
  if (dog.lastModified > since || barking) return false;
  // A clock that was ahead has written the dog. A later bark may have kept such a time.
  if (dog.lastModified > seconds(call.now)) return false;
  // The dog shows the next occurrence when one is lost, although nothing writes the dog.
  if (coming(dog, Math.min(since * 1000, call.now)).next !== next) return false;
  const range = { dog: dog.id, ...keyRange('asyncBark'), limit: 1, newestFirst: true };
  const { Items: [newest] = [] } = await queryItems(range, call);
  // Each asynchronous bark settles by its deadline.
  return newest === undefined || (newest as AsyncBark).deadline <= since;
}

/** @throws NotFound if there is no such dog, or no such bark of it that is a resource */
export async function readBark(dogId: string, barkId: string, call: Call): Promise<Bark> {
  const [dog, item] = await Promise.all([readDog(dogId, call), findBarkItem(dogId, barkId, call)]);
  const bark = item?.life === dog.life ? barkOf(item, call.now) : undefined;
  if (bark?.id !== barkId) throw new NotFound('bark', barkId);
  return bark;
}

/**
 * The last bark that was noted, of whichever variant: when it was, in Unix seconds, and its id where it was recorded.
 *
 * @throws NotFound if there is no such dog, or if it has not barked
 */
export async function readLastBark(dogId: string, call: Call): Promise<{ timestamp: number; id?: string }> {
  const [dog, { Items = [] }] = await Promise.all([
    readDog(dogId, call),
    queryNotes({ dog: dogId, limit: 1 }, call),
  ]);
  const [note] = Items as NotedBark[];
  if (note?.life !== dog.life) throw new NotFound('bark of the dog', dogId);
  const bark = notedBark(note);
  return { timestamp: note.timestamp, ...(bark && { id: bark.id }) };
}

/**
 * The latest slot at which the dog barked, and the next one, in Unix seconds; null where there is none.
 *
 * @throws NotFound if there is no such dog, or if it never had a schedule
 */
export async function readSchedule(
  dogId: string,
  call: Call,
): Promise<{ last: number | null; next: number | null }> {
  const dog = await readDog(dogId, call);
  if (!dog.schedule) throw new NotFound('schedule of the dog', dogId);
  return { last: dog.lastSlot ?? null, next: nextSlot(dog, call.now) };
}

function barkOf(item: NotedBark | AsyncBark, now: number): Bark | undefined {
  return 'status' in item ? asyncBark(item, now) : notedBark(item);
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
  call: Call,
): Promise<{ barks: Bark[]; next?: string }> {
  const [dog, { Items = [], LastEvaluatedKey }] = await Promise.all([
    readDog(dogId, call),
    queryNotes({ dog: dogId, limit, ...(after !== undefined && { after: entryKeyOf(after) }) }, call),
  ]);
  if (after !== undefined) checkCursor(after, dog);
  const barks = (Items as NotedBark[])
    .filter(({ life }) => life === dog.life)
    .flatMap((item) => notedBark(item) ?? []);
  return { barks, ...(LastEvaluatedKey && { next: cursorOf(LastEvaluatedKey.sk as string, dog) }) };
}

function queryNotes(
  page: { dog: string; limit: number; after?: string },
  call: Call,
): Promise<QueryCommandOutput> {
  return queryItems({ ...page, ...keyRange('historyEntry'), newestFirst: true }, call);
}
