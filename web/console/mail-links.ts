import type { Dog } from '../../client/index.ts';
import { inbox } from '../shared/session.ts';
import { element } from './dom.ts';

/** Returns links to the mails of the dog's barks in the local inbox, or undefined if the page does not know the inbox. */
export function mailLinks(dog: Dog | undefined): HTMLElement | undefined {
  const addresses = dog && inbox() ? addressesOf(dog) : [];
  if (addresses.length === 0) return undefined;
  const links = addresses.flatMap((address) => [' ', mailLink(address)]);
  return element('span', { class: 'mails' }, ...links);
}

function mailLink(address: string): HTMLElement {
  const href = `${inbox()}#${encodeURIComponent(address)}`;
  return element('a', { href, target: '_blank', rel: 'noopener' }, `Read the mail to ${address}`);
}

function addressesOf({ email, owner = '', barkEffects }: Dog): string[] {
  return [
    ...(barkEffects.includes('emailDog') && email ? [email] : []),
    ...(barkEffects.includes('emailOwner') ? [decoded(owner.replace(/^mailto:/i, ''))] : []),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
