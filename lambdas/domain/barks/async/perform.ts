import { type Dog, recipientsOf } from '../../dogs/dog.ts';
import { type DogTime, writeWithLastModified } from '../../dogs/last-modified.ts';
import { findDog } from '../../dogs/repository.ts';
import { conditionFailuresOf } from '../../platform/dynamodb.ts';
import { MailNotSent, MailRefused, NotYet, Unavailable } from '../../platform/errors.ts';
import { logEvent } from '../../platform/logging.ts';
import {
  leaseSeconds,
  type RequestContext,
  releaseContext,
  seconds,
} from '../../platform/request-context.ts';
import { sendMail } from '../../platform/ses.ts';
import { type AsyncBark, idOf, isCounted, isOpen, isRecorded, mailUnknown } from '../bark.ts';
import { historyEntryActions, newHistoryEntry } from '../history.ts';
import { findAsyncBark } from '../repository.ts';
import { failUnlessClaimed, setFailed } from './fail.ts';
import type { ExpectedStatus } from './repository.ts';
import { transition } from './transition.ts';

/** The minimum time from the begin of a run to the deadline of the bark, in seconds. The run must end before the deadline. */
const minTimeToDeadlineSeconds = 60;

/**
 * Performs an asynchronous bark: the task of its workflow. The task may run twice, concurrently or later, and its process may
 * die at any point.
 *
 * Without mail, one transaction completes the bark and counts it. With mail, the bark is claimed first. From then on, it
 * can no longer be cancelled, and no other run sends its mail. A run that finds the claim of another run whose lease is over
 * cannot know whether the mail was sent. It therefore fails the bark.
 *
 *     claim ──── SendEmail ──── TransactWriteItems (complete, entry, count)
 *            ↑              ↑
 *        the bark fails with the reason that its mail may have been sent
 *
 * @param invocation identifies this run of the function
 * @throws NotYet if the bark is not stored yet, or if another run has claimed it
 * @throws MailNotSent if no mail was sent; the workflow must try again
 * @throws Unavailable if DynamoDB is unavailable; the workflow must try again
 */
export async function performBark(
  dogId: string,
  barkId: string,
  invocation: string,
  context: RequestContext,
): Promise<void> {
  const [dog, item] = await Promise.all([findDog(dogId, context), findAsyncBark(dogId, barkId, context)]);
  // A bark is written only while its dog exists. Without the dog, the bark is purged or will never be written.
  if (!item && !dog) return;
  if (!item) throw new NotYet(`The bark "${barkId}" is not written yet.`);
  if (!isOpen(item) || item.deadline - minTimeToDeadlineSeconds <= seconds(context.now)) return;
  if (item.status === 'inProgress') return failUnlessClaimed(item, context);
  if (dog?.incarnation !== item.incarnation)
    return setFailed(item, 'pending', 'The dog was deleted.', context);
  const recipients = recipientsOf(item.effects, dog.settings);
  const addresses = recipients.filter((address) => address !== undefined);
  if (addresses.length < recipients.length)
    return setFailed(item, 'pending', 'The dog no longer has the e-mail address.', context);
  if (addresses.length === 0) return complete(dog, item, 'pending', context);
  return performWithMail(dog, item, { invocation, addresses }, context);
}

/** Claims a bark, sends its mail, and completes or fails the bark. Does nothing if another run or a client settles the bark. */
async function performWithMail(
  dog: Dog,
  item: AsyncBark,
  { invocation, addresses }: { readonly invocation: string; readonly addresses: string[] },
  context: RequestContext,
): Promise<void> {
  if (!(await claimBark(item, invocation, context))) return;
  const reason = await mailOrReason(item, addresses, invocation, context);
  const mine = { claimedBy: invocation };
  return reason === undefined ? complete(dog, item, mine, context) : setFailed(item, mine, reason, context);
}

/**
 * Claims a pending bark.
 *
 * @returns false if the bark was settled in the meantime
 * @throws NotYet if another run has claimed the bark in the meantime
 */
async function claimBark(item: AsyncBark, invocation: string, context: RequestContext): Promise<boolean> {
  const claim = {
    status: 'inProgress',
    claim: invocation,
    claimEnds: seconds(context.now) + leaseSeconds,
  } as const;
  const end = await transition(item, 'pending', claim, {}, context);
  if (!end.made && end.found?.status === 'inProgress')
    throw new NotYet(`The bark "${idOf(item)}" is under way.`);
  return end.made;
}

/**
 * Sends the mail of a claimed bark.
 *
 * @returns undefined if the mail was sent; otherwise the reason why the bark fails
 * @throws MailNotSent if no mail was sent: the claim is released
 */
async function mailOrReason(
  item: AsyncBark,
  recipients: string[],
  invocation: string,
  context: RequestContext,
): Promise<string | undefined> {
  try {
    await sendMail({ dogId: item.dog, recipients, message: item.message, at: context.now }, context);
    return undefined;
  } catch (error) {
    if (error instanceof MailNotSent) {
      const released = { status: 'pending', claim: undefined, claimEnds: undefined } as const;
      await transition(item, { claimedBy: invocation }, released, {}, releaseContext(context));
      throw error;
    }
    if (!(error instanceof MailRefused || error instanceof Unavailable)) throw error;
    logEvent('MailFailed', { dog: item.dog, bark: idOf(item) }, error);
    return error instanceof MailRefused ? error.message : mailUnknown;
  }
}

/** Completes a bark with its history entry and its count in one transaction. Does nothing if the bark is settled. */
async function complete(
  dog: Dog,
  item: AsyncBark,
  expected: ExpectedStatus,
  context: RequestContext,
): Promise<void> {
  const { effects } = item;
  const counted = isCounted(effects);
  const entry = newHistoryEntry(dog, effects, context, idOf(item));
  const completed = {
    status: 'complete',
    timestamp: entry.timestamp,
    // A recorded bark exists as long as its dog.
    ...(isRecorded(effects) && { expires: undefined }),
  } as const;
  const write = (time: DogTime) => {
    const others = counted || item.inHistory ? historyEntryActions(entry, { counted, time }) : {};
    return transition(item, expected, completed, others, context);
  };
  await writeWithLastModified(write, context).catch((error) => {
    if (conditionFailuresOf(error)) return setFailed(item, expected, 'The dog was deleted.', context);
    throw error;
  });
}
