import { type Dog, mailboxOf, type Suspension } from '../dogs/dog.ts';

/** Bounds the size of a dog's item, which each bark reads and writes. 100 suspensions of the longest addresses take 32 KB. */
export const fullList = 100;

/** The suspensions in effect for the dog's current addresses. */
export function suspensionsOf(dog: Pick<Dog, 'settings' | 'suspensions'>): Suspension[] {
  return distinct(mailAddressesOf(dog))
    .flatMap((address) => suspensionOf(dog, address) ?? [])
    .filter(isInEffect);
}

export function isSuspended(dog: Pick<Dog, 'suspensions'>, address: string): boolean {
  const found = suspensionOf(dog, address);
  return found !== undefined && isInEffect(found);
}

/**
 * An address's suspension, even if it was lifted. Once the dog's list is full, each address without an entry is also suspended,
 * because its bounces could not be stored; no later change moves the time at which the list became full.
 */
function suspensionOf(
  { suspensions = [] }: Pick<Dog, 'suspensions'>,
  address: string,
): Suspension | undefined {
  const last = suspensions[fullList - 1];
  return (
    suspensions.find((one) => isSameAddress(one.address, address)) ??
    (last && { address, reason: 'list-full', since: firstOf(last) })
  );
}

function firstOf({ first, since }: Suspension): number {
  return first ?? since;
}

function isInEffect({ lifted }: Suspension): boolean {
  return lifted === undefined;
}

export function mailAddressesOf({ settings: { email, owner } }: Pick<Dog, 'settings'>): string[] {
  return [email, mailboxOf(owner)].filter((address) => address !== undefined);
}

/**
 * Returns the new suspensions, or undefined if nothing changes. Ignores addresses that the dog does not have, and addresses that
 * are already suspended. A bounce or a complaint from before the suspension was lifted has no effect, because events can arrive
 * late or twice. A request to unsubscribe has an effect even if the operator lifted the suspension with a clock that was ahead.
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
  const again = suspensions.map((one) => {
    const address = added.find((own) => isSameAddress(own, one.address));
    return address === undefined ? one : { address, reason, since, first: firstOf(one) };
  });
  const isOther = (address: string) => !suspensions.some((one) => isSameAddress(one.address, address));
  return [...again, ...added.filter(isOther).map((address) => ({ address, reason, since }))];
}

/**
 * Returns the new suspensions, or undefined if the address is not suspended. If the address is suspended because the list is
 * full, adds an entry. Nothing else makes a full list longer.
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

/** Returns the new suspensions, or undefined if nothing changes. Only the operator can lift suspensions with other reasons. */
export function withResubscribed(
  { suspensions = [] }: Pick<Dog, 'suspensions'>,
  addresses: readonly string[],
  lifted: number,
): Suspension[] | undefined {
  const isUndone = (one: Suspension) =>
    one.reason === 'unsubscribed' &&
    isInEffect(one) &&
    addresses.some((address) => isSameAddress(one.address, address));
  if (!suspensions.some(isUndone)) return undefined;
  return suspensions.map((one) => (isUndone(one) ? { ...one, lifted } : one));
}

function isSameAddress(one: string, other: string): boolean {
  return caseless(one) === caseless(other);
}

/** Addresses are compared in this form, because a bounce notification can use the letter case of the recipient's mail server. */
export function caseless(address: string): string {
  return address.toLowerCase();
}

export function distinct(addresses: readonly string[]): string[] {
  return addresses.filter((one, i) => addresses.findIndex((other) => isSameAddress(one, other)) === i);
}
