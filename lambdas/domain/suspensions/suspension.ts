import { type Dog, mailboxOf, type Suspension } from '../dogs/dog.ts';

/**
 * The number of suspensions with which the list of a dog is full. It bounds the size of the item, which each bark reads and writes. The
 * suspensions of 100 addresses of the maximum length take 31 KB.
 */
export const fullList = 100;

/** Returns the suspensions of the current addresses of a dog. */
export function suspensionsOf(dog: Pick<Dog, 'settings' | 'suspensions'>): Suspension[] {
  return distinct(mailAddressesOf(dog))
    .flatMap((address) => suspensionOf(dog, address) ?? [])
    .filter(isInEffect);
}

/** Returns true if a dog must not send mail to an address. */
export function isSuspended(dog: Pick<Dog, 'suspensions'>, address: string): boolean {
  const found = suspensionOf(dog, address);
  return found !== undefined && isInEffect(found);
}

/**
 * Returns the suspension of an address, even if the operator lifted it. A dog drops no suspension. Once its list is full, each address
 * without an entry is suspended, too, because the dog could not store its bounce.
 */
function suspensionOf(
  { suspensions = [] }: Pick<Dog, 'suspensions'>,
  address: string,
): Suspension | undefined {
  const last = suspensions[fullList - 1];
  return (
    suspensions.find((one) => isSameAddress(one.address, address)) ??
    (last && { address, reason: 'list-full', since: last.since })
  );
}

function isInEffect({ lifted }: Suspension): boolean {
  return lifted === undefined;
}

/** Returns the addresses to which a dog can send mail: its own address, and the mailbox of its owner. */
export function mailAddressesOf({ settings: { email, owner } }: Pick<Dog, 'settings'>): string[] {
  return [email, mailboxOf(owner)].filter((address) => address !== undefined);
}

/**
 * Returns the suspensions of a dog after the cause of a suspension has occurred. Ignores addresses that the dog does not have.
 * The first cause counts: another one does not change a suspension. A bounce or a complaint that occurred before the operator lifted the
 * suspension has no effect, because events can arrive late and twice. A request to unsubscribe is never late, because its client waits
 * for the response. It has an effect even if the operator's clock was ahead.
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
    const found = suspensionOf(dog, address);
    if (found === undefined) return true;
    return found.lifted !== undefined && (reason === 'unsubscribed' || since > found.lifted);
  };
  const added = distinct(mailAddressesOf(dog))
    .filter((own) => addresses.some((address) => isSameAddress(own, address)))
    .filter(isNew);
  if (added.length === 0) return undefined;
  const kept = suspensions.filter(({ address }) => !added.some((one) => isSameAddress(one, address)));
  return [...kept, ...added.map((address) => ({ address, reason, since }))];
}

/**
 * Returns the suspensions of a dog after the operator has lifted the suspension of an address. If the address is suspended because the
 * list is full, adds an entry. Nothing else makes a full list longer.
 *
 * @param lifted Unix seconds
 * @returns undefined if the dog has no such suspension
 */
export function withLifted(
  dog: Pick<Dog, 'settings' | 'suspensions'>,
  address: string,
  lifted: number,
): Suspension[] | undefined {
  const { suspensions = [] } = dog;
  const found = [...suspensions, ...suspensionsOf(dog)].find((one) => isSameAddress(one.address, address));
  if (!found || !isInEffect(found)) return undefined;
  const entry = { ...found, lifted };
  return suspensions.includes(found)
    ? suspensions.map((one) => (one === found ? entry : one))
    : [...suspensions, entry];
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
