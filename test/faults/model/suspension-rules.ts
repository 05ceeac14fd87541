import type { Dog, DogSettings, Effect } from '../../../lambdas/domain/dogs/dog.ts';

/**
 * The rules of suspended addresses, written a second time. They follow decision record 42. All times are in Unix seconds, and all
 * addresses are in lower case.
 */

type Suspensions = NonNullable<Dog['suspensions']>;

export interface Suspendable {
  readonly settings: DogSettings;
  readonly suspensions?: Suspensions | undefined;
}

export function addressesOf({ email, owner }: DogSettings): string[] {
  const addresses = [];
  if (email !== undefined) addresses.push(email);
  if (owner !== undefined) addresses.push(owner.slice('mailto:'.length));
  return addresses;
}

/** A dog with this many entries, lifted or not, sends no mail to an address without an entry. */
const most = 100;

function isSuspended({ suspensions = [] }: Suspendable, address: string): boolean {
  for (const entry of suspensions) if (entry.address === address) return entry.lifted === undefined;
  return suspensions.length >= most;
}

/** Returns the suspensions after addresses have bounced, complained or unsubscribed. Only the first cause counts. */
export function suspend(
  dog: Suspendable,
  addresses: readonly string[],
  reason: 'bounced' | 'complained' | 'unsubscribed',
  since: number,
): Suspensions {
  let suspensions = [...(dog.suspensions ?? [])];
  const isFull = suspensions.length >= most;
  for (const address of addressesOf(dog.settings)) {
    if (!addresses.includes(address)) continue;
    const found = suspensions.find((one) => one.address === address);
    const isLate = reason !== 'unsubscribed' && since <= (found?.lifted ?? 0);
    if (found ? found.lifted === undefined || isLate : isFull) continue;
    const entry = { address, reason, since };
    if (found)
      suspensions = suspensions.map((one) => (one === found ? { ...entry, first: firstOf(found) } : one));
    else suspensions.push(entry);
  }
  return suspensions;
}

/** The list became full when its last place was first taken. */
function firstOf(entry: Suspensions[number] | undefined): number {
  return entry?.first ?? entry?.since ?? 0;
}

export function lift(dog: Suspendable, address: string, lifted: number): Suspensions {
  const { suspensions = [] } = dog;
  const hasEntry = suspensions.some((one) => one.address === address);
  if (!hasEntry && isSuspended(dog, address) && addressesOf(dog.settings).includes(address))
    return [...suspensions, { address, reason: 'list-full', since: firstOf(suspensions[most - 1]), lifted }];
  return suspensions.map((one) =>
    one.address === address && one.lifted === undefined ? { ...one, lifted } : one,
  );
}

/** Returns the suspensions after recipients have undone their request to unsubscribe. */
export function resume(dog: Suspendable, addresses: readonly string[], lifted: number): Suspensions {
  return (dog.suspensions ?? []).map((one) => {
    const isUndone =
      one.reason === 'unsubscribed' && one.lifted === undefined && addresses.includes(one.address);
    return isUndone ? { ...one, lifted } : one;
  });
}

/** Returns true if a bark with these effects would send its mail only to suspended addresses. */
export function reachesNobody(dog: Suspendable, effects: readonly Effect[]): boolean {
  const { email, owner } = dog.settings;
  const recipients = [
    ...(effects.includes('emailDog') && email !== undefined
      ? addressesOf({ ...dog.settings, owner: undefined })
      : []),
    ...(effects.includes('emailOwner') && owner !== undefined
      ? addressesOf({ ...dog.settings, email: undefined })
      : []),
  ];
  return recipients.length > 0 && recipients.every((address) => isSuspended(dog, address));
}
