import { createHmac, timingSafeEqual } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../environment.ts';
import { type Dog, newMailKey } from '../dogs/dog.ts';
import { isConditionFailed, send } from '../platform/dynamodb.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { caseless, distinct, mailAddressesOf } from './suspension.ts';

/** 144 bits, because each character encodes six. */
const signatureLength = 24;

/** One signature for each recipient of the email, in any order: of the dog, of its owner, or of both. */
export const subscriptionToken = new RegExp(`^(?:[\\w-]{${signatureLength}}){1,2}$`);

/**
 * Creates the key if version 1.0.0 wrote the dog. No client can see this change, so `version` and `lastModified` stay the same.
 * Safe to call twice, even concurrently.
 */
export async function mailKeyOf({ id, incarnation, mailKey }: Dog, context: RequestContext): Promise<string> {
  if (mailKey !== undefined) return mailKey;
  const created = newMailKey();
  const command = new UpdateCommand({
    TableName: environment('DOGS_TABLE'),
    Key: { id },
    UpdateExpression: 'SET mailKey = if_not_exists(mailKey, :created)',
    ConditionExpression: 'incarnation = :incarnation',
    ExpressionAttributeValues: { ':created': created, ':incarnation': incarnation },
    ReturnValues: 'ALL_NEW',
  });
  try {
    const { Attributes } = await send(command, context);
    return (Attributes as Required<Dog>).mailKey;
  } catch (error) {
    // The dog was deleted, so the links in its emails are no longer valid, whatever their key.
    if (isConditionFailed(error)) return created;
    throw error;
  }
}

/** The token in an email's unsubscribe URL. Letter case in addresses does not matter. */
export function subscriptionTokenOf(mailKey: string, recipients: readonly string[]): string {
  return recipients.map((address) => signatureOf(mailKey, [caseless(address)])).join('');
}

function signatureOf(mailKey: string, recipients: readonly string[]): string {
  const signed = JSON.stringify(['mail-subscription', ...recipients]);
  return createHmac('sha256', mailKey).update(signed).digest('base64url').slice(0, signatureLength);
}

/**
 * Returns those of the email's recipients whose address the dog still has, and no other address. Returns undefined if there are
 * none, or if the token is wrong.
 */
export function addressesOfSubscription(dog: Dog, token: string): string[] | undefined {
  const { mailKey } = dog;
  if (mailKey === undefined || !subscriptionToken.test(token)) return undefined;
  const addresses = mailAddressesOf(dog);
  const signatures = [token.slice(0, signatureLength), token.slice(-signatureLength)];
  const isRecipient = (address: string) =>
    signatures.some((signature) => isEqual(signature, signatureOf(mailKey, [caseless(address)])));
  const recipients = distinct(addresses).filter(isRecipient);
  if (recipients.length > 0) return recipients;
  if (token.length > signatureLength) return undefined;
  // Version 1.1.0 signed the list of recipients, in their letter case.
  const lists = [addresses, ...addresses.map((address) => [address])];
  return lists.find((list) => isEqual(token, signatureOf(mailKey, list)));
}

function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
