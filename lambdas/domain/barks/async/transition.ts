import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  type Actions,
  conditionFailuresOf,
  database,
  failedCondition,
  run,
  transact,
} from '../../platform/dynamodb.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import type { AsyncBark } from '../bark.ts';
import { asyncBarkUpdate, deleteMarker, type ExpectedStatus } from './repository.ts';

/** The result of a transition. If the transition failed, `found` is the stored bark, or undefined if the bark does not exist. */
export type Transition =
  | { readonly succeeded: true }
  | { readonly succeeded: false; readonly found: AsyncBark | undefined };

/**
 * Moves an asynchronous bark to a final status in one transaction with `others`, and deletes its marker. Every change of the status
 * is a conditional write, so that only one of several competing changes succeeds, for example if a client cancels a bark while a
 * run claims it.
 *
 * @param changes the attributes to change; the value `undefined` removes an attribute
 * @param others the other actions of the transaction
 * @throws ConditionsFailed if only conditions of `others` failed. Use `conditionFailuresOf` to read the error
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the transition succeeded
 */
export async function transition(
  item: AsyncBark,
  expected: ExpectedStatus,
  changes: Partial<AsyncBark>,
  others: Actions,
  context: RequestContext,
): Promise<Transition> {
  try {
    const bark = { Update: asyncBarkUpdate(item, expected, changes, context) };
    await transact({ bark, marker: deleteMarker(item), ...others }, context);
    return { succeeded: true };
  } catch (error) {
    const failure = conditionFailuresOf<'bark'>(error)?.bark;
    if (!failure) throw error;
    return { succeeded: false, found: failure.item as AsyncBark | undefined };
  }
}

/** The status and the claim of a bark that a run claims or releases. */
interface ClaimChange {
  readonly status: 'pending' | 'inProgress';
  /** Identifies the run. */
  readonly claim: string;
  readonly claimEnds: number | undefined;
}

/**
 * Claims or releases a bark with a single write, which costs half as much as a transaction. If the response of an earlier attempt
 * was lost, this function recognizes that attempt by the stored claim. An attempt that arrives late has no effect, because the
 * bark no longer has the claim that `expected` requires.
 *
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the bark changed
 */
export async function setClaim(
  item: AsyncBark,
  expected: Exclude<ExpectedStatus, 'pending'>,
  change: ClaimChange,
  context: RequestContext,
): Promise<Transition> {
  const command = new UpdateCommand(asyncBarkUpdate(item, expected, change, context));
  try {
    await run((options) => database.send(command, options), context);
    return { succeeded: true };
  } catch (error) {
    const failure = failedCondition(error);
    if (!failure) throw error;
    const found = failure.item as AsyncBark | undefined;
    const isDone = found?.status === change.status && found.claim === change.claim;
    return isDone ? { succeeded: true } : { succeeded: false, found };
  }
}
