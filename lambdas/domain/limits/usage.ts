import { environment } from '../../environment.ts';
import { type Dog, recipientsOfDog } from '../dogs/dog.ts';
import type { Action, FailedCondition, Part } from '../platform/commit.ts';
import { clockSkewSeconds, type RequestContext, seconds } from '../platform/request-context.ts';
import { usagePrefix } from './keys.ts';

export interface ReachedLimit {
  readonly name: `${'barks' | 'mails'}Per${'Dog' | 'User'}`;
  readonly limit: number;
}

/** Nothing was changed or sent. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached';
  readonly reached: readonly ReachedLimit[];
  readonly windowSeconds: number;
  /** Until the window ends. */
  readonly secondsLeft: number;

  constructor({
    reached,
    windowSeconds,
    secondsLeft,
  }: Pick<LimitReached, 'reached' | 'windowSeconds' | 'secondsLeft'>) {
    super('A limit on barks or mail is reached.');
    this.reached = reached;
    this.windowSeconds = windowSeconds;
    this.secondsLeft = secondsLeft;
  }
}

type Counter = 'barks' | 'mails';

/** 0 means that there is no limit. */
type Limits = Readonly<Record<ReachedLimit['name'], number>> & { readonly limitWindowMinutes: number };

/** Every window begins at a multiple of its length, so that all functions count in the same windows. */
interface Window {
  /** In Unix seconds. */
  readonly start: number;
  readonly lengthSeconds: number;
}

export interface Usage {
  readonly dog: string;
  /** Undefined for a schedule's occurrence, which counts only towards the dog's limits. */
  readonly user?: string | undefined;
  readonly counters: readonly Counter[];
}

export function usageOfBark(dog: Dog, user: string | undefined): Usage {
  return { dog: dog.id, user, counters: recipientsOfDog(dog).length > 0 ? ['barks', 'mails'] : ['barks'] };
}

/** The part has no actions if no limit applies. */
export function countUsage(usage: Usage, context: RequestContext): Part<LimitReached> {
  const tallies = talliesOf(usage, context);
  return {
    actions: tallies.map(increase),
    judge: (failures) => ({ refusal: limitReached(tallies, failures, context) }),
  };
}

/** Reverses `countUsage`. The plan must ensure that this part is written at most once, and only after the count. */
export function uncountUsage(usage: Usage, context: RequestContext): Part {
  const actions = talliesOf(usage, context).map((tally) => changeBy(-1, tally));
  return { actions, judge: () => 'written' };
}

interface Tally {
  /** A dog's ID, or `u#` and a user's name. No dog's ID contains `#`. */
  readonly partition: string;
  readonly window: Window;
  readonly limited: readonly (ReachedLimit & { readonly counter: Counter })[];
}

function talliesOf({ dog, user, counters }: Usage, { now }: RequestContext): Tally[] {
  if (!process.env.LIMITS) return [];
  const limits: Limits = JSON.parse(process.env.LIMITS);
  const lengthSeconds = limits.limitWindowMinutes * 60;
  const window = { start: Math.floor(seconds(now) / lengthSeconds) * lengthSeconds, lengthSeconds };
  const tallyOf = (partition: string, scope: 'Dog' | 'User'): Tally => ({
    partition,
    window,
    limited: counters
      .map((counter) => ({ counter, name: `${counter}Per${scope}` as const }))
      .map((one) => ({ ...one, limit: limits[one.name] }))
      .filter(({ limit }) => limit > 0),
  });
  const tallies = [tallyOf(dog, 'Dog'), ...(user === undefined ? [] : [tallyOf(`u#${user}`, 'User')])];
  return tallies.filter(({ limited }) => limited.length > 0);
}

function limitReached(
  tallies: readonly Tally[],
  failures: readonly (FailedCondition | undefined)[],
  { now }: RequestContext,
): LimitReached {
  const reached = tallies.flatMap(({ limited }, i) => {
    const stored: Partial<UsageItem> = failures[i]?.item ?? {};
    return limited.filter(({ counter, limit }) => (stored[counter] ?? 0) >= limit);
  });
  const { start, lengthSeconds } = (tallies[0] as Tally).window;
  return new LimitReached({
    reached: reached.map(({ name, limit }) => ({ name, limit })),
    windowSeconds: lengthSeconds,
    secondsLeft: start + lengthSeconds - seconds(now),
  });
}

/** An item in the barks table (see `docs/data-model.md`). Only limited counters are stored. */
interface UsageItem {
  readonly dog: string;
  readonly sk: string;
  readonly barks?: number;
  readonly mails?: number;
  readonly expires: number;
}

function increase(tally: Tally): Action {
  const { Update } = changeBy(1, tally);
  const maxima = tally.limited.map(({ counter, limit }) => [`:${counter}`, limit]);
  return {
    Update: {
      ...Update,
      ConditionExpression: tally.limited
        .map(({ counter }) => `(attribute_not_exists(${counter}) OR ${counter} < :${counter})`)
        .join(' AND '),
      ExpressionAttributeValues: { ...Update.ExpressionAttributeValues, ...Object.fromEntries(maxima) },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

function changeBy(change: 1 | -1, { partition, window: { start, lengthSeconds }, limited }: Tally) {
  return {
    Update: {
      TableName: environment('BARKS_TABLE'),
      Key: { dog: partition, sk: `${usagePrefix}${start}` },
      UpdateExpression: `SET expires = :expires ADD ${limited.map(({ counter }) => `${counter} :change`).join(', ')}`,
      // Another function's clock may be behind.
      ExpressionAttributeValues: { ':expires': start + lengthSeconds + clockSkewSeconds, ':change': change },
    },
  } satisfies Action;
}
