import type { DogSettings, Effect } from '../../../lambdas/domain/dogs/dog.ts';
import { reachesNobody, type Suspendable } from './suspension-rules.ts';

/** Returns true if a bark with these effects increases the count. The effect `record` includes `count`. */
export function isCounted(effects: readonly Effect[]): boolean {
  return effects.some((effect) => effect === 'count' || effect === 'record');
}

/** Returns true if a bark with these effects becomes a resource. */
export function isRecorded(effects: readonly Effect[]): boolean {
  return effects.some((effect) => effect === 'record');
}

/** Returns the addresses to which a bark with these effects sends mail. An address that the dog lacks is undefined. */
function addressesOf(effects: readonly Effect[], { email, owner }: DogSettings): (string | undefined)[] {
  const addresses = [];
  for (const effect of effects) {
    if (effect === 'emailDog') addresses.push(email);
    if (effect === 'emailOwner') addresses.push(owner);
  }
  return addresses;
}

/** Returns the number of emails that a bark with these effects sends. One email goes to both the dog and the owner. */
export function mailsOf(effects: readonly Effect[], dog: Suspendable): 0 | 1 {
  return addressesOf(effects, dog.settings).length > 0 && !reachesNobody(dog, effects) ? 1 : 0;
}

/** Returns true if a bark with these effects sends mail, unless its addresses are missing or suspended. */
export function sendsMail(effects: readonly Effect[]): boolean {
  return effects.some((effect) => effect === 'emailDog' || effect === 'emailOwner');
}

export function lacksAddress(effects: readonly Effect[], settings: DogSettings): boolean {
  return addressesOf(effects, settings).includes(undefined);
}
