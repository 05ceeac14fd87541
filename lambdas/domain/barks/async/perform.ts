import { type Dog, recipientsOf } from '../../dogs/dog.ts';
import { type DogTime, moveLastModified } from '../../dogs/last-modified.ts';
import { findDog } from '../../dogs/repository.ts';
import { conflictsOf } from '../../platform/dynamodb.ts';
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
import { findAsyncBark, historyEntryActions, newHistoryEntry } from '../repository.ts';
import { failUnlessClaimed, setFailed } from './fail.ts';
import { type ExpectedStatus, transition } from './transition.ts';

/** How long before its deadline a bark can begin at the latest, in seconds: whoever begins it must end before that. */
const minTimeToDeadlineSeconds = 60;

/**
 * Lets a bark take effect: the workflow's task. It may be delivered twice, at once or later, and may die anywhere.
 *
 * Without mail, one transaction completes the bark and counts it. With mail it is claimed first: then it can be cancelled
 * no more, and nobody else sends. Who finds it claimed by another whose lease is over cannot know whether the mail went
 * out, and lets the bark fail.
 *
 *     claim ──── SendEmail ──── TransactWriteItems (complete, entry, count)
 *            ↑              ↑
 *        it fails, and says that its mail may have been sent
 *
 * @param invocation names this run of the function, and no other
 * @throws NotYet if the bark is not stored yet, or another run has begun it
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
  // A bark is written only while its dog is there: that of a deleted dog was purged, or will never be.
  if (!item && !dog) return;
  if (!item) throw new NotYet(`The bark "${barkId}" is not written yet.`);
  if (!isOpen(item) || item.deadline - minTimeToDeadlineSeconds <= seconds(context.now)) return;
  if (item.status === 'inProgress') return failUnlessClaimed(item, context);
  if (dog?.incarnation !== item.incarnation)
    return setFailed(item, 'pending', 'The dog was deleted.', context);
  const recipients = recipientsOf(item.effects, dog.settings);
  const addresses = recipients.filter((address) => address !== undefined);
  if (addresses.length < recipients.length)
    return setFailed(item, 'pending', 'An address that its mail needs is gone.', context);
  if (addresses.length === 0) return complete(dog, item, 'pending', context);
  if (!(await claimBark(item, invocation, context))) return;
  const reason = await mailOrReason(item, addresses, invocation, context);
  const mine = { claimedBy: invocation };
  return reason === undefined ? complete(dog, item, mine, context) : setFailed(item, mine, reason, context);
}

/** Claims a pending bark. @returns false if it was settled meanwhile @throws NotYet if another was faster */
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

/** Hands the mail of a claimed bark over; if that fails for good, says why. If nothing was sent, gives the claim back. */
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
      const free = { status: 'pending', claim: undefined, claimEnds: undefined } as const;
      await transition(item, { claimedBy: invocation }, free, {}, releaseContext(context));
      throw error;
    }
    if (!(error instanceof MailRefused || error instanceof Unavailable)) throw error;
    logEvent('MailFailed', { dog: item.dog, bark: idOf(item) }, error);
    return error instanceof MailRefused ? error.message : mailUnknown;
  }
}

/** Completes a bark, notes and counts it, all or nothing; nothing, if it was settled meanwhile. */
async function complete(
  dog: Dog,
  item: AsyncBark,
  demand: ExpectedStatus,
  context: RequestContext,
): Promise<void> {
  const { effects } = item;
  const counted = isCounted(effects);
  const entry = newHistoryEntry(dog, effects, context, idOf(item));
  const settled = {
    status: 'complete',
    timestamp: entry.timestamp,
    // What is recorded stays as long as the dog does.
    ...(isRecorded(effects) && { expires: undefined }),
  } as const;
  const write = (time: DogTime) => {
    const others = counted || item.inHistory ? historyEntryActions(entry, { counted, time }) : {};
    return transition(item, demand, settled, others, context);
  };
  await moveLastModified(write, context).catch((error) => {
    if (conflictsOf(error)) return setFailed(item, demand, 'The dog was deleted.', context);
    throw error;
  });
}
