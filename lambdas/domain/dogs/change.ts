import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import type { Action, Item, Part, Verdict } from '../platform/commit.ts';
import { database } from '../platform/dynamodb.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import type { Dog } from './dog.ts';
import {
  clausesOf,
  type DogChange,
  type DogTime,
  type ExpectedState,
  expectedCondition,
} from './update-expression.ts';

export type { DogChange, ExpectedState } from './update-expression.ts';

/** What the caller knows about a change whose conditions failed. The time of the dog is not the cause. */
interface Judgement<Refusal> {
  readonly judge: (stored: Dog | undefined) => Verdict<Refusal>;
  /** Recognizes an earlier attempt by the stored dog. Without it, the change can only be written in a transaction. */
  readonly isOwn?: (stored: Dog) => boolean;
}

/**
 * Returns the part that changes a dog. Every change sets `lastModified`, and increments `version`.
 *
 * Clients use `lastModified` to detect that a dog has changed, and send it as the date of a PATCH. If the clock of another function
 * was ahead, and changes kept the stored time in the future, all changes until that time would share it. Clients would not detect
 * these changes, and a PATCH after another client's change would look like a repeat of an earlier PATCH. A change therefore fails if
 * the stored time is later than its own, and is written again with the stored time plus one second. If the stored time is only a few
 * seconds ahead, which is normal for synchronized clocks, the change keeps it. Otherwise, frequent changes could increase the stored
 * time faster than the clock advances.
 */
export function changeDog<Refusal>(
  id: string,
  change: DogChange,
  judgement: Judgement<Refusal>,
  context: RequestContext,
): Part<Refusal> {
  const now = seconds(context.now);
  return partAt(id, change, judgement, now, { lastModified: now, latestStored: now });
}

function partAt<Refusal>(
  id: string,
  change: DogChange,
  judgement: Judgement<Refusal>,
  now: number,
  time: DogTime,
): Part<Refusal> {
  const { judge, isOwn } = judgement;
  const { set, add, expressions, values } = clausesOf(change, time);
  const update = {
    TableName: environment('DOGS_TABLE'),
    Key: { id },
    UpdateExpression: `SET ${set.join(', ')} ADD ${add.join(', ')}`,
    ConditionExpression: expressions.join(' AND '),
    ExpressionAttributeValues: values,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
  return {
    actions: [{ Update: update }],
    ...(isOwn && {
      single: {
        write: async (options) =>
          (await database.send(new UpdateCommand({ ...update, ReturnValues: 'ALL_NEW' }), options))
            .Attributes,
        isOwn: (stored) => stored !== undefined && isOwn(dogOf(stored)),
      },
    }),
    judge: ([failure]) => {
      const stored = failure?.item && dogOf(failure.item);
      const latestStored = stored?.lastModified ?? 0;
      if (latestStored <= time.latestStored) return judge(stored);
      const isAhead = latestStored > now + (change.isClientChange ? 1 : 5);
      const lastModified = isAhead ? latestStored + 1 : latestStored;
      return { again: partAt(id, change, judgement, now, { lastModified, latestStored }) };
    },
  };
}

function dogOf(item: Item): Dog {
  return item as unknown as Dog;
}

/** Returns the part that refuses if a dog no longer has the expected state. */
export function checkDog(id: string, expected: ExpectedState): Part<'changed'> {
  const { expressions, values } = expectedCondition(expected);
  const check: Action['ConditionCheck'] = {
    TableName: environment('DOGS_TABLE'),
    Key: { id },
    ConditionExpression: expressions.join(' AND '),
    ExpressionAttributeValues: values,
  };
  return { actions: [{ ConditionCheck: check }], judge: () => ({ refusal: 'changed' }) };
}
