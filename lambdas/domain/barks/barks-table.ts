import { DeleteCommand, GetCommand, QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import { type Dog, dogId } from '../dogs/dog.ts';
import { commit, type Part, type Verdict } from '../platform/commit.ts';
import { database, isConditionFailed, readItems, run } from '../platform/dynamodb.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { type AsyncBark, type HistoryEntry, sortKeyOf } from './bark.ts';

interface Key {
  readonly dog: string;
  readonly sk: string;
}

/**
 * An item of the barks table: a schedule change that the service has applied. With this item, the service recognizes repeats of
 * the request that made the change.
 */
export interface AppliedChange extends Key {
  readonly incarnation: string;
  /**
   * The unique name of the change: the `scheduleId` of the schedule that it created, or a new ID if it ended a schedule or
   * changed nothing.
   */
  readonly change: string;
  /** `next` and `frequency` are the content of a POST. They are absent for a PATCH. */
  readonly next?: number;
  readonly frequency?: number | null;
}

/** Returns an item, or undefined if it does not exist or has expired. DynamoDB may take days to delete an expired item. */
async function findItem<Item>({ dog, sk }: Key, context: RequestContext): Promise<Item | undefined> {
  const command = new GetCommand({
    TableName: environment('BARKS_TABLE'),
    Key: { dog, sk },
    ConsistentRead: true,
  });
  const { Item } = await run((options) => database.send(command, options), context);
  return unexpired(Item, context) as Item | undefined;
}

function unexpired(
  item: Record<string, unknown> | undefined,
  context: RequestContext,
): Record<string, unknown> | undefined {
  const { expires = Number.POSITIVE_INFINITY } = item ?? {};
  return Number(expires) > seconds(context.now) ? item : undefined;
}

/** A dog and one of its items. Either is undefined if it does not exist. */
export interface DogWith<Item> {
  readonly dog: Dog | undefined;
  readonly item: Item | undefined;
}

/** Reads a dog, and an item if there is a sort key, with one call. Reads nothing if the text is not a dog ID. */
async function findDogAnd<Item>(
  { dog: id, sk }: { readonly dog: string; readonly sk: string | undefined },
  context: RequestContext,
): Promise<DogWith<Item>> {
  if (!dogId.test(id)) return { dog: undefined, item: undefined };
  const dogKey = { table: environment('DOGS_TABLE'), key: { id } };
  const itemKeys = sk === undefined ? [] : [{ table: environment('BARKS_TABLE'), key: { dog: id, sk } }];
  const [dog, item] = await readItems([dogKey, ...itemKeys], context);
  return { dog: dog as Dog | undefined, item: unexpired(item, context) as Item | undefined };
}

/**
 * Reads a dog, and the item that a bark ID identifies. The two can be from different moments. Without a bark ID, reads only the
 * dog.
 *
 * @throws Unavailable if DynamoDB is unavailable
 */
export function findDogAndBark(
  dog: string,
  barkId: string | undefined,
  context: RequestContext,
): Promise<DogWith<HistoryEntry | AsyncBark>> {
  return findDogAnd({ dog, sk: barkId === undefined ? undefined : sortKeyOf(barkId) }, context);
}

/**
 * Reads a dog and an applied change. The two can be from different moments.
 *
 * @throws Unavailable if DynamoDB is unavailable
 */
export function findDogAndAppliedChange(key: Key, context: RequestContext): Promise<DogWith<AppliedChange>> {
  return findDogAnd(key, context);
}

/**
 * Returns an asynchronous bark, or undefined if no asynchronous bark has the ID.
 *
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function findAsyncBark(
  dog: string,
  barkId: string,
  context: RequestContext,
): Promise<AsyncBark | undefined> {
  const sk = sortKeyOf(barkId);
  const item = sk === undefined ? undefined : await findItem<HistoryEntry | AsyncBark>({ dog, sk }, context);
  return asyncBarkOf(item);
}

/** Returns the item if it is an asynchronous bark. */
export function asyncBarkOf(item: HistoryEntry | AsyncBark | undefined): AsyncBark | undefined {
  return item && 'status' in item ? item : undefined;
}

/**
 * Returns the history entry with a sort key, or undefined if there is none.
 *
 * @throws Unavailable if DynamoDB is unavailable
 */
export function findHistoryEntry(key: Key, context: RequestContext): Promise<HistoryEntry | undefined> {
  return findItem(key, context);
}

/**
 * Returns the applied change with a sort key, or undefined if there is none.
 *
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function findAppliedChange(
  { dog, sk }: Key,
  context: RequestContext,
): Promise<AppliedChange | undefined> {
  // With GetItem, the bundles of the functions that set schedules would contain one more operation.
  const [item] = await readItems([{ table: environment('BARKS_TABLE'), key: { dog, sk } }], context);
  return item as AppliedChange | undefined;
}

/** A range of a dog's sort keys, including both ends, and the part of the range that a query reads. */
export interface ItemRange {
  readonly dog: string;
  readonly from: string;
  readonly to: string;
  readonly limit: number;
  /** The sort key after which the query begins. */
  readonly after?: string;
  readonly newestFirst?: boolean;
}

/**
 * Reads the items in a range. They can belong to any incarnation of the dog, and can have expired.
 *
 * @returns the items, and in `last` the sort key of the last item if there may be more
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function queryItems<Item extends Key>(
  { dog, from, to, limit, after, newestFirst = false }: ItemRange,
  context: RequestContext,
): Promise<{ items: Item[]; last?: string }> {
  const command = new QueryCommand({
    TableName: environment('BARKS_TABLE'),
    KeyConditionExpression: 'dog = :dog AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':dog': dog, ':from': from, ':to': to },
    ScanIndexForward: !newestFirst,
    Limit: limit,
    ConsistentRead: true,
    ...(after !== undefined && { ExclusiveStartKey: { dog, sk: after } }),
  });
  const { Items = [], LastEvaluatedKey } = await run((options) => database.send(command, options), context);
  return { items: Items as Item[], ...(LastEvaluatedKey && { last: LastEvaluatedKey.sk as string }) };
}

/**
 * Returns the part that writes a history entry.
 *
 * @param judge what it means that the stored entry has the same key. If the key is unique to the caller, the entry is that of an
 *   earlier attempt
 */
export function addHistoryEntry(entry: HistoryEntry): Part;
export function addHistoryEntry<Refusal>(
  entry: HistoryEntry,
  judge: (stored: HistoryEntry) => Verdict<Refusal>,
): Part<Refusal>;
export function addHistoryEntry<Refusal>(
  entry: HistoryEntry,
  judge: (stored: HistoryEntry) => Verdict<Refusal> = () => 'written',
): Part<Refusal> {
  const put = {
    TableName: environment('BARKS_TABLE'),
    Item: entry,
    ConditionExpression: 'attribute_not_exists(sk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
  return {
    actions: [{ Put: put }],
    judge: ([failure]) => judge(failure?.item as unknown as HistoryEntry),
  };
}

/**
 * Changes the mail state of a history entry. `inProgress` stores the entry's claim if the stored state is `retry`. Only the holder
 * of the stored claim can change the state from `inProgress` to another one. Safe to call twice.
 *
 * @returns false if the entry has another state, or if another invocation holds the claim
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the state changed
 */
export function setMailState(
  { dog, sk, claim, claimEnds, delivery }: HistoryEntry,
  to: 'inProgress' | 'sent' | 'retry' | 'failed',
  context: RequestContext,
): Promise<boolean> {
  const claims = to === 'inProgress';
  const update = {
    TableName: environment('BARKS_TABLE'),
    Key: { dog, sk },
    ...(claims
      ? {
          UpdateExpression: 'SET mail = :to, claim = :claim, claimEnds = :claimEnds, delivery = :delivery',
          ConditionExpression: 'mail = :from',
        }
      : { UpdateExpression: 'SET mail = :to', ConditionExpression: 'mail = :from AND claim = :claim' }),
    ExpressionAttributeValues: {
      ':from': claims ? 'retry' : 'inProgress',
      ':to': to,
      ':claim': claim,
      ...(claims && { ':claimEnds': claimEnds, ':delivery': delivery }),
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
  const entry: Part<'other state'> = {
    actions: [{ Update: update }],
    single: {
      write: async (options) => void (await database.send(new UpdateCommand(update), options)),
      isOwn: (stored) => stored?.mail === to && stored.claim === claim,
    },
    judge: () => ({ refusal: 'other state' }),
  };
  return commit({ entry }, { written: () => true, refused: { entry: () => false } }, context);
}

/** Returns the part that writes an applied change. It refuses if the same incarnation already has one with the same key. */
export function addAppliedChange(change: AppliedChange): Part<'repeated'> {
  const put = {
    TableName: environment('BARKS_TABLE'),
    Item: change,
    ConditionExpression: 'attribute_not_exists(sk) OR incarnation <> :incarnation',
    ExpressionAttributeValues: { ':incarnation': change.incarnation },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
  return {
    actions: [{ Put: put }],
    judge: ([failure]) => (failure?.item?.change === change.change ? 'written' : { refusal: 'repeated' }),
  };
}

/** The owner of an item: an incarnation of a dog. */
export interface ItemOwner {
  readonly dog: string;
  readonly incarnation: string;
}

/** The key after which a page of `scanOwners` begins. */
export type ScanPosition = Readonly<Record<string, unknown>>;

/**
 * Scans a page of the table, and returns the owner of each item. An owner of several items occurs several times.
 *
 * @returns the owners, and in `next` the position of the following page if there is one
 * @throws Unavailable if DynamoDB is unavailable
 */
export async function scanOwners(
  position: ScanPosition | undefined,
  context: RequestContext,
): Promise<{ owners: ItemOwner[]; next: ScanPosition | undefined }> {
  const command = new ScanCommand({
    TableName: environment('BARKS_TABLE'),
    ProjectionExpression: 'dog, incarnation',
    // Usage items belong to no incarnation.
    FilterExpression: 'attribute_exists(incarnation)',
    ConsistentRead: true,
    ...(position && { ExclusiveStartKey: position }),
  });
  const { Items = [], LastEvaluatedKey } = await run((options) => database.send(command, options), context);
  return { owners: Items as ItemOwner[], next: LastEvaluatedKey };
}

/**
 * Deletes a page of the items of an incarnation. `limit` is the maximum number of items that the query reads, including items of
 * other incarnations.
 *
 * @param after the sort key after which the page begins
 * @returns the number of deleted items, and in `last` the sort key after which the next page begins if there is one
 * @throws Unavailable if DynamoDB is unavailable; safe to call again
 */
export async function deleteItemsOfOwner(
  { dog, incarnation }: ItemOwner,
  { limit, after }: { readonly limit: number; readonly after: string | undefined },
  context: RequestContext,
): Promise<{ deleted: number; last: string | undefined }> {
  const command = new QueryCommand({
    TableName: environment('BARKS_TABLE'),
    KeyConditionExpression: 'dog = :dog',
    FilterExpression: 'incarnation = :incarnation',
    ExpressionAttributeValues: { ':dog': dog, ':incarnation': incarnation },
    ProjectionExpression: 'sk',
    Limit: limit,
    ConsistentRead: true,
    ...(after !== undefined && { ExclusiveStartKey: { dog, sk: after } }),
  });
  const { Items = [], LastEvaluatedKey } = await run((options) => database.send(command, options), context);
  await Promise.all(Items.map(({ sk }) => deleteItem({ dog, sk: sk as string, incarnation }, context)));
  return { deleted: Items.length, last: LastEvaluatedKey?.sk as string | undefined };
}

/** Deletes an item if it still belongs to the incarnation. */
async function deleteItem({ dog, sk, incarnation }: Key & ItemOwner, context: RequestContext): Promise<void> {
  const command = new DeleteCommand({
    TableName: environment('BARKS_TABLE'),
    Key: { dog, sk },
    ConditionExpression: 'incarnation = :incarnation',
    ExpressionAttributeValues: { ':incarnation': incarnation },
  });
  await run((options) => database.send(command, options), context).catch((error) => {
    if (!isConditionFailed(error)) throw error;
  });
}
