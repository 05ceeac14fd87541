import { changeDog } from '../dogs/change.ts';
import type { Dog, Suspension } from '../dogs/dog.ts';
import { findDog } from '../dogs/read.ts';
import { commit, outdated, untilCommitted } from '../platform/commit.ts';
import { NotFound } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { addressesOfSubscription } from './subscription.ts';
import { isSuspended, withLifted, withSuspended } from './suspension.ts';

export interface MailFeedback {
  readonly dog: string;
  readonly incarnation: string;
  /** The recipients that bounced or complained. */
  readonly addresses: readonly string[];
  readonly reason: 'bounced' | 'complained';
  /** When the mail bounced, or when its recipient complained, in Unix seconds. */
  readonly at: number;
}

/** A dog's mail to the recipients of an earlier mail. */
export interface Subscription {
  readonly addresses: readonly string[];
  /** True if the dog no longer sends mail to any of the addresses. */
  readonly isEnded: boolean;
}

/**
 * Ignores addresses that the dog no longer has, and a dog that was deleted. Safe to call twice, and for feedback that arrives late or
 * out of order.
 *
 *     GetItem dog ──── UpdateItem (suspensions)
 *
 * | The function dies after | Stored          | Another delivery       |
 * | ----------------------- | --------------- | ---------------------- |
 * | GetItem                 | nothing         | suspends the addresses |
 * | UpdateItem              | the suspensions | changes nothing        |
 */
export async function suspendAddresses(feedback: MailFeedback, context: RequestContext): Promise<void> {
  const { dog: id, incarnation, addresses, reason, at } = feedback;
  const change = (dog: Dog | undefined) =>
    dog?.incarnation === incarnation ? withSuspended(dog, addresses, { reason, since: at }) : undefined;
  await changeSuspensions(id, change, context);
}

/**
 * Suspends the addresses of the mail to which the token belongs. Safe to call twice.
 *
 * @param check checks the preconditions of the request, if the subscription exists
 * @throws NotFound if the dog did not send a mail with this token to addresses that it still has
 */
export async function unsubscribe(
  id: string,
  token: string,
  context: RequestContext,
  check = () => {},
): Promise<Subscription> {
  const cause = { reason: 'unsubscribed', since: seconds(context.now) } as const;
  let addresses: string[] = [];
  const change = (dog: Dog | undefined) => {
    const found = subscriptionOf(id, dog, token);
    check();
    addresses = found.addresses;
    return withSuspended(found.dog, addresses, cause);
  };
  await changeSuspensions(id, change, context);
  return { addresses, isEnded: true };
}

/** @throws NotFound if the dog did not send a mail with this token to addresses that it still has */
export async function readSubscription(
  id: string,
  token: string,
  context: RequestContext,
): Promise<Subscription> {
  const { dog, addresses } = subscriptionOf(id, await findDog(id, context), token);
  return { addresses, isEnded: addresses.every((address) => isSuspended(dog, address)) };
}

/** A wrong token and a dog that does not exist have the same message. */
function subscriptionOf(
  id: string,
  dog: Dog | undefined,
  token: string,
): { readonly dog: Dog; readonly addresses: string[] } {
  const addresses = dog && addressesOfSubscription(dog, token);
  if (!addresses) throw new NotFound('mail subscription', id);
  return { dog, addresses };
}

/** Lifts the suspension of an address for one dog. Returns true if the address was suspended. Safe to call twice. */
export async function liftSuspension(id: string, address: string, context: RequestContext): Promise<boolean> {
  let wasSuspended = false;
  const change = (dog: Dog | undefined) => {
    const suspensions = dog && withLifted(dog, address, seconds(context.now));
    wasSuspended ||= suspensions !== undefined;
    return suspensions;
  };
  await changeSuspensions(id, change, context);
  return wasSuspended;
}

/** If another write to the dog comes first, reads the dog again. `change` returns undefined if nothing changes. */
async function changeSuspensions(
  id: string,
  change: (dog: Dog | undefined) => Suspension[] | undefined,
  context: RequestContext,
): Promise<void> {
  await untilCommitted(async () => {
    const dog = await findDog(id, context);
    const suspensions = change(dog);
    if (!dog || !suspensions) return;
    const { incarnation, version } = dog;
    const part = changeDog(
      id,
      { expected: { incarnation, version }, suspensions },
      // The next read recognizes an earlier attempt.
      { isOwn: () => false, judge: () => ({ refusal: outdated }) },
      context,
    );
    return commit(
      { dog: part },
      { written: () => {}, refused: { dog: (): typeof outdated => outdated } },
      context,
    );
  });
}
