import { environment } from '../../environment.ts';
import { sortKey } from '../dogs/keys.ts';
import type { Action } from '../platform/commit.ts';
import { clockSkewSeconds } from '../platform/request-context.ts';
import type { Counter, Window } from './limits.ts';

/** An item of the barks table: the barks and mails of a dog or of a user in one window. Only limited counters are stored. */
export interface UsageItem {
  /** The partition key: the ID of the dog, or a prefix and the name of the user. No dog ID contains the prefix. */
  readonly dog: string;
  /** The sort key: a prefix and the beginning of the window, in Unix seconds. */
  readonly sk: string;
  readonly barks?: number;
  readonly mails?: number;
  readonly expires: number;
}

/** Returns the partition key of the usage of a user. */
export function partitionOfUser(user: string): string {
  return `u#${user}`;
}

/**
 * Returns the action that adds 1 to counters. It fails if a counter has reached its maximum.
 *
 * @param partition the partition key of the dog or of the user
 * @param maxima the maximum of each counter
 */
export function increaseUsage(
  partition: string,
  window: Window,
  maxima: ReadonlyMap<Counter, number>,
): Action {
  const counters = [...maxima.keys()];
  const { Update } = changeUsage(partition, window, counters, 1);
  const values = [...maxima].map(([counter, maximum]) => [`:${counter}`, maximum]);
  return {
    Update: {
      ...Update,
      ConditionExpression: counters
        .map((counter) => `(attribute_not_exists(${counter}) OR ${counter} < :${counter})`)
        .join(' AND '),
      ExpressionAttributeValues: { ...Update.ExpressionAttributeValues, ...Object.fromEntries(values) },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

/** Returns the action that subtracts 1 from counters. */
export function decreaseUsage(partition: string, window: Window, counters: readonly Counter[]): Action {
  return changeUsage(partition, window, counters, -1);
}

function changeUsage(
  partition: string,
  { start, lengthSeconds }: Window,
  counters: readonly Counter[],
  change: 1 | -1,
) {
  return {
    Update: {
      TableName: environment('BARKS_TABLE'),
      Key: { dog: partition, sk: sortKey('usage', start) },
      UpdateExpression: `SET expires = :expires ADD ${counters.map((counter) => `${counter} :change`).join(', ')}`,
      // The clock of another function may be behind.
      ExpressionAttributeValues: { ':expires': start + lengthSeconds + clockSkewSeconds, ':change': change },
    },
  } satisfies Action;
}
