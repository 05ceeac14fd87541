import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import { nameIn, sortKey } from '../dogs/keys.ts';
import type { Action, Part } from '../platform/commit.ts';
import { database } from '../platform/dynamodb.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import type { AsyncBark, PendingMarker } from './bark.ts';

/**
 * The status that a stored bark must have: pending and before its deadline, pending with the claim that it had when it was read,
 * or claimed by a given invocation.
 */
export type ExpectedStatus =
  | 'pending'
  | { readonly lastClaim: string | undefined }
  | { readonly claimedBy: string };

/**
 * Returns the part that writes a new bark and its marker. Their keys are unique to the request, so a bark with the key is that of an
 * earlier attempt.
 */
export function addAsyncBark(bark: AsyncBark): Part {
  const { incarnation, deadline } = bark;
  const marker: PendingMarker = { ...markerKey(bark), incarnation, expires: deadline };
  return { actions: [put(bark), put(marker)], judge: () => 'written' };
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

/**
 * Returns the part that moves a bark to a final status, and deletes its marker. It refuses, with the stored bark, if the bark does not
 * have the expected status. Only one of several competing changes therefore succeeds, for example if a client cancels a bark while
 * a run claims it.
 *
 * @param changes the attributes to change; the value `undefined` removes an attribute
 */
export function endBark(
  bark: AsyncBark,
  expected: ExpectedStatus,
  changes: Partial<AsyncBark>,
  context: RequestContext,
): Part<AsyncBark | undefined> {
  const marker = { Delete: { TableName: environment('BARKS_TABLE'), Key: markerKey(bark) } };
  return {
    actions: [{ Update: asyncBarkUpdate(bark, expected, changes, context) }, marker],
    judge: ([failure]) => ({ refusal: failure?.item as AsyncBark | undefined }),
  };
}

/** The status and the claim of a bark that a run claims or releases. */
interface ClaimChange {
  readonly status: 'pending' | 'inProgress';
  /** Identifies the run. */
  readonly claim: string;
  readonly claimEnds: number | undefined;
}

/**
 * Returns the part that claims or releases a bark. It refuses, with the stored bark, if the bark does not have the expected status. An
 * attempt that arrives late has no effect, because the bark no longer has the claim that `expected` requires.
 */
export function setClaim(
  bark: AsyncBark,
  expected: Exclude<ExpectedStatus, 'pending'>,
  change: ClaimChange,
  context: RequestContext,
): Part<AsyncBark | undefined> {
  const update = asyncBarkUpdate(bark, expected, change, context);
  return {
    actions: [{ Update: update }],
    single: {
      write: async (options) => void (await database.send(new UpdateCommand(update), options)),
      isOwn: (stored) => stored?.status === change.status && stored.claim === change.claim,
    },
    judge: ([failure]) => ({ refusal: failure?.item as AsyncBark | undefined }),
  };
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
function asyncBarkUpdate(
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
