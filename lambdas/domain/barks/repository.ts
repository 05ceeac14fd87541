import { GetCommand, QueryCommand, type QueryCommandOutput, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import type { Dog, Effect } from '../dogs/dog.ts';
import type { DogTime } from '../dogs/last-modified.ts';
import { updateDog } from '../dogs/repository.ts';
import { type Action, database, failedCondition, run } from '../platform/dynamodb.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import { type AsyncBark, type HistoryEntry, isRecorded, sortKeyOf } from './bark.ts';
import { sortKey } from './keys.ts';

/** An item of the barks table: a change of a schedule that was applied. It identifies the repeats of the request. */
export interface AppliedChange {
  readonly dog: string;
  /** The name in the key is a digest of a PATCH, or the token of a POST. */
  readonly sk: string;
  readonly incarnation: string;
  /** The scheduleId of the schedule that the change made, or a ULID if it ended a schedule or changed nothing. */
  readonly change: string;
  /** What a POST asked for. */
  readonly next?: number;
  readonly frequency?: number | null;
}

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

/** Returns the history entry of a sort key, or undefined if there is none. */
export async function findHistoryEntry(
  key: Pick<HistoryEntry, 'dog' | 'sk'>,
  context: RequestContext,
): Promise<HistoryEntry | undefined> {
  return (await findItem(key, context)) as HistoryEntry | undefined;
}

/**
 * Moves the mail of a history entry to another state, and stores the claim and the delivery of `entry`. From `inProgress`,
 * only the holder of the stored claim can move it. Safe to call twice.
 *
 * @returns false if the mail has neither of the two states, or if another run holds its claim
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the state changed
 */
export async function setMailState(
  { dog, sk, claim, delivery }: HistoryEntry,
  { from, to }: { readonly from: HistoryEntry['mail']; readonly to: HistoryEntry['mail'] },
  context: RequestContext,
): Promise<boolean> {
  const command = new UpdateCommand({
    TableName: environment('BARKS_TABLE'),
    Key: { dog, sk },
    UpdateExpression: `SET mail = :to, claim = :claim${delivery === undefined ? '' : ', delivery = :delivery'}`,
    ConditionExpression: `mail = :from${from === 'inProgress' ? ' AND claim = :claim' : ''}`,
    ExpressionAttributeValues: { ':from': from, ':to': to, ':claim': claim, ':delivery': delivery },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    await run((options) => database.send(command, options), context);
    return true;
  } catch (error) {
    const failure = failedCondition(error);
    if (!failure) throw error;
    // The claim is unique to this call. If it is stored, a try took place whose response was lost.
    return failure.item?.mail === to && failure.item?.claim === claim;
  }
}

/** Returns the applied change of a sort key, or undefined if there is none. */
export async function findAppliedChange(
  key: Pick<AppliedChange, 'dog' | 'sk'>,
  context: RequestContext,
): Promise<AppliedChange | undefined> {
  return (await findItem(key, context)) as AppliedChange | undefined;
}

/** Returns the action that writes an applied change. It fails if this incarnation has an applied change of the same key. */
export function putAppliedChange(change: AppliedChange): Action {
  return {
    Put: {
      TableName: environment('BARKS_TABLE'),
      Item: change,
      ConditionExpression: 'attribute_not_exists(sk) OR incarnation <> :incarnation',
      ExpressionAttributeValues: { ':incarnation': change.incarnation },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}
