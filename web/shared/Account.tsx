import { credentials, fromLink, signOut } from './session.ts';
import { Button } from './ui/Button.tsx';

export function Account() {
  if (!credentials.value) return null;
  const inboxUrl = fromLink('inbox');
  return (
    <>
      {inboxUrl && (
        // In another tab, so that the forms keep their state.
        <a href={inboxUrl} target="_blank" rel="noopener">
          Inbox
        </a>
      )}
      <span class="user">{credentials.value.user}</span>
      <Button kind="small" onClick={() => signOut('info', 'You are signed out.')}>
        Sign out
      </Button>
    </>
  );
}
