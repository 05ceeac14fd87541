import type { Dog } from '../../../client/index.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { RelativeTime } from '../ui/Time.tsx';

type Suspended = NonNullable<Dog['suspended']>[number];

const causes: Readonly<Record<Suspended['reason'], string>> = {
  bounced: 'its mail server rejected an email',
  complained: 'its owner reported an email as spam',
  unsubscribed: 'its owner unsubscribed',
  'list-full': "too many of the dog's addresses have been suspended",
};

export function SuspendedAddresses({ dog }: { readonly dog: Dog }) {
  const { suspended = [] } = dog;
  if (suspended.length === 0) return null;
  const hasFullList = suspended.some(({ reason }) => reason === 'list-full');
  return (
    <Alert kind="bad">
      {suspended.map(({ address, reason, since }) => (
        <p key={address}>
          {dog.id} sends no mail to {address}, because {causes[reason]} <RelativeTime at={since} />.
        </p>
      ))}
      <p>{hasFullList ? 'Ask' : 'Set another address, or ask'} the operator to lift the suspension.</p>
    </Alert>
  );
}
