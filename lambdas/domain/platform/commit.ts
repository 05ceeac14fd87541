import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DeleteCommand,
  type PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  type UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { conditionFailed, isConditionFailed, send } from './dynamodb.ts';
import type { RequestContext } from './request-context.ts';

export type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export type Item = Readonly<Record<string, unknown>>;

/** An expression, and the values of its placeholders. */
export interface Condition {
  readonly expression: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The attributes have these values. A value must not be undefined. */
export function equal(attributes: Readonly<Record<string, unknown>>): Condition {
  const entries = Object.entries(attributes);
  return {
    expression: entries.map(([name]) => `${name} = :${name}`).join(' AND '),
    values: Object.fromEntries(entries.map(([name, value]) => [`:${name}`, value])),
  };
}

/** @param changes the value `undefined` removes an attribute */
export function updateOf<Item extends object>(
  item: { readonly TableName: string; readonly Key: Readonly<Record<string, string>> },
  changes: Partial<Item>,
  { expression, values }: Condition,
) {
  const entries = Object.entries(changes);
  const set = entries.filter(([, value]) => value !== undefined);
  const removed = entries.filter(([, value]) => value === undefined);
  const remove = removed.length > 0 ? ` REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}` : '';
  return {
    ...item,
    UpdateExpression: `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}${remove}`,
    ConditionExpression: expression,
    ExpressionAttributeNames: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...values,
      ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
}

export interface FailedCondition {
  /** Undefined if there is no item, or if the action has no `ReturnValuesOnConditionCheckFailure`. */
  readonly item: Item | undefined;
  /** True if an earlier attempt at the write may have been applied. */
  readonly wasRetried: boolean;
}

/** A change of state: what it writes, and what a failure of its conditions means. */
export interface Part<Refusal = never> {
  /** Empty if there is nothing to write, for example because a limit is off. */
  readonly actions: readonly Action[];
  /**
   * Present if the part may be written without a transaction, for half the price. Because such a write has no client request
   * token, the stored item must show whether an earlier attempt succeeded.
   */
  readonly single?: {
    readonly command: DeleteCommand | PutCommand | UpdateCommand;
    isOwn(stored: Item | undefined): boolean;
  };
  /**
   * Returns `written` if an earlier attempt has written the parts, but its response was lost.
   *
   * @param failures in the order of the actions; undefined for an action whose condition did not fail
   */
  judge(failures: Failures): 'written' | { readonly refusal: Refusal };
}

/** In the order in which failed conditions are judged. */
type Plan = Readonly<Record<string, Part | Part<unknown> | undefined>>;

type RefusalOf<P> = P extends Part<infer Refusal> ? Refusal : never;

/** Which part refused the commit, and why: a union with one member for each part that can refuse. */
type Refused<P extends Plan> = {
  [Name in keyof P]: [RefusalOf<NonNullable<P[Name]>>] extends [never]
    ? never
    : { readonly by: Name; readonly refusal: RefusalOf<NonNullable<P[Name]>> };
}[keyof P];

/**
 * Writes all parts of a plan, or none. Of the parts whose conditions fail, the first one in the plan decides.
 *
 * @returns undefined if everything is written
 */
export async function commit<const P extends Plan>(
  plan: P,
  context: RequestContext,
): Promise<Refused<P> | undefined> {
  const parts = Object.entries(plan).filter(
    (one): one is [string, Part<unknown>] => (one[1]?.actions.length ?? 0) > 0,
  );
  const written = parts.map(([, part]) => part);
  const failures = await write(written, context);
  const first = failures.findIndex((own) => own.some((failure) => failure));
  const [by, part] = parts[first] ?? [];
  const verdict = part?.judge(failures[first] ?? []) ?? 'written';
  return verdict === 'written' ? undefined : ({ by, refusal: verdict.refusal } as Refused<P>);
}

/** Commits parts that cannot refuse. */
export function settle(
  plan: Readonly<Record<string, Part | undefined>>,
  context: RequestContext,
): Promise<void> {
  return commit(plan, context);
}

/** The outcome of an attempt that must start again from its read, because another change came first. */
export const outdated = Symbol('outdated');

/**
 * Each further attempt means that another write has succeeded, so concurrent callers cannot block each other. The deadline bounds
 * the attempts: once the context's signal aborts, each call to DynamoDB throws Unavailable.
 */
export async function untilCommitted<Result>(
  attempt: () => Promise<Result | typeof outdated>,
): Promise<Result> {
  for (;;) {
    const result = await attempt();
    if (result !== outdated) return result;
  }
}

/**
 * Recognizes a repeat before anything can refuse it: if `decide` throws, the earlier request's outcome counts, because that request
 * or a later one may have caused the error.
 */
export async function repeatedIfRefused<Outcome>(
  decide: () => Promise<Outcome>,
  findEarlier: () => Promise<Outcome | undefined>,
): Promise<Outcome> {
  try {
    return await decide();
  } catch (error) {
    const earlier = await findEarlier();
    if (earlier === undefined) throw error;
    return earlier;
  }
}

type Failures = readonly (FailedCondition | undefined)[];

/** Returns the failures of each part, in the order of its actions; nothing if all parts are written. */
async function write(parts: readonly Part<unknown>[], context: RequestContext): Promise<Failures[]> {
  const [first, ...others] = parts;
  if (!first) return [];
  if (!first.single || others.length > 0) return transact(parts, context);
  const result = await writeSingle(first.single, context);
  return 'failure' in result ? [[result.failure]] : [];
}

/** Returns the item, if the command asks for it or an earlier attempt wrote it, or the failed condition. */
export async function writeSingle(
  { command, isOwn }: NonNullable<Part['single']>,
  context: RequestContext,
): Promise<{ readonly item: Item | undefined } | { readonly failure: FailedCondition }> {
  try {
    // The three commands have the same options and, if the write returns the item, the same output.
    return { item: (await send(command as UpdateCommand, context)).Attributes };
  } catch (error) {
    if (!isConditionFailed(error)) throw error;
    const failure = failedCondition(error, error.$metadata);
    return isOwn(failure.item) ? { item: failure.item } : { failure };
  }
}

/** All attempts share a client request token, so DynamoDB applies the transaction only once, even if a response is lost. */
async function transact(parts: readonly Part<unknown>[], context: RequestContext): Promise<Failures[]> {
  const command = new TransactWriteCommand({
    ClientRequestToken: crypto.randomUUID(),
    TransactItems: parts.flatMap(({ actions }) => actions),
  });
  try {
    await send(command, context);
    return [];
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    // In the order of the actions.
    const failures = (error.CancellationReasons ?? []).map((reason) =>
      reason.Code === conditionFailed ? failedCondition(reason, error.$metadata) : undefined,
    );
    if (!failures.some((failure) => failure)) throw error;
    return parts.map(({ actions }) => failures.splice(0, actions.length));
  }
}

function failedCondition(
  { Item }: Pick<CancellationReason, 'Item'>,
  { attempts = 1 }: { readonly attempts?: number | undefined },
): FailedCondition {
  return { item: Item && unmarshall(Item), wasRetried: attempts > 1 };
}
