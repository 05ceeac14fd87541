import { type Actions, conditionFailuresOf, transact } from '../../platform/dynamodb.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import type { AsyncBark } from '../bark.ts';
import { deleteMarker, type ExpectedStatus, updateAsyncBark } from './repository.ts';

/** The result of a transition. If the transition failed, `found` is the stored bark, or undefined if the bark does not exist. */
export type Transition =
  | { readonly succeeded: true }
  | { readonly succeeded: false; readonly found: AsyncBark | undefined };

/**
 * Moves an asynchronous bark to another status in one transaction with `others`. Every transition is a conditional write, so that
 * only one of several competing transitions succeeds, for example if a client cancels a bark while a run claims it.
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
    const staysOpen = changes.status === 'inProgress' || changes.status === 'pending';
    const marker = staysOpen ? undefined : deleteMarker(item);
    const bark = updateAsyncBark(item, expected, changes, context);
    await transact({ bark, marker, ...others }, context);
    return { succeeded: true };
  } catch (error) {
    const failure = conditionFailuresOf<'bark'>(error)?.bark;
    if (!failure) throw error;
    return { succeeded: false, found: failure.item as AsyncBark | undefined };
  }
}
