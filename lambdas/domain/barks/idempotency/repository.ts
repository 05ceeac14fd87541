import {
  DeleteCommand,
  type DeleteCommandInput,
  PutCommand,
  type PutCommandInput,
} from '@aws-sdk/lib-dynamodb';
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
 * expired, or is in progress with the same claim.
 */
export function putCompleted(
  record: IdempotencyRecord,
  outcome: BarkOutcome,
  context: RequestContext,
): Action {
  const [isUnused, isOwn] = [unused(context), ownClaim(record)];
  const condition = {
    expression: `${isUnused.expression} OR (${isOwn.expression})`,
    values: { ...isUnused.values, ...isOwn.values },
  };
  return { Put: putInput(record, { outcome }, condition, context) };
}

/**
 * Stores a record that is in progress. The record claims its request until the lease expires.
 *
 * @param others actions that must take effect together with the claim. If there are any, the write is a transaction, in which the
 *   action of the record has the name `idempotency`
 * @throws ConditionalCheckFailedException or ConditionsFailed if a record with the same key exists and has not expired. It can be
 *   the record of an earlier attempt at this write. Use `failedCondition` or `conditionFailuresOf` to read the error
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the request is claimed
 */
export async function putInProgress(
  record: IdempotencyRecord,
  others: Actions,
  context: RequestContext,
): Promise<void> {
  const claimEnds = seconds(context.now) + leaseSeconds;
  const Put = putInput(record, { claimEnds }, unused(context), context);
  if (hasActions(others)) await transact({ idempotency: { Put }, ...others }, context);
  else await run((options) => database.send(new PutCommand(Put), options), context);
}

/**
 * Ends the lease of a claim for good. No run can complete the request afterwards.
 *
 * @throws ConditionalCheckFailedException if the request is completed, no longer has this claim, or its lease has already been ended
 * @throws Unavailable if DynamoDB is unavailable: the lease may then last until its regular end
 */
export async function endLease(record: IdempotencyRecord, context: RequestContext): Promise<void> {
  // Without the condition, this write could restore a record that the purge of a deleted dog has removed.
  const command = new PutCommand(putInput(record, { claimEnds: 0 }, ownClaim(record), context));
  await run((options) => database.send(command, options), context);
}

/**
 * Deletes a claim, so that its key is unused again.
 *
 * @param others actions that must take effect together with the deletion, and only once
 * @throws ConditionalCheckFailedException or ConditionsFailed if the request is completed, or does not have this claim
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the request is claimed
 */
export async function deleteClaim(
  record: IdempotencyRecord,
  others: Actions,
  context: RequestContext,
): Promise<void> {
  const Delete: DeleteCommandInput = {
    TableName: environment('BARKS_TABLE'),
    Key: { dog: record.dog, sk: record.sk },
    ...checkOf(ownClaim(record)),
  };
  if (hasActions(others)) await transact({ idempotency: { Delete }, ...others }, context);
  else await run((options) => database.send(new DeleteCommand(Delete), options), context);
}

interface Condition {
  readonly expression: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The condition that no valid record has the key. */
function unused({ now }: RequestContext): Condition {
  return {
    expression: 'attribute_not_exists(sk) OR expires <= :now',
    values: { ':now': seconds(now) },
  };
}

/** The condition that the record has this claim, is not completed, and that nothing has ended the lease of the claim. */
function ownClaim({ claim }: IdempotencyRecord): Condition {
  return {
    expression: 'claim = :claim AND claimEnds > :ended',
    values: { ':claim': claim, ':ended': 0 },
  };
}

function putInput(
  record: IdempotencyRecord,
  state: IdempotencyState,
  condition: Condition,
  context: RequestContext,
): PutCommandInput {
  const expires = seconds(context.now) + recordLifetimeSeconds;
  return {
    TableName: environment('BARKS_TABLE'),
    Item: { ...record, ...state, expires },
    ...checkOf(condition),
  };
}

function checkOf({ expression, values }: Condition) {
  return {
    ConditionExpression: expression,
    ExpressionAttributeValues: values,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
}
