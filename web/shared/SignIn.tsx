import { useRef, useState } from 'preact/hooks';
import { type Exchange, problemOf } from './http/exchange.ts';
import { isLocal } from './service.ts';
import { signIn } from './session.ts';
import { Alert } from './ui/Alert.tsx';
import { Button } from './ui/Button.tsx';
import { Field } from './ui/Field.tsx';
import { Heading } from './ui/Heading.tsx';

interface SignInProps {
  /** A message about the end of the last session. */
  readonly message?: { readonly kind: 'bad' | 'info'; readonly text: string } | undefined;
  readonly user?: string | undefined;
}

/** The sign-in form. */
export function SignIn({ message, user = '' }: SignInProps) {
  const [failure, setFailure] = useState<Exchange>();
  const [isSending, setIsSending] = useState(false);
  const password = useRef<HTMLInputElement>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending) return;
    const data = new FormData(event.currentTarget as HTMLFormElement);
    setIsSending(true);
    setFailure(undefined);
    const exchange = await signIn({ user: String(data.get('user')), password: String(data.get('password')) });
    if (exchange.response?.status === 200) return;
    setIsSending(false);
    setFailure(exchange);
    password.current?.focus();
    password.current?.select();
  };
  return (
    <div class="sign-in">
      <Heading>Sign in</Heading>
      {message && !failure && <Alert kind={message.kind}>{message.text}</Alert>}
      <p>
        <CredentialsHint />
      </p>
      <form noValidate onSubmit={submit}>
        <Field label="User">
          {(attributes) => (
            <input
              {...attributes}
              name="user"
              autocomplete="username"
              autocapitalize="none"
              spellcheck={false}
              defaultValue={user}
            />
          )}
        </Field>
        <Field label="Password">
          {(attributes) => (
            <input
              {...attributes}
              ref={password}
              name="password"
              type="password"
              autocomplete="current-password"
            />
          )}
        </Field>
        <div class="row">
          <Button type="submit" kind="main" isBusy={isSending}>
            Sign in
          </Button>
        </div>
        {failure && <Alert kind="bad">{reasonOf(failure)}</Alert>}
      </form>
      <p class="hint">
        This tab keeps the password until you sign out or close the tab. The page sends it only to this
        service.
      </p>
    </div>
  );
}

function reasonOf(exchange: Exchange): string {
  if (exchange.response?.status === 401) return 'The user name or the password is wrong.';
  return problemOf(exchange).detail;
}

function CredentialsHint() {
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
