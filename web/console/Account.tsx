import { credentials, inbox } from '../shared/session.ts';
import { Button } from '../shared/ui/Button.tsx';
import { endByUser } from './connection.ts';

export function Account() {
  const { value } = credentials;
  if (!value) return null;
  const inboxUrl = inbox();
  return (
    <>
      {inboxUrl && (
        <a href={inboxUrl} target="_blank" rel="noopener">
          Inbox
        </a>
      )}
      <span class="user">{value.user}</span>
      <Button kind="small" onClick={endByUser}>
        Sign out
      </Button>
    </>
  );
}
