import { setSuspensions } from '../dogs/change.ts';
import type { Dog, Suspension } from '../dogs/dog.ts';
import { findDog } from '../dogs/read.ts';
import { commit, outdated, untilCommitted } from '../platform/commit.ts';
import { NotFound } from '../platform/errors.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import { addressesOfSubscription } from './subscription.ts';
import { isSuspended, withLifted, withResubscribed, withSuspended } from './suspension.ts';

export interface MailFeedback {
  readonly dog: string;
  readonly incarnation: string;
  /** The recipients whose mail bounced, or who complained. */
  readonly addresses: readonly string[];
  readonly reason: 'bounced' | 'complained';
  /** When the mail bounced, or when its recipient complained, in Unix seconds. */
  readonly at: number;
}

/** A dog's mail to the recipients of an earlier email. */
export interface Subscription {
  readonly addresses: readonly string[];
  /** Those that are not suspended. */
  readonly reached: readonly string[];
  /** True if an address can resubscribe. */
  readonly canResume: boolean;
}

/**
 * Ignores addresses that the dog no longer has, and feedback about a deleted dog. Safe to call twice, and with feedback
 * that arrives late or out of order.
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
 * Suspends the recipients of the email that contains the token. Safe to call twice.
 *
 * @param check checks the request's preconditions; called only if the subscription exists
 * @throws NotFound if the dog does not exist, or if the token is wrong or no longer valid
 */
export function unsubscribe(
  id: string,
  token: string,
  context: RequestContext,
  check?: () => void,
): Promise<Subscription> {
  const cause = { reason: 'unsubscribed', since: seconds(context.now) } as const;
  const change = (dog: Dog, addresses: string[]) => withSuspended(dog, addresses, cause);
  return changeSubscription({ id, token, change, check }, context);
}

/** Undoes `unsubscribe`, and has the same parameters and errors. Does not lift suspensions for other reasons. */
export function resubscribe(
  id: string,
  token: string,
  context: RequestContext,
  check?: () => void,
): Promise<Subscription> {
  const change = (dog: Dog, addresses: string[]) => withResubscribed(dog, addresses, seconds(context.now));
  return changeSubscription({ id, token, change, check }, context);
}

async function changeSubscription(
  {
    id,
    token,
    change,
    check,
  }: {
    readonly id: string;
    readonly token: string;
    readonly change: (dog: Dog, addresses: string[]) => Suspension[] | undefined;
    readonly check: (() => void) | undefined;
  },
  context: RequestContext,
): Promise<Subscription> {
  let addresses: string[] = [];
  const suspensions = await changeSuspensions(
    id,
    (found) => {
      const mail = mailOf(id, found, token);
      check?.();
      addresses = mail.addresses;
      return change(mail.dog, addresses);
    },
    context,
  );
  return subscriptionOf({ suspensions }, addresses);
}

/** @throws NotFound if the dog does not exist, or if the token is wrong or no longer valid */
export async function readSubscription(
  id: string,
  token: string,
  context: RequestContext,
): Promise<Subscription> {
  const { dog, addresses } = mailOf(id, await findDog(id, context), token);
  return subscriptionOf(dog, addresses);
}

/** A wrong token and a dog that does not exist produce the same message. */
function mailOf(
  id: string,
  dog: Dog | undefined,
  token: string,
): { readonly dog: Dog; readonly addresses: string[] } {
  const addresses = dog && addressesOfSubscription(dog, token);
  if (!addresses) throw new NotFound('mail subscription', id);
  return { dog, addresses };
}

function subscriptionOf(dog: Pick<Dog, 'suspensions'>, addresses: string[]): Subscription {
  return {
    addresses,
    reached: addresses.filter((address) => !isSuspended(dog, address)),
    canResume: withResubscribed(dog, addresses, 0) !== undefined,
  };
}

/** Returns true if the address was suspended. Safe to call twice. */
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

/**
 * If another write to the dog comes first, reads the dog again. `change` returns undefined if nothing changes.
 *
 * @returns the suspensions after the change
 */
function changeSuspensions(
  id: string,
  change: (dog: Dog | undefined) => Suspension[] | undefined,
  context: RequestContext,
): Promise<readonly Suspension[]> {
  return untilCommitted(async () => {
    const dog = await findDog(id, context);
    const suspensions = change(dog);
    if (!dog || !suspensions) return dog?.suspensions ?? [];
    const refused = await commit({ dog: setSuspensions(dog, suspensions, context) }, context);
    return refused ? outdated : suspensions;
  });
}
