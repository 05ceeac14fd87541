import { type Dog, mailboxOf, type Suspension } from './dog.ts';

/** The maximum number of suspensions that a dog stores. A new one replaces the oldest one. */
const maxSuspensions = 20;

/** Returns the suspensions of the current addresses of a dog. */
export function suspensionsOf(dog: Pick<Dog, 'settings' | 'suspensions'>): Suspension[] {
  const addresses = mailAddressesOf(dog);
  const applies = ({ address, lifted }: Suspension) =>
    lifted === undefined && addresses.some((one) => isSameAddress(one, address));
  return (dog.suspensions ?? []).filter(applies);
}

/** Returns true if a dog must not send mail to an address. */
export function isSuspended({ suspensions = [] }: Pick<Dog, 'suspensions'>, address: string): boolean {
  const found = suspensions.find((one) => isSameAddress(one.address, address));
  return found !== undefined && found.lifted === undefined;
}

/** Returns the addresses to which a dog can send mail: its own address, and the mailbox of its owner. */
export function mailAddressesOf({ settings: { email, owner } }: Pick<Dog, 'settings'>): string[] {
  return [email, mailboxOf(owner)].filter((address) => address !== undefined);
}

/**
 * Returns the suspensions of a dog after the cause of a suspension has occurred. Ignores addresses that the dog does not have.
 * The first cause counts: another one does not change a suspension. A cause that occurred before the operator lifted the suspension
 * has no effect, because events can arrive late and twice.
 *
 * @param since when the cause occurred, in Unix seconds
 * @returns undefined if nothing changes
 */
export function withSuspended(
  dog: Pick<Dog, 'settings' | 'suspensions'>,
  addresses: readonly string[],
  { reason, since }: Pick<Suspension, 'reason' | 'since'>,
): Suspension[] | undefined {
  const { suspensions = [] } = dog;
  const isNew = (address: string) => {
    const found = suspensions.find((one) => isSameAddress(one.address, address));
    return found === undefined || (found.lifted !== undefined && since > found.lifted);
  };
  const added = distinct(mailAddressesOf(dog))
    .filter((own) => addresses.some((address) => isSameAddress(own, address)))
    .filter(isNew);
  if (added.length === 0) return undefined;
  const kept = suspensions.filter(({ address }) => !added.some((one) => isSameAddress(one, address)));
  return [...kept, ...added.map((address) => ({ address, reason, since }))].slice(-maxSuspensions);
}

/**
 * Returns the suspensions of a dog after the operator has lifted the suspension of an address.
 *
 * @param lifted Unix seconds
 * @returns undefined if the dog has no such suspension
 */
export function withLifted(
  { suspensions = [] }: Pick<Dog, 'suspensions'>,
  address: string,
  lifted: number,
): Suspension[] | undefined {
  if (!isSuspended({ suspensions }, address)) return undefined;
  return suspensions.map((one) => (isSameAddress(one.address, address) ? { ...one, lifted } : one));
}

/**
 * Returns true if two addresses are the same. The notification of a bounce can have the address in the letter case that the mail
 * server of the recipient uses.
 */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function distinct(addresses: readonly string[]): string[] {
  return addresses.filter((one, i) => addresses.findIndex((other) => isSameAddress(one, other)) === i);
}
