import { environment } from '../../../environment.ts';
import { nameIn, sortKey } from '../../dogs/keys.ts';
import type { Action } from '../../platform/dynamodb.ts';
import { type RequestContext, seconds } from '../../platform/request-context.ts';
import type { AsyncBark, PendingMarker } from '../bark.ts';

/**
 * The status that a stored bark must have: pending and before its deadline, pending with the claim that it had when it was read,
 * or claimed by a given invocation.
 */
export type ExpectedStatus =
  | 'pending'
  | { readonly lastClaim: string | undefined }
  | { readonly claimedBy: string };

/** Returns the actions that write a new bark and its marker. They fail if either of the two already exists. */
export function putAsyncBark(bark: AsyncBark): { bark: Action; marker: Action } {
  const { incarnation, deadline } = bark;
  const marker: PendingMarker = { ...markerKey(bark), incarnation, expires: deadline };
  return { bark: put(bark), marker: put(marker) };
}

function put(item: AsyncBark | PendingMarker): Action {
  return {
    Put: {
      TableName: environment('BARKS_TABLE'),
      Item: item,
      ConditionExpression: 'attribute_not_exists(sk)',
    },
  };
}

/** Returns the action that deletes the marker of a bark. It succeeds even if the marker does not exist. */
export function deleteMarker(bark: AsyncBark): Action {
  return { Delete: { TableName: environment('BARKS_TABLE'), Key: markerKey(bark) } };
}

/** Returns the key of the marker of a pending bark. Markers sort by deadline. */
function markerKey({ dog, sk, deadline }: AsyncBark): Pick<PendingMarker, 'dog' | 'sk'> {
  return { dog, sk: sortKey('pendingMarker', `${deadline}#${nameIn(sk)}`) };
}

/**
 * Returns the input of the update that changes attributes of a bark. The update fails if the stored bark does not have the expected
 * status.
 *
 * @param changes the attributes to change; the value `undefined` removes an attribute
 */
export function asyncBarkUpdate(
  { dog, sk }: AsyncBark,
  expected: ExpectedStatus,
  changes: Partial<AsyncBark>,
  context: RequestContext,
): NonNullable<Action['Update']> {
  const names = Object.keys(changes) as (keyof AsyncBark)[];
  const kept = names.filter((name) => changes[name] !== undefined);
  const condition = conditionOf(expected, context);
  return {
    TableName: environment('BARKS_TABLE'),
    Key: { dog, sk },
    UpdateExpression: updateExpressionOf(
      kept,
      names.filter((name) => changes[name] === undefined),
    ),
    ConditionExpression: condition.expression,
    ExpressionAttributeNames: {
      '#status': 'status',
      ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: {
      ...condition.values,
      ...Object.fromEntries(kept.map((name) => [`:${name}`, changes[name]])),
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

function updateExpressionOf(kept: readonly string[], removed: readonly string[]): string {
  const set = `SET ${kept.map((name) => `#${name} = :${name}`).join(', ')}`;
  return removed.length > 0 ? `${set} REMOVE ${removed.map((name) => `#${name}`).join(', ')}` : set;
}

function conditionOf(
  expected: ExpectedStatus,
  context: RequestContext,
): { expression: string; values: Record<string, unknown> } {
  if (typeof expected === 'object' && 'claimedBy' in expected)
    return {
      expression: '#status = :isInProgress AND claim = :claimedBy',
      values: { ':isInProgress': 'inProgress', ':claimedBy': expected.claimedBy },
    };
  const isPending = '#status = :isPending AND deadline > :now';
  const values = { ':isPending': 'pending', ':now': seconds(context.now) };
  if (expected === 'pending') return { expression: isPending, values };
  if (expected.lastClaim === undefined)
    return { expression: `${isPending} AND attribute_not_exists(claim)`, values };
  return {
    expression: `${isPending} AND claim = :lastClaim`,
    values: { ...values, ':lastClaim': expected.lastClaim },
  };
}
