import type { Dog, DogSettings, Effect } from '../../../lambdas/domain/dogs/dog.ts';

/**
 * The rules of suspended addresses, written a second time. They follow decision record 42. All times are in Unix seconds, and all
 * addresses are in lower case.
 */

type Suspensions = NonNullable<Dog['suspensions']>;

/** The part of a dog that decides which addresses get its mail. */
export interface Suspendable {
  readonly settings: DogSettings;
  readonly suspensions?: Suspensions | undefined;
}

/** Returns the addresses of a dog, first its own and then its owner's. */
export function addressesOf({ email, owner }: DogSettings): string[] {
  const addresses = [];
  if (email !== undefined) addresses.push(email);
  if (owner !== undefined) addresses.push(owner.slice('mailto:'.length));
  return addresses;
}

/** Returns true if the dog sends no mail to an address. */
function isSuspended({ suspensions = [] }: Suspendable, address: string): boolean {
  return suspensions.some((one) => one.address === address && one.lifted === undefined);
}

/** Returns the suspensions after addresses have bounced, complained or unsubscribed. Only the first cause counts. */
export function suspend(
  dog: Suspendable,
  addresses: readonly string[],
  reason: 'bounced' | 'complained' | 'unsubscribed',
  since: number,
): Suspensions {
  let suspensions = [...(dog.suspensions ?? [])];
  for (const address of addressesOf(dog.settings)) {
    if (!addresses.includes(address)) continue;
    const found = suspensions.find((one) => one.address === address);
    if (found && (found.lifted === undefined || since <= found.lifted)) continue;
    suspensions = suspensions.filter((one) => one !== found);
    suspensions.push({ address, reason, since });
  }
  return suspensions;
}

/** Returns the suspensions after the operator has lifted that of an address. */
export function lift({ suspensions = [] }: Suspendable, address: string, lifted: number): Suspensions {
  return suspensions.map((one) =>
    one.address === address && one.lifted === undefined ? { ...one, lifted } : one,
  );
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
