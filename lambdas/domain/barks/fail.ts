import { commit } from '../platform/commit.ts';
import { NotYet } from '../platform/errors.ts';
import { logEvent } from '../platform/logging.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { type ExpectedStatus, endBark } from './async-bark.ts';
import { type AsyncBark, idOf, isOpen, mailUnknown } from './bark.ts';
import { findAsyncBark } from './barks-table.ts';

/**
 * Fails a bark that its workflow could not complete. Does nothing if the bark does not exist, or if it is already complete,
 * failed or cancelled.
 *
 * @throws NotYet if an invocation has claimed the bark, and the lease of the claim has not expired
 * @throws Unavailable if DynamoDB is unavailable; safe to call again
 */
export async function failBark(dogId: string, barkId: string, context: RequestContext): Promise<void> {
  const item = await findAsyncBark(dogId, barkId, context);
  if (item && isOpen(item)) await failUnlessLeased(item, context);
}

/**
 * Fails a bark that is pending or in progress, and logs the failure.
 *
 * @returns the status of the bark, or undefined if it no longer exists
 * @throws NotYet if an invocation has claimed the bark, and the lease of the claim has not expired
 * @throws Unavailable if DynamoDB is unavailable; safe to call again
 */
export async function failUnlessLeased(
  item: AsyncBark,
  context: RequestContext,
): Promise<AsyncBark['status'] | undefined> {
  if (item.status === 'inProgress' && (item.claimEnds ?? 0) > seconds(context.now))
    throw new NotYet(`Another run is performing the bark "${idOf(item)}".`);
  const reason = item.status === 'inProgress' ? mailUnknown : 'The service failed.';
  logEvent('BarkFailed', { dog: item.dog, bark: idOf(item), reason });
  const isClaimed = item.status === 'inProgress' && item.claim !== undefined;
  return setFailed(item, isClaimed ? { claimedBy: item.claim } : 'pending', reason, context);
}

/**
 * Sets the status of a bark to `failed`, with a reason that clients see. Does nothing if the bark does not have the expected
 * status.
 *
 * @returns the status of the bark, or undefined if it no longer exists
 * @throws Unavailable if DynamoDB is unavailable; safe to call again
 */
export function setFailed(
  item: AsyncBark,
  expected: ExpectedStatus,
  reason: string,
  context: RequestContext,
): Promise<AsyncBark['status'] | undefined> {
  return commit(
    { bark: endBark(item, expected, { status: 'failed', reason }, context) },
    { written: () => 'failed', refused: { bark: (stored) => stored?.status } },
    context,
  );
}
