import { base, isLocal } from '../shared/service.ts';
import { credentials, feed, inbox, signOut } from '../shared/session.ts';
import { Button } from '../shared/ui/Button.tsx';

export function Account() {
  // A sign-in link always names a feed. If it names no inbox, the local service sends real mail.
  const inboxUrl = inbox() ?? (isLocal && feed() === undefined ? `${base}/#inbox` : undefined);
  return (
    <>
      {inboxUrl && <a href={inboxUrl}>Inbox</a>}
      {credentials.value && (
        <>
          <span class="user">{credentials.value.user}</span>
          <Button kind="small" onClick={signOut}>
            Sign out
          </Button>
        </>
      )}
    </>
  );
}
