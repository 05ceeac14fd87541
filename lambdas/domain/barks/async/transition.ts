import { environment } from '../../../environment.ts';
import { type Action, type Actions, conflictsOf, transact } from '../../platform/dynamodb.ts';
import { type RequestContext, seconds } from '../../platform/request-context.ts';
import type { AsyncBark } from '../bark.ts';
import { nameIn, sortKey } from '../keys.ts';

/** What a transition demands of the bark as it is stored: that it is pending and in time, or begun by this invocation. */
export type ExpectedStatus = 'pending' | { readonly claimedBy: string };

/** How a transition ended: it was made, or the bark was in this other state (undefined: it is gone). */
export type Transition =
  | { readonly made: true }
  | { readonly made: false; readonly found: AsyncBark | undefined };

/**
 * Moves an asynchronous bark to a state, together with what else must happen or not happen with it. Cancelling,
 * beginning, completing and failing compete here, for one conditional write: one of them wins.
 *
 * @param set the attributes that change; `undefined` removes one
 * @throws whatever makes one of the other actions fail
 */
export async function transition(
  item: AsyncBark,
  demand: ExpectedStatus,
  set: Partial<AsyncBark>,
  others: Actions,
  context: RequestContext,
): Promise<Transition> {
  try {
    const staysOpen = set.status === 'inProgress' || set.status === 'pending';
    const marker = staysOpen ? undefined : removeMarker(item);
    await transact({ bark: updateBark(item, demand, set, context), marker, ...others }, context);
    return { made: true };
  } catch (error) {
    const conflict = conflictsOf<'bark'>(error)?.bark;
    if (!conflict) throw error;
    return { made: false, found: conflict.item as AsyncBark | undefined };
  }
}

function updateBark(
  { dog, sk }: AsyncBark,
  demand: ExpectedStatus,
  set: Partial<AsyncBark>,
  context: RequestContext,
): Action {
  const names = Object.keys(set) as (keyof AsyncBark)[];
  const kept = names.filter((name) => set[name] !== undefined);
  const removed = names.filter((name) => set[name] === undefined);
  const condition = conditionOf(demand, context);
  return {
    Update: {
      TableName: environment('BARKS_TABLE'),
      Key: { dog, sk },
      UpdateExpression: [
        `SET ${kept.map((name) => `#${name} = :${name}`).join(', ')}`,
        removed.length > 0 ? `REMOVE ${removed.map((name) => `#${name}`).join(', ')}` : '',
      ].join(' '),
      ConditionExpression: condition.expression,
      ExpressionAttributeNames: {
        '#status': 'status',
        ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
      },
      ExpressionAttributeValues: {
        ...condition.values,
        ...Object.fromEntries(kept.map((name) => [`:${name}`, set[name]])),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

function conditionOf(
  demand: ExpectedStatus,
  context: RequestContext,
): { expression: string; values: Record<string, unknown> } {
  if (demand === 'pending')
    return {
      expression: '#status = :isPending AND deadline > :now',
      values: { ':isPending': 'pending', ':now': seconds(context.now) },
    };
  return {
    expression: '#status = :isInProgress AND claim = :mine',
    values: { ':isInProgress': 'inProgress', ':mine': demand.claimedBy },
  };
}

/** The key of the item that says that a bark is pending: it sorts by deadline, so that the overdue ones are passed by. */
export function markerKey({ dog, sk, deadline }: AsyncBark): { dog: string; sk: string } {
  return { dog, sk: sortKey('pendingMarker', `${deadline}#${nameIn(sk)}`) };
}

function removeMarker(item: AsyncBark): Action {
  return { Delete: { TableName: environment('BARKS_TABLE'), Key: markerKey(item) } };
}
