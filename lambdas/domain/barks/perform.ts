import { changedSince, countBark } from '../dogs/change.ts';
import { type Dog, isCounted, isRecorded, recipientsOf } from '../dogs/dog.ts';
import { commit, settle } from '../platform/commit.ts';
import { NotYet } from '../platform/errors.ts';
import { logEvent } from '../platform/logging.ts';
import { type RequestContext, releaseContext, seconds } from '../platform/request-context.ts';
import { type AsyncBark, claimBark, type ExpectedState, endBark, isOpen, releaseBark } from './async-bark.ts';
import { idOf, reasons } from './bark.ts';
import { asyncBarkOf, findAsyncBark, findDogAndBark } from './barks-table.ts';
import { addHistoryEntry, newHistoryEntry } from './history-entry.ts';
import { logMailFailure, sendBarkMail } from './mail.ts';
import { type Claim, leaseLeft, newClaim } from './mail-claim.ts';

/** The bark of a workflow execution is not stored: its request is still in progress, or ended without storing the bark. */
export class NotStored extends NotYet {
  override readonly name = 'NotStored';
}

/** With less time left, a run might not end before the deadline. */
const minTimeToDeadlineSeconds = 60;

/**
 * A task of the bark workflow. Step Functions may run the task twice, even concurrently.
 *
 *     without mail:  BatchGetItem dog, bark ──── TransactWriteItems (bark complete, entry, count)
 *     with mail:     BatchGetItem dog, bark ──── UpdateItem (claim) ──── SendRawEmail ──── TransactWriteItems (the same)
 *
 * | The function dies after | Stored                    | A later run                                               |
 * | ----------------------- | ------------------------- | --------------------------------------------------------- |
 * | BatchGetItem            | nothing                   | performs the bark                                         |
 * | the claim               | the claim                 | NotYet; after the lease, fails the bark: mail unknown     |
 * | SendRawEmail            | the claim; mail is sent   | the same                                                  |
 * | TransactWriteItems      | the bark and its entry    | finds the bark complete                                   |
 *
 * @returns the bark's status, or undefined if neither the bark nor the dog exists, or if the bark ended before this run could
 *   claim it
 * @throws NotStored if the dog exists, but the bark is not stored
 * @throws NotYet if another run has claimed the bark and its lease has not expired
 * @throws MailNotSent, MailUnavailable if no mail was sent, but a later run may send it
 */
export async function performBark(
  dogId: string,
  barkId: string,
  context: RequestContext,
): Promise<AsyncBark['status'] | undefined> {
  const { dog, item: found } = await findDogAndBark(dogId, barkId, context);
  const item = asyncBarkOf(found);
  // The bark was purged, or its request is still in progress. If the dog is gone, no client could see the bark anyway.
  if (!item && !dog) return undefined;
  if (!item) throw new NotStored(`The bark "${barkId}" has not been stored yet.`);
  if (!isOpen(item)) return item.status;
  if (item.deadline - minTimeToDeadlineSeconds <= seconds(context.now)) {
    logFailure(item, reasons.notInTime);
    return 'failed';
  }
  if (item.status === 'inProgress') return failUnlessLeased(item, context);
  if (dog?.incarnation !== item.incarnation) return setFailed(item, 'pending', reasons.dogDeleted, context);
  const recipients = recipientsOf(item.effects, dog.settings);
  const addresses = recipients.filter((address) => address !== undefined);
  if (addresses.length < recipients.length) return setFailed(item, 'pending', reasons.noAddress, context);
  if (addresses.length === 0) return complete(dog, item, 'pending', context);
  const claim = newClaim(context);
  if (!(await claimForRun(item, claim, context))) return undefined;
  const claimed = { claimedBy: claim.claim };
  const mail = { dog, recipients: addresses, message: item.message, at: context.now };
  const failure = await sendBarkMail(mail, context);
  if (!failure) return complete(dog, item, claimed, context);
  if (failure.outcome === 'not sent') {
    await settle({ bark: releaseBark(item, claim) }, releaseContext(context));
    throw failure;
  }
  logMailFailure({ dog: item.dog, bark: idOf(item) }, failure);
  return setFailed(item, claimed, failure.message, context);
}

async function claimForRun(item: AsyncBark, claim: Claim, context: RequestContext): Promise<boolean> {
  const refused = await commit({ bark: claimBark(item, claim, context) }, context);
  if (refused?.refusal && isOpen(refused.refusal))
    throw new NotYet(`Another run is performing the bark "${idOf(item)}".`);
  return !refused;
}

/** If the dog was deleted, fails the bark instead. A bark without a history entry only sends mail, so it completes even then. */
async function complete(
  dog: Dog,
  item: AsyncBark,
  expected: ExpectedState,
  context: RequestContext,
  entry = newHistoryEntry(dog, item.effects, context, idOf(item)),
): Promise<AsyncBark['status'] | undefined> {
  const counted = isCounted(item.effects);
  const completed = {
    status: 'complete',
    timestamp: entry.timestamp,
    // A recorded bark exists as long as its dog does.
    ...(isRecorded(item.effects) && { expires: undefined }),
  } as const;
  const hasEntry = counted || item.inHistory;
  const refused = await commit(
    {
      bark: endBark(item, expected, completed, context),
      historyEntry: hasEntry ? addHistoryEntry(entry) : undefined,
      dog: hasEntry ? countBark(dog, counted, context) : undefined,
    },
    context,
  );
  switch (refused?.by) {
    case undefined:
      return 'complete';
    case 'bark':
      return refused.refusal?.status;
    case 'dog': {
      const current = changedSince(dog, refused.refusal);
      return current
        ? complete(current, item, expected, context, entry)
        : setFailed(item, expected, reasons.dogDeleted, context);
    }
  }
}

/**
 * For a bark that its workflow could not complete. Does nothing if the bark does not exist or has ended.
 *
 * The service's failure is logged after it is written, because a client or another run may end the bark first. If this run dies
 * in between, the delivery's next attempt recognizes its own write, and logs the failure.
 *
 * @param deliveryId the request ID of the Lambda event, which is the same for all attempts
 * @throws NotYet if another run has claimed the bark and its lease has not expired
 */
export async function failBark(
  dogId: string,
  barkId: string,
  deliveryId: string,
  context: RequestContext,
): Promise<void> {
  const item = await findAsyncBark(dogId, barkId, context);
  if (item?.status === 'inProgress') await failUnlessLeased(item, context);
  if (item?.status === 'pending') {
    const status = await setFailed(item, 'pending', reasons.serviceFailed, context, deliveryId);
    // A bark that is still pending has passed its deadline, so it counts as failed.
    if (status === 'failed' || status === 'pending') logFailure(item, reasons.serviceFailed);
  }
  if (item?.status === 'failed' && item.claim === deliveryId) logFailure(item, reasons.serviceFailed);
}

/**
 * Logs the failure before it is written: the lease proves that the run is dead, and once the bark has failed, no later run would
 * log it.
 */
function failUnlessLeased(item: AsyncBark, context: RequestContext) {
  const { claim = '' } = item;
  if (leaseLeft(item, context) > 0) throw new NotYet(`Another run is performing the bark "${idOf(item)}".`);
  logFailure(item, reasons.mailUnknown);
  return setFailed(item, { claimedBy: claim }, reasons.mailUnknown, context);
}

function logFailure(item: AsyncBark, reason: string): void {
  logEvent('BarkFailed', { dog: item.dog, bark: idOf(item), reason });
}

/** Returns the bark's status, which another run may have set first. */
async function setFailed(
  item: AsyncBark,
  expected: ExpectedState,
  reason: string,
  context: RequestContext,
  claim = item.claim,
): Promise<AsyncBark['status'] | undefined> {
  const failed = { status: 'failed', reason, ...(claim !== undefined && { claim }) } as const;
  const refused = await commit({ bark: endBark(item, expected, failed, context) }, context);
  return refused ? refused.refusal?.status : 'failed';
}
