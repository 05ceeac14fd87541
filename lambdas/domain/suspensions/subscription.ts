import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Dog } from '../dogs/dog.ts';
import { mailAddressesOf } from './suspension.ts';

/** The number of characters of a token, which have six bits each. */
const tokenLength = 24;

/** The pattern of the tokens of mail subscriptions. */
export const subscriptionToken = new RegExp(`^[\\w-]{${tokenLength}}$`);

/**
 * Returns the token in the unsubscribe URL of a mail. It is a signature of the recipients of the mail.
 *
 * @param mailKey the mail key of the dog
 */
export function subscriptionTokenOf(mailKey: string, recipients: readonly string[]): string {
  const signed = JSON.stringify(['mail-subscription', ...recipients]);
  return createHmac('sha256', mailKey).update(signed).digest('base64url').slice(0, tokenLength);
}

/**
 * Returns the recipients of the mail to which a token belongs, or undefined if the token is wrong. The token of a mail to an address
 * that the dog no longer has is wrong too, and so is every token if the dog has no mail key.
 */
export function addressesOfSubscription(dog: Dog, token: string): string[] | undefined {
  const { mailKey } = dog;
  if (mailKey === undefined || !subscriptionToken.test(token)) return undefined;
  const addresses = mailAddressesOf(dog);
  // A mail goes to one of the addresses, or to both.
  const lists = [addresses, ...addresses.map((address) => [address])];
  return lists.find((list) => isEqual(token, subscriptionTokenOf(mailKey, list)));
}

/** Compares two tokens in constant time. */
function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
