import { PutCommand, type PutCommandInput } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../../environment.ts';
import { type Action, database, run } from '../../platform/dynamodb.ts';
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
 * @throws ConditionalCheckFailedException if the action of `putCompleted` would fail, or if a record with the same claim is
 *   completed. Use `failedCondition` to read the error
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the request is claimed
 */
export async function putInProgress(record: IdempotencyRecord, context: RequestContext): Promise<void> {
  await put(newItemOf(record, { claimEnds: seconds(context.now) + leaseSeconds }, context), context);
}

/**
 * Ends the lease of a claim, so that a repeat can claim the request immediately.
 *
 * @throws ConditionalCheckFailedException if the request is completed, or no longer has this claim
 * @throws Unavailable if DynamoDB is unavailable: the lease may then last until its regular end
 */
export async function endLease(record: IdempotencyRecord, context: RequestContext): Promise<void> {
  // Without the condition, this write could restore a record that the purge of a deleted dog has removed.
  const released = {
    ...itemOf(record, { claimEnds: 0 }, context),
    ConditionExpression: ownClaim,
    ExpressionAttributeValues: { ':claim': record.claim },
  };
  await put(released, context);
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

async function put(input: PutCommandInput, context: RequestContext): Promise<void> {
  await run((options) => database.send(new PutCommand(input), options), context);
}
