import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import { type DogWith, findDogAnd, unexpired } from '../dogs/read.ts';
import { send } from '../platform/dynamodb.ts';
import type { RequestContext } from '../platform/request-context.ts';
import type { AsyncBark } from './async-bark.ts';
import { sortKeyOf } from './bark.ts';
import type { HistoryEntry } from './history-entry.ts';
import type { Key } from './keys.ts';

export async function findItem<Item>({ dog, sk }: Key, context: RequestContext): Promise<Item | undefined> {
  const command = new GetCommand({
    TableName: environment('BARKS_TABLE'),
    Key: { dog, sk },
    ConsistentRead: true,
  });
  const { Item } = await send(command, context);
  return unexpired(Item, context) as Item | undefined;
}

export function findDogAndBark(
  dog: string,
  barkId: string | undefined,
  context: RequestContext,
): Promise<DogWith<HistoryEntry | AsyncBark>> {
  return findDogAnd({ dog, sk: barkId === undefined ? undefined : sortKeyOf(barkId) }, context);
}

export async function findAsyncBark(
  dog: string,
  barkId: string,
  context: RequestContext,
): Promise<AsyncBark | undefined> {
  const sk = sortKeyOf(barkId);
  const item = sk === undefined ? undefined : await findItem<HistoryEntry | AsyncBark>({ dog, sk }, context);
  return asyncBarkOf(item);
}

export function asyncBarkOf(item: HistoryEntry | AsyncBark | undefined): AsyncBark | undefined {
  return item && 'status' in item ? item : undefined;
}

/** `from` and `to` are sort keys, and the range includes both. */
export interface ItemRange {
  readonly dog: string;
  readonly from: string;
  readonly to: string;
  /** How many items to read. If absent, DynamoDB reads up to 1 MB. */
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
  readonly newestFirst?: boolean;
  /** Other incarnations' items are read, but not returned. */
  readonly incarnation?: string;
}

/**
 * The items can belong to any incarnation of the dog, unless the range names one, and can have expired. `after` and `last` are the
 * sort keys after which this page and the following one begin.
 */
export async function queryItems<Item extends Key>(
  { dog, from, to, limit, after, newestFirst = false, incarnation }: ItemRange,
  context: RequestContext,
): Promise<{ items: Item[]; last: string | undefined }> {
  const command = new QueryCommand({
    TableName: environment('BARKS_TABLE'),
    KeyConditionExpression: 'dog = :dog AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':dog': dog,
      ':from': from,
      ':to': to,
      ...(incarnation !== undefined && { ':incarnation': incarnation }),
    },
    ScanIndexForward: !newestFirst,
    ConsistentRead: true,
    ...(limit !== undefined && { Limit: limit }),
    ...(incarnation !== undefined && { FilterExpression: 'incarnation = :incarnation' }),
    ...(after !== undefined && { ExclusiveStartKey: { dog, sk: after } }),
  });
  const { Items = [], LastEvaluatedKey } = await send(command, context);
  return { items: Items as Item[], last: LastEvaluatedKey?.sk };
}
