import { useState } from 'preact/hooks';
import { SignInForm } from './SignInForm.tsx';
import { isLocal } from './service.ts';
import { Alert } from './ui/Alert.tsx';
import { Heading } from './ui/Heading.tsx';

interface SignInProps {
  /** Why the last session ended. */
  readonly message?: { readonly kind: 'bad' | 'info'; readonly text: string } | undefined;
  readonly user?: string | undefined;
}

export function SignIn({ message, user }: SignInProps) {
  const [hasTried, setHasTried] = useState(false);
  return (
    <div class="sign-in">
      <Heading>Sign in</Heading>
      {message && !hasTried && <Alert kind={message.kind}>{message.text}</Alert>}
      <p>
        <CredentialsHint />
      </p>
      <SignInForm user={user} onSubmit={() => setHasTried(true)} />
      <p class="hint">
        This tab keeps the password until you sign out or close the tab. The page sends it only to this
        service.
      </p>
    </div>
  );
}

export function CredentialsHint() {
  return isLocal ? (
    <>
      Use the sign-in link that npm start prints, or the user name and the password in{' '}
      <code>.local/access.json</code>.
    </>
  ) : (
    <>
      The operator creates users with <code>npx dogs users create</code>.
    </>
  );
}
