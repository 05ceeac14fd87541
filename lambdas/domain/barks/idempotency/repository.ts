import { PutCommand, type PutCommandInput } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../../environment.ts';
import { hasActions } from '../../limits/usage.ts';
import { type Action, type Actions, database, run, transact } from '../../platform/dynamodb.ts';
import { leaseSeconds, type RequestContext, seconds } from '../../platform/request-context.ts';
import type { BarkOutcome } from '../request.ts';
import type { IdempotencyRecord, IdempotencyState } from './record.ts';

/** The lifetime of a record, in seconds. During that time, the service detects repeats of the request. */
const recordLifetimeSeconds = 24 * 60 * 60;

/**
 * Returns the action that stores the outcome of a request. It fails if a record with the same key exists, unless that record has
 * expired, has the same claim, or has the same payload and an expired lease.
 */
export function putCompleted(
  record: IdempotencyRecord,
  outcome: BarkOutcome,
  context: RequestContext,
): Action {
  return { Put: newItemOf(record, { outcome }, context) };
}

/**
 * Stores a record that is in progress. The record claims its request until the lease expires.
 *
 * @param others actions that must take effect together with the claim. If there are any, the write is a transaction, in which the
 *   action of the record has the name `idempotency`
 * @throws ConditionalCheckFailedException or ConditionsFailed if the action of `putCompleted` would fail, or if a record with the
 *   same claim is completed. Use `failedCondition` or `conditionFailuresOf` to read the error
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the request is claimed
 */
export async function putInProgress(
  record: IdempotencyRecord,
  others: Actions,
  context: RequestContext,
): Promise<void> {
  const claimEnds = seconds(context.now) + leaseSeconds;
  await put(newItemOf(record, { claimEnds }, context), others, context);
}

/**
 * Ends the lease of a claim, so that a repeat can claim the request immediately.
 *
 * @param others actions that must take effect together with the release, and only once
 * @throws ConditionalCheckFailedException or ConditionsFailed if the request is completed, no longer has this claim, or is already
 *   released
 * @throws Unavailable if DynamoDB is unavailable: the lease may then last until its regular end
 */
export async function endLease(
  record: IdempotencyRecord,
  others: Actions,
  context: RequestContext,
): Promise<void> {
  // Without the condition, this write could restore a record that the purge of a deleted dog has removed.
  const released = {
    ...itemOf(record, { claimEnds: 0 }, context),
    ConditionExpression: `${ownClaim} AND claimEnds > :ended`,
    ExpressionAttributeValues: { ':claim': record.claim, ':ended': 0 },
  };
  await put(released, others, context);
}

/**
 * The condition that the record has this claim and no outcome. The write that stores a claim may reach DynamoDB twice or late,
 * and must not overwrite an outcome.
 */
const ownClaim = 'claim = :claim AND attribute_not_exists(outcome)';

function newItemOf(
  record: IdempotencyRecord,
  state: IdempotencyState,
  context: RequestContext,
): PutCommandInput {
  const own = 'outcome' in state ? 'claim = :claim' : `(${ownClaim})`;
  return {
    ...itemOf(record, state, context),
    ConditionExpression: `attribute_not_exists(sk) OR expires <= :now OR ${own} OR (payloadHash = :payloadHash AND claimEnds <= :now)`,
    ExpressionAttributeValues: {
      ':now': seconds(context.now),
      ':claim': record.claim,
      ':payloadHash': record.payloadHash,
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

function itemOf(record: IdempotencyRecord, state: IdempotencyState, context: RequestContext) {
  const expires = seconds(context.now) + recordLifetimeSeconds;
  return { TableName: environment('BARKS_TABLE'), Item: { ...record, ...state, expires } };
}

async function put(input: PutCommandInput, others: Actions, context: RequestContext): Promise<void> {
  if (hasActions(others)) await transact({ idempotency: { Put: input }, ...others }, context);
  else await run((options) => database.send(new PutCommand(input), options), context);
}
