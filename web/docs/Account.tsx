import { credentials, signOut } from '../shared/session.ts';
import { Button } from '../shared/ui/Button.tsx';

export function Account() {
  if (!credentials.value) return null;
  return (
    <>
      <span class="user">{credentials.value.user}</span>
      <Button kind="small" onClick={signOut}>
        Sign out
      </Button>
    </>
  );
}
