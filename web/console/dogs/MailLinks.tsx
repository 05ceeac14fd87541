import { Fragment } from 'preact';
import type { Dog } from '../../../client/index.ts';
import { isLocal } from '../../shared/service.ts';
import { feed, inbox } from '../../shared/session.ts';
import { recipientsOf } from './settings.ts';

export function MailLinks({ dog }: { readonly dog: Dog }) {
  const url = inbox();
  const addresses = recipientsOf(dog);
  if (addresses.length === 0) return null;
  // A sign-in link always names a feed. If it names no inbox, the local service sends real mail.
  if (!url) return isLocal && feed() === undefined ? <a href="#inbox">Open the inbox</a> : null;
  return addresses.map((address) => (
    <Fragment key={address}>
      {' '}
      <a href={`${url}#${encodeURIComponent(address)}`} target="_blank" rel="noopener">
        Open the inbox of {address}
      </a>
    </Fragment>
  ));
}
