import { environment } from '../../environment.ts';
import { type Dog, recipientsOfDog } from '../dogs/dog.ts';
import { sortKey } from '../dogs/keys.ts';
import type { Action, FailedCondition, Part } from '../platform/commit.ts';
import { LimitReached } from '../platform/errors.ts';
import { clockSkewSeconds, type RequestContext, seconds } from '../platform/request-context.ts';

type Counter = 'barks' | 'mails';

/** Whose barks and mails a limit counts. */
type Scope = 'Dog' | 'User';

/** Also the name of the setting. */
type LimitName = `${Counter}Per${Scope}`;

/** 0 means that there is no limit. */
type Limits = Readonly<Record<LimitName, number>> & { readonly limitWindowMinutes: number };

/** Every window begins at a multiple of its length, so that all functions count in the same windows. */
interface Window {
  /** In Unix seconds. */
  readonly start: number;
  readonly lengthSeconds: number;
}

function deployedLimits(): Limits | undefined {
  const { LIMITS } = process.env;
  return LIMITS ? (JSON.parse(LIMITS) as Limits) : undefined;
}

function currentWindow({ limitWindowMinutes }: Limits, { now }: RequestContext): Window {
  const lengthSeconds = limitWindowMinutes * 60;
  return { start: Math.floor(seconds(now) / lengthSeconds) * lengthSeconds, lengthSeconds };
}

/** The counters that a bark increases, and the dog and the user for which they count. */
export interface Usage {
  readonly dog: string;
  /** Undefined for an occurrence of a schedule, which counts only for the dog. */
  readonly user?: string | undefined;
  readonly counters: readonly Counter[];
}

/** The usage of a bark that a user requests. */
export function usageOfBark(dog: Dog, user: string | undefined): Usage {
  return { dog: dog.id, user, counters: recipientsOfDog(dog).length > 0 ? ['barks', 'mails'] : ['barks'] };
}

/**
 * Counts a bark, at most once for the dog and once for the user. Refuses if a counter has reached its limit, and vanishes if no limit
 * applies.
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

/** Reverses `countUsage`. It must be written at most once, and only after that part. */
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
  /** A prefix and the beginning of the window, in Unix seconds. */
  readonly sk: string;
  readonly barks?: number;
  readonly mails?: number;
  readonly expires: number;
}

function partitionOfUser(user: string): string {
  return `u#${user}`;
}

/** Adds 1 to counters. Fails if a counter has reached its maximum. */
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
