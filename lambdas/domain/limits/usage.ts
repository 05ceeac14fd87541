import { type Dog, recipientsOfDog } from '../dogs/dog.ts';
import { type Action, commit, type FailedCondition, type Part, raise } from '../platform/commit.ts';
import { LimitReached } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { type Counter, currentWindow, deployedLimits, type LimitName, type Scope } from './limits.ts';
import { decreaseUsage, increaseUsage, partitionOfUser, type UsageItem } from './repository.ts';

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

/**
 * Counts a bark before its mail is sent. Does nothing if no limit applies.
 *
 * @throws LimitReached if a counter has reached its limit: nothing was counted
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the bark was counted
 */
export function reserveUsage(usage: Usage, context: RequestContext): Promise<void> {
  const plan = { usage: countUsage(usage, context) };
  return commit(plan, { written: () => {}, refused: { usage: raise } }, context);
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
