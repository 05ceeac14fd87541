import { isLocal } from '../shared/service.ts';
import { credentials, feed, inbox } from '../shared/session.ts';
import { Button } from '../shared/ui/Button.tsx';
import { endByUser } from './connection.ts';

export function Account() {
  const { value } = credentials;
  if (!value) return null;
  const inboxUrl = inbox();
  return (
    <>
      {inboxUrl ? (
        <a href={inboxUrl} target="_blank" rel="noopener">
          Inbox
        </a>
      ) : (
        isLocal && feed() === undefined && <a href="#inbox">Inbox</a>
      )}
      <span class="user">{value.user}</span>
      <Button kind="small" onClick={endByUser}>
        Sign out
      </Button>
    </>
  );
}
