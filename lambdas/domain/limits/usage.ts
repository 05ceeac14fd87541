import { type Dog, recipientsOfDog } from '../dogs/dog.ts';
import { type Actions, conditionFailuresOf, transact } from '../platform/dynamodb.ts';
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

/** The names of the actions that count. */
type UsageAction = 'dogUsage' | 'userUsage';

/** Returns the usage of a bark that a user requests. */
export function usageOfBark(dog: Dog, user: string | undefined): Usage {
  return { dog: dog.id, user, counters: recipientsOfDog(dog).length > 0 ? ['barks', 'mails'] : ['barks'] };
}

/**
 * Returns the transaction actions that count a bark, at most one for the dog and one for the user. An action fails if a counter
 * has reached its limit. Returns no action if no limit applies.
 */
export function countUsage(usage: Usage, context: RequestContext): Actions<UsageAction> {
  return actionsOf(usage, increaseUsage, context);
}

/** Returns the transaction actions that reverse those of `countUsage`. They must run at most once, and only after them. */
export function uncountUsage(usage: Usage, context: RequestContext): Actions<UsageAction> {
  const decrease: typeof increaseUsage = (partition, window, maxima) =>
    decreaseUsage(partition, window, [...maxima.keys()]);
  return actionsOf(usage, decrease, context);
}

function actionsOf(
  { dog, user, counters }: Usage,
  change: typeof increaseUsage,
  context: RequestContext,
): Actions<UsageAction> {
  const limits = deployedLimits();
  if (!limits) return {};
  const actionOf = (partition: string, scope: Scope) => {
    const maxima = counters.map((counter) => [counter, limits[`${counter}Per${scope}`]] as const);
    const limited = new Map(maxima.filter(([, maximum]) => maximum > 0));
    return limited.size > 0 ? change(partition, currentWindow(limits, context), limited) : undefined;
  };
  return {
    dogUsage: actionOf(dog, 'Dog'),
    userUsage: user === undefined ? undefined : actionOf(partitionOfUser(user), 'User'),
  };
}

/** Returns true if there is at least one action. */
export function hasActions(actions: Actions): boolean {
  return Object.values(actions).some((action) => action !== undefined);
}

/**
 * Counts a bark before its mail is sent. Does nothing if no limit applies.
 *
 * @throws LimitReached if a counter has reached its limit: nothing was counted
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the bark was counted
 */
export async function reserveUsage(usage: Usage, context: RequestContext): Promise<void> {
  const actions = countUsage(usage, context);
  if (!hasActions(actions)) return;
  await transact(actions, context).catch((error) => {
    throw limitReached(usage, error, context) ?? error;
  });
}

/** Returns the error for the client if a transaction failed because a counter has reached its limit; otherwise undefined. */
export function limitReached(
  { counters }: Usage,
  error: unknown,
  context: RequestContext,
): LimitReached | undefined {
  const { dogUsage, userUsage } = conditionFailuresOf<UsageAction>(error) ?? {};
  const limits = deployedLimits();
  if (!limits || !(dogUsage || userUsage)) return undefined;
  const reachedIn = (scope: Scope, item: Partial<UsageItem> = {}) =>
    counters
      .map((counter): LimitName => `${counter}Per${scope}`)
      .filter((name, i) => limits[name] > 0 && (item[counters[i] as Counter] ?? 0) >= limits[name]);
  const reached = [...reachedIn('Dog', dogUsage?.item), ...reachedIn('User', userUsage?.item)];
  const { start, lengthSeconds } = currentWindow(limits, context);
  return new LimitReached({
    reached: reached.map((name) => ({ name, limit: limits[name] })),
    windowSeconds: lengthSeconds,
    secondsLeft: start + lengthSeconds - seconds(context.now),
  });
}
