import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import { changeDog } from '../dogs/change.ts';
import { type Dog, type Effect, isRecorded } from '../dogs/dog.ts';
import { sortKey } from '../dogs/keys.ts';
import type { Action, Part, Verdict } from '../platform/commit.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { ulid } from '../platform/ulid.ts';
import { type Bark, idOf } from './bark.ts';

/** An item in the barks table (see `docs/data-model.md`). Only the state of its mail ever changes. Times are in Unix seconds. */
export interface HistoryEntry {
  readonly dog: string;
  readonly sk: string;
  readonly incarnation: string;
  readonly timestamp: number;
  readonly resource?: true;
  readonly barkId?: string;
  /** The mail of a scheduled bark; see `mailStateOf`. Any other bark sends its mail before its entry is written. */
  readonly mail?: 'inProgress' | 'sent' | 'retry' | 'failed' | 'dropped';
  readonly claim?: string;
  readonly claimEnds?: number;
  /** Absent if the bark is part of a schedule change, because its mail is then never retried. */
  readonly delivery?: string;
}

/**
 * The state of a scheduled bark's mail. Stored values with other names are in parentheses:
 *
 *     ┌──► being sent (inProgress) ────┬──► sent
 *     │       ▲  │                     ├──► failed: refused, perhaps sent, or not to be retried
 *     │       │  ▼                     │        ▲
 *     │   not sent (retry)             └──► unknown (inProgress): nothing was stored before the lease ended
 *     │
 *     entry ──► dropped: the dog's mail had reached its limit
 *
 * The run with the stored claim stores `sent`, `retry` or `failed`, even after its lease has expired. The delivery's next attempt
 * stores `failed` if it finds the mail `unknown`. A schedule change never records that its first bark's mail was sent: the state
 * of that mail stays `unknown`.
 */
export function mailStateOf({ mail, claimEnds = 0 }: HistoryEntry, { now }: RequestContext) {
  if (mail === 'inProgress') return claimEnds > seconds(now) ? 'being sent' : 'unknown';
  return mail === 'retry' ? 'not sent' : mail;
}

/** @param barkId the ID of an asynchronous bark */
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

export function barkOfEntry(item: HistoryEntry): Bark | undefined {
  if (!item.resource) return undefined;
  const { dog, timestamp, barkId: id = idOf(item) } = item;
  return { id, dog, timestamp, status: 'complete', seeDog: false };
}

/** @param judge decides what a stored entry with the same key means; by default, that an earlier attempt wrote it */
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

export function countEntry(
  { dog, incarnation }: HistoryEntry,
  counted: boolean,
  context: RequestContext,
): Part<'dog gone'> {
  const change = { expected: { incarnation }, isCounted: counted };
  return changeDog(dog, change, { judge: () => ({ refusal: 'dog gone' }) }, context);
}

export function claimMail(entry: HistoryEntry): Part<'other state'> {
  return moveMail(entry, 'inProgress', {
    UpdateExpression: 'SET mail = :to, claim = :claim, claimEnds = :claimEnds, delivery = :delivery',
    ConditionExpression: 'mail = :from',
    ExpressionAttributeValues: {
      ':from': 'retry',
      ':claimEnds': entry.claimEnds,
      ':delivery': entry.delivery,
    },
  });
}

export function endMailClaim(entry: HistoryEntry, to: 'sent' | 'retry' | 'failed'): Part<'other state'> {
  return moveMail(entry, to, {
    UpdateExpression: 'SET mail = :to',
    ConditionExpression: 'mail = :from AND claim = :claim',
    ExpressionAttributeValues: { ':from': 'inProgress' },
  });
}

/** Safe to write twice, because a claim is unique to its run. */
function moveMail(
  { dog, sk, claim }: HistoryEntry,
  to: NonNullable<HistoryEntry['mail']>,
  expressions: Pick<
    NonNullable<Action['Update']>,
    'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues'
  >,
): Part<'other state'> {
  const update = {
    TableName: environment('BARKS_TABLE'),
    Key: { dog, sk },
    ...expressions,
    ExpressionAttributeValues: { ...expressions.ExpressionAttributeValues, ':to': to, ':claim': claim },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
  return {
    actions: [{ Update: update }],
    single: {
      command: new UpdateCommand(update),
      isOwn: (stored) => stored?.mail === to && stored.claim === claim,
    },
    judge: () => ({ refusal: 'other state' }),
  };
}
