import { GetCommand, QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import type { Dog, Effect } from '../dogs/dog.ts';
import { updateDog } from '../dogs/repository.ts';
import { type Action, type DogTime, database, run } from '../platform/dynamodb.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import { type AsyncBark, type HistoryEntry, isRecorded, sortKeyOf } from './bark.ts';
import { sortKey } from './keys.ts';

/** An item of a dog. What has expired is absent: the database may take days to delete it. */
export async function findItem(
  key: { dog: string; sk: string },
  context: RequestContext,
): Promise<Record<string, unknown> | undefined> {
  const command = new GetCommand({
    TableName: environment('BARKS_TABLE'),
    Key: key,
    ConsistentRead: true,
  });
  const { Item } = await run((options) => database.send(command, options), context);
  return Item?.expires <= seconds(context.now) ? undefined : Item;
}

/** The item that a bark id names. */
export async function findBarkItem(
  dog: string,
  barkId: string,
  context: RequestContext,
): Promise<HistoryEntry | AsyncBark | undefined> {
  const sk = sortKeyOf(barkId);
  return sk === undefined
    ? undefined
    : ((await findItem({ dog, sk }, context)) as HistoryEntry | AsyncBark | undefined);
}

/** The asynchronous bark of an id. */
export async function findAsyncBark(
  dog: string,
  barkId: string,
  context: RequestContext,
): Promise<AsyncBark | undefined> {
  const item = await findBarkItem(dog, barkId, context);
  return item && 'status' in item ? item : undefined;
}

/** The items of a dog whose keys lie in a range, `from` and `to` with it. */
export function queryItems(
  {
    dog,
    from,
    to,
    ...page
  }: { dog: string; from: string; to: string; limit: number; after?: string; newestFirst?: boolean },
  context: RequestContext,
): Promise<QueryCommandOutput> {
  const command = new QueryCommand({
    TableName: environment('BARKS_TABLE'),
    KeyConditionExpression: 'dog = :dog AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':dog': dog, ':from': from, ':to': to },
    ScanIndexForward: !page.newestFirst,
    Limit: page.limit,
    ConsistentRead: true,
    ...(page.after !== undefined && { ExclusiveStartKey: { dog, sk: page.after } }),
  });
  return run((options) => database.send(command, options), context);
}

/** A note of a bark that happens now. */
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

/** Returns the two actions that write a history entry and change its dog, whose `barkCount` grows if the bark counts. */
export function historyEntryActions(
  entry: HistoryEntry,
  { counted, time }: { counted: boolean; time: DogTime },
): { historyEntry: Action; dog: Action } {
  return {
    historyEntry: putHistoryEntry(entry),
    dog: updateDog(entry.dog, { time, expected: { incarnation: entry.incarnation }, isCounted: counted }),
  };
}

export function putHistoryEntry(entry: HistoryEntry): Action {
  return {
    Put: {
      TableName: environment('BARKS_TABLE'),
      Item: entry,
      ConditionExpression: 'attribute_not_exists(sk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}
