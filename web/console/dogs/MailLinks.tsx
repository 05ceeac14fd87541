import type { Dog } from '../../../client/index.ts';
import { decoded } from '../../shared/decoded.ts';
import { inbox } from '../../shared/session.ts';
import { openDog } from '../live/open-dog.ts';

/** Links to the mails of the open dog's barks in the local inbox. Nothing if the page does not know the inbox. */
export function MailLinks() {
  const { dog } = openDog.value ?? {};
  const url = inbox();
  if (!dog || !url) return null;
  return addressesOf(dog).map((address) => (
    <>
      {' '}
      <a key={address} href={`${url}#${encodeURIComponent(address)}`} target="_blank" rel="noopener">
        Read the mail to {address}
      </a>
    </>
  ));
}

function addressesOf({ email, owner = '', barkEffects }: Dog): string[] {
  return [
    ...(barkEffects.includes('emailDog') && email ? [email] : []),
    ...(barkEffects.includes('emailOwner') ? [decoded(owner.replace(/^mailto:/i, ''))] : []),
  ];
}
