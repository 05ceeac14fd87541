import { type Dog, recipientsOf } from '../dogs/dog.ts';
import { commit } from '../platform/commit.ts';
import { MailNotSent, MailRefused, NotStored, NotYet, Unavailable } from '../platform/errors.ts';
import { logEvent } from '../platform/logging.ts';
import { leaseSeconds, type RequestContext, releaseContext, seconds } from '../platform/request-context.ts';
import { type ExpectedStatus, endBark, setClaim } from './async-bark.ts';
import {
  type AsyncBark,
  dogDeleted,
  idOf,
  isCounted,
  isOpen,
  isRecorded,
  mailUnknown,
  notInTime,
} from './bark.ts';
import { addHistoryEntry, asyncBarkOf, findDogAndBark } from './barks-table.ts';
import { failUnlessLeased, setFailed } from './fail.ts';
import { countEntry, newHistoryEntry } from './history-entry.ts';
import { logMailFailure, sendBarkMail } from './mail.ts';

/** The task performs a bark only if more than this many seconds remain until the deadline, so that the task ends in time. */
const minTimeToDeadlineSeconds = 60;

/**
 * Performs an asynchronous bark, as a task of the bark workflow. Step Functions may run the task twice, either concurrently or
 * one run after the other, and the process may die at any point.
 *
 * If the bark sends no mail, one transaction completes and counts it:
 *
 *     BatchGetItem dog, bark ──── TransactWriteItems (bark complete, entry, count)
 *
 * If it sends mail, this function claims the bark first. While a bark is claimed, it cannot be cancelled, and no other run sends its
 * mail:
 *
 *     BatchGetItem dog, bark ──── UpdateItem (claim) ──── SendRawEmail ──── TransactWriteItems (bark complete, entry, count)
 *
 * | The function dies after | Stored                    | A later run                                               |
 * | ----------------------- | ------------------------- | --------------------------------------------------------- |
 * | BatchGetItem            | nothing                   | performs the bark                                         |
 * | the claim               | the claim                 | NotYet, after the lease fails the bark: mail unknown      |
 * | SendRawEmail            | the claim; mail is sent   | the same                                                  |
 * | TransactWriteItems      | the bark and its entry    | finds the bark complete                                   |
 *
 * @returns the status of the bark, or undefined if the bark does not exist or another run has changed it since it was read
 * @throws NotStored if the bark is not stored: its request is still in progress, or has ended without storing the bark
 * @throws NotYet if another run has a claim on the bark whose lease has not expired
 * @throws MailNotSent if SES throttled the mail or could not be reached, so that no mail was sent; the workflow must try again
 * @throws Unavailable if DynamoDB is unavailable; the workflow must try again
 */
export async function performBark(
  dogId: string,
  barkId: string,
  context: RequestContext,
): Promise<AsyncBark['status'] | undefined> {
  const { dog, item: found } = await findDogAndBark(dogId, barkId, context);
  const item = asyncBarkOf(found);
  // The bark was purged, or its request is still in progress. Even if the bark is written later, no client can see it.
  if (!item && !dog) return undefined;
  if (!item) throw new NotStored(`The bark "${barkId}" has not been stored yet.`);
  if (!isOpen(item)) return item.status;
  if (item.deadline - minTimeToDeadlineSeconds <= seconds(context.now)) {
    logEvent('BarkFailed', { dog: dogId, bark: barkId, reason: notInTime });
    return 'failed';
  }
  if (item.status === 'inProgress') return failUnlessLeased(item, context);
  if (dog?.incarnation !== item.incarnation) return setFailed(item, 'pending', dogDeleted, context);
  const recipients = recipientsOf(item.effects, dog.settings);
  const addresses = recipients.filter((address) => address !== undefined);
  if (addresses.length < recipients.length)
    return setFailed(
      item,
      'pending',
      'The dog no longer has an email address that this bark needs.',
      context,
    );
  if (addresses.length === 0) return complete(dog, item, 'pending', context);
  return performWithMail(dog, item, addresses, context);
}

/**
 * Claims a bark, sends its mail, and completes or fails the bark. Does nothing if the bark is already complete, failed or
 * cancelled.
 *
 * @returns the status of the bark, or undefined if this function did nothing
 * @throws NotYet if another run has claimed the bark since it was read
 * @throws MailNotSent if SES throttled the mail or could not be reached, so that no mail was sent; the claim is released first
 * @throws Unavailable if DynamoDB is unavailable
 */
async function performWithMail(
  dog: Dog,
  item: AsyncBark,
  addresses: readonly string[],
  context: RequestContext,
): Promise<AsyncBark['status'] | undefined> {
  // The request ID of the invocation is not unique to this run: Lambda can run one event twice.
  const claim = crypto.randomUUID();
  if (!(await claimBark(item, claim, context))) return undefined;
  const reason = await mailBark(dog, item, { claim, addresses }, context);
  const mine = { claimedBy: claim };
  return reason === undefined ? complete(dog, item, mine, context) : setFailed(item, mine, reason, context);
}

/**
 * Claims a pending bark.
 *
 * @returns false if the bark is already complete, failed or cancelled, or no longer exists
 * @throws NotYet if another run has claimed the bark since it was read
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the bark is claimed
 */
function claimBark(item: AsyncBark, claim: string, context: RequestContext): Promise<boolean> {
  const claimed = { status: 'inProgress', claim, claimEnds: seconds(context.now) + leaseSeconds } as const;
  const refused = (stored: AsyncBark | undefined) => {
    if (stored && isOpen(stored)) throw new NotYet(`Another run is performing the bark "${idOf(item)}".`);
    return false;
  };
  return commit(
    { bark: setClaim(item, { lastClaim: item.claim }, claimed, context) },
    { written: () => true, refused: { bark: refused } },
    context,
  );
}

/**
 * Sends the mail of a claimed bark.
 *
 * @returns undefined if SES accepted the mail, otherwise the reason why the bark fails
 * @throws MailNotSent if SES throttled the mail or could not be reached, so that no mail was sent; the claim is released first
 * @throws Unavailable if DynamoDB is unavailable when the claim must be released
 */
async function mailBark(
  dog: Dog,
  item: AsyncBark,
  { claim, addresses }: { readonly claim: string; readonly addresses: readonly string[] },
  context: RequestContext,
): Promise<string | undefined> {
  try {
    await sendBarkMail({ dog, recipients: addresses, message: item.message, at: context.now }, context);
    return undefined;
  } catch (error) {
    if (error instanceof MailNotSent) {
      const released = { status: 'pending', claim, claimEnds: undefined } as const;
      const plan = { bark: setClaim(item, { claimedBy: claim }, released, context) };
      // If the claim has ended, a later run fails the bark.
      await commit(plan, { written: () => {}, refused: { bark: () => {} } }, releaseContext(context));
      throw error;
    }
    if (!(error instanceof MailRefused || error instanceof Unavailable)) throw error;
    logMailFailure({ dog: item.dog, bark: idOf(item) }, error);
    return error instanceof MailRefused ? error.message : mailUnknown;
  }
}

/**
 * Completes a bark. The same transaction writes a history entry if the bark needs one, and increases the dog's count if the bark
 * is counted. Fails the bark if its dog was deleted, unless the bark only sends mail, which has been sent. Does nothing if the bark
 * no longer has the expected status.
 *
 * @returns the status of the bark, or undefined if it no longer exists
 * @throws Unavailable if DynamoDB is unavailable: it is then unknown whether the bark is complete
 */
function complete(
  dog: Dog,
  item: AsyncBark,
  expected: ExpectedStatus,
  context: RequestContext,
): Promise<AsyncBark['status'] | undefined> {
  const { effects } = item;
  const counted = isCounted(effects);
  const entry = newHistoryEntry(dog, effects, context, idOf(item));
  const completed = {
    status: 'complete',
    timestamp: entry.timestamp,
    // A recorded bark exists as long as its dog does.
    ...(isRecorded(effects) && { expires: undefined }),
  } as const;
  const hasEntry = counted || item.inHistory;
  return commit(
    {
      bark: endBark(item, expected, completed, context),
      historyEntry: hasEntry ? addHistoryEntry(entry) : undefined,
      dog: hasEntry ? countEntry(entry, counted, context) : undefined,
    },
    {
      written: () => 'complete',
      refused: {
        bark: (stored) => stored?.status,
        dog: () => setFailed(item, expected, dogDeleted, context),
      },
    },
    context,
  );
}
