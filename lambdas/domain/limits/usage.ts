import { environment } from '../../environment.ts';
import { type Dog, recipientsOfDog } from '../dogs/dog.ts';
import { sortKey } from '../dogs/keys.ts';
import type { Action, FailedCondition, Part } from '../platform/commit.ts';
import { LimitReached } from '../platform/errors.ts';
import { clockSkewSeconds, type RequestContext, seconds } from '../platform/request-context.ts';

/** What a limit counts: barks, or the mails that barks send. */
type Counter = 'barks' | 'mails';

/** Whose barks and mails a limit counts. */
type Scope = 'Dog' | 'User';

/** The name of a limit. It is also the name of the setting. */
type LimitName = `${Counter}Per${Scope}`;

/** The limits of a deployment: the maximum of each counter in a window. 0 means that there is no limit. */
type Limits = Readonly<Record<LimitName, number>> & { readonly limitWindowMinutes: number };

/** A window of time. Every window begins at a multiple of its length, so that all functions count in the same windows. */
interface Window {
  /** When the window begins, in Unix seconds. */
  readonly start: number;
  /** The length of the window, in seconds. */
  readonly lengthSeconds: number;
}

/** Returns the limits of the deployment, or undefined if it has none. */
function deployedLimits(): Limits | undefined {
  const { LIMITS } = process.env;
  return LIMITS ? (JSON.parse(LIMITS) as Limits) : undefined;
}

/** Returns the window that contains the time of the invocation. */
function currentWindow({ limitWindowMinutes }: Limits, { now }: RequestContext): Window {
  const lengthSeconds = limitWindowMinutes * 60;
  return { start: Math.floor(seconds(now) / lengthSeconds) * lengthSeconds, lengthSeconds };
}

/** The counters that a bark increases, and the dog and the user for which they count. */
export interface Usage {
  /** The ID of the dog. */
  readonly dog: string;
  /** The user that sent the request. Undefined for an occurrence of a schedule, which counts only for the dog. */
  readonly user?: string | undefined;
  readonly counters: readonly Counter[];
}

/** Returns the usage of a bark that a user requests. */
export function usageOfBark(dog: Dog, user: string | undefined): Usage {
  return { dog: dog.id, user, counters: recipientsOfDog(dog).length > 0 ? ['barks', 'mails'] : ['barks'] };
}

/**
 * Returns the part that counts a bark, at most once for the dog and once for the user. It refuses if a counter has reached its limit,
 * and vanishes if no limit applies.
 */
export function countUsage(usage: Usage, context: RequestContext): Part<LimitReached> {
  const changes = changesOf(usage, increaseUsage, context);
  return {
    actions: changes.map(({ action }) => action),
    judge: (failures) => {
      const failed = changes.map(({ scope }, i) => [scope, failures[i]] as const);
      return { refusal: limitReached(usage, new Map(failed), context) };
    },
  };
}

/** Returns the part that reverses that of `countUsage`. It must be written at most once, and only after it. */
export function uncountUsage(usage: Usage, context: RequestContext): Part {
  const decrease: typeof increaseUsage = (partition, window, maxima) =>
    decreaseUsage(partition, window, [...maxima.keys()]);
  const actions = changesOf(usage, decrease, context).map(({ action }) => action);
  return { actions, judge: () => 'written' };
}

function changesOf(
  { dog, user, counters }: Usage,
  change: typeof increaseUsage,
  context: RequestContext,
): { readonly scope: Scope; readonly action: Action }[] {
  const limits = deployedLimits();
  if (!limits) return [];
  const changeOf = (partition: string, scope: Scope) => {
    const maxima = counters.map((counter) => [counter, limits[`${counter}Per${scope}`]] as const);
    const limited = new Map(maxima.filter(([, maximum]) => maximum > 0));
    return limited.size > 0
      ? [{ scope, action: change(partition, currentWindow(limits, context), limited) }]
      : [];
  };
  return [...changeOf(dog, 'Dog'), ...(user === undefined ? [] : changeOf(partitionOfUser(user), 'User'))];
}

function limitReached(
  { counters }: Usage,
  failed: ReadonlyMap<Scope, FailedCondition | undefined>,
  context: RequestContext,
): LimitReached {
  const limits = deployedLimits() as NonNullable<ReturnType<typeof deployedLimits>>;
  const reachedIn = (scope: Scope) => {
    const item: Partial<UsageItem> = failed.get(scope)?.item ?? {};
    return counters
      .map((counter): LimitName => `${counter}Per${scope}`)
      .filter((name, i) => limits[name] > 0 && (item[counters[i] as Counter] ?? 0) >= limits[name]);
  };
  const { start, lengthSeconds } = currentWindow(limits, context);
  return new LimitReached({
    reached: [...reachedIn('Dog'), ...reachedIn('User')].map((name) => ({ name, limit: limits[name] })),
    windowSeconds: lengthSeconds,
    secondsLeft: start + lengthSeconds - seconds(context.now),
  });
}

/** An item of the barks table: the barks and mails of a dog or of a user in one window. Only limited counters are stored. */
interface UsageItem {
  /** The partition key: the ID of the dog, or a prefix and the name of the user. No dog ID contains the prefix. */
  readonly dog: string;
  /** The sort key: a prefix and the beginning of the window, in Unix seconds. */
  readonly sk: string;
  readonly barks?: number;
  readonly mails?: number;
  readonly expires: number;
}

/** Returns the partition key of the usage of a user. */
function partitionOfUser(user: string): string {
  return `u#${user}`;
}

/**
 * Returns the action that adds 1 to counters. It fails if a counter has reached its maximum.
 *
 * @param partition the partition key of the dog or of the user
 * @param maxima the maximum of each counter
 */
function increaseUsage(partition: string, window: Window, maxima: ReadonlyMap<Counter, number>): Action {
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
function decreaseUsage(partition: string, window: Window, counters: readonly Counter[]): Action {
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
