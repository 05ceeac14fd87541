import { Fragment } from 'preact';
import type { Dog } from '../../../client/index.ts';
import { fromLink } from '../../shared/session.ts';
import { recipientsOf } from './settings.ts';

export function MailLinks({ dog }: { readonly dog: Dog }) {
  const url = fromLink('inbox');
  return (
    url &&
    recipientsOf(dog).map((address) => (
      <Fragment key={address}>
        {' '}
        <a href={`${url}#${encodeURIComponent(address)}`} target="_blank" rel="noopener">
          Open the inbox of {address}
        </a>
      </Fragment>
    ))
  );
}
