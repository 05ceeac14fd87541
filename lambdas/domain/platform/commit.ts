import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DeleteCommand,
  type PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  type UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { conditionFailed, database, isConditionFailed, run } from './dynamodb.ts';
import type { RequestContext } from './request-context.ts';

export type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export type Item = Readonly<Record<string, unknown>>;

export interface FailedCondition {
  /** Undefined if there is no item, or if the action has no `ReturnValuesOnConditionCheckFailure`. */
  readonly item: Item | undefined;
  /** True if an earlier attempt at the write may have been applied. */
  readonly wasRetried: boolean;
}

/**
 * - `written`: an earlier attempt at this commit has written the parts, but its response was lost.
 * - `again`: this part can be written in another way. The other parts stay as they are.
 * - `refusal`: nothing is written, and the caller decides what follows.
 */
export type Verdict<Refusal> = 'written' | { readonly again: Part<Refusal> } | { readonly refusal: Refusal };

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
  /** @param failures in the order of the actions; undefined for an action whose condition did not fail */
  judge(failures: readonly (FailedCondition | undefined)[]): Verdict<Refusal>;
}

/** In the order in which failed conditions are judged. */
type Plan = Readonly<Record<string, Part<never> | Part<unknown> | undefined>>;

type RefusalOf<P> = P extends Part<infer Refusal> ? Refusal : never;

/** Each part that can refuse needs an entry, so that no refusal is lost. */
type Refused<P extends Plan> = {
  readonly [Name in keyof P as [RefusalOf<NonNullable<P[Name]>>] extends [never] ? never : Name]: (
    refusal: RefusalOf<NonNullable<P[Name]>>,
  ) => unknown;
};

/** Writes all parts of a plan, or none. Of the parts whose conditions fail, the first one in the plan decides what follows. */
export async function commit<const P extends Plan, Written, R extends Refused<P>>(
  plan: P,
  ends: {
    /** @param item the written item, if the plan is a single write that returns it */
    readonly written: (item: Item | undefined) => Written | Promise<Written>;
    readonly refused: R;
  },
  context: RequestContext,
): Promise<Written | Awaited<ReturnType<R[keyof R]>>> {
  const refused = ends.refused as Readonly<Record<string, (refusal: unknown) => ReturnType<R[keyof R]>>>;
  const parts = new Map<string, Part<unknown>>();
  for (const [name, part] of Object.entries(plan)) if (part?.actions.length) parts.set(name, part);
  for (;;) {
    const attempt = await write([...parts.values()], context);
    if (!('failures' in attempt)) return ends.written(attempt.item);
    const [name, part] = [...parts][attempt.part] as [string, Part<unknown>];
    const verdict = part.judge(attempt.failures);
    if (verdict === 'written') return ends.written(undefined);
    if ('refusal' in verdict)
      return (await refused[name]?.(verdict.refusal)) as Awaited<ReturnType<R[keyof R]>>;
    parts.set(name, verdict.again);
  }
}

/** The outcome of a commit that must start again from its read, because another change came first. */
export const outdated = Symbol('outdated');

export async function untilCommitted<Result>(
  attempt: () => Promise<Result | typeof outdated>,
): Promise<Result> {
  for (;;) {
    const result = await attempt();
    if (result !== outdated) return result;
  }
}

export function raise(refusal: Error): never {
  throw refusal;
}

/** The item, if a single write returned it, or the first part whose conditions failed. */
type Attempt =
  | { readonly item?: Item | undefined }
  | { readonly part: number; readonly failures: readonly (FailedCondition | undefined)[] };

function write(parts: readonly Part<unknown>[], context: RequestContext): Promise<Attempt> {
  const [first, ...others] = parts;
  if (!first) return Promise.resolve({});
  return first.single && others.length === 0 ? writeSingle(first.single, context) : transact(parts, context);
}

async function writeSingle(
  { command, isOwn }: NonNullable<Part['single']>,
  context: RequestContext,
): Promise<Attempt> {
  try {
    // The three commands have the same options and, if the write returns the item, the same output.
    const send = (options: { abortSignal: AbortSignal }) => database.send(command as UpdateCommand, options);
    return { item: (await run(send, context)).Attributes };
  } catch (error) {
    if (!isConditionFailed(error)) throw error;
    const failure = failedCondition(error, error.$metadata);
    return isOwn(failure.item) ? { item: failure.item } : { part: 0, failures: [failure] };
  }
}

/** All attempts share a client request token, so DynamoDB applies the transaction only once, even if a response is lost. */
async function transact(parts: readonly Part<unknown>[], context: RequestContext): Promise<Attempt> {
  const command = new TransactWriteCommand({
    ClientRequestToken: crypto.randomUUID(),
    TransactItems: parts.flatMap(({ actions }) => actions),
  });
  try {
    await run((options) => database.send(command, options), context);
    return {};
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    // In the order of the actions.
    const failures = (error.CancellationReasons ?? []).map((reason) =>
      reason.Code === conditionFailed ? failedCondition(reason, error.$metadata) : undefined,
    );
    for (const [part, { actions }] of parts.entries()) {
      const own = failures.splice(0, actions.length);
      if (own.some((failure) => failure)) return { part, failures: own };
    }
    throw error;
  }
}

function failedCondition(
  { Item }: Pick<CancellationReason, 'Item'>,
  { attempts = 1 }: { readonly attempts?: number | undefined },
): FailedCondition {
  return { item: Item && unmarshall(Item), wasRetried: attempts > 1 };
}
