import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type Exchange, problemOf } from './http/exchange.ts';
import { isLocal } from './service.ts';
import { sessionEnd, signIn } from './session.ts';
import { Alert } from './ui/Alert.tsx';
import { Button } from './ui/Button.tsx';
import { TextField } from './ui/TextField.tsx';

/** @param children what the user signs in for */
export function SignIn({ children }: { readonly children?: ComponentChildren }) {
  const end = sessionEnd.value;
  const [user, setUser] = useState(end?.user ?? '');
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<Exchange>();
  const [isSending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending) return;
    sessionEnd.value = undefined;
    setFailure(undefined);
    setSending(true);
    const exchange = await signIn({ user, password });
    if (exchange.response?.status === 200) return;
    setSending(false);
    setFailure(exchange);
    form.current?.querySelector<HTMLInputElement>('[type=password]')?.select();
  };
  return (
    <form ref={form} onSubmit={submit}>
      {end && <Alert kind={end.kind}>{end.text}</Alert>}
      <p>
        {children}
        {isLocal ? (
          <>
            {'Use '}
            {/* @extension console { */}
            {'the sign-in link that '}
            <code>npm start</code>
            {' prints, or '}
            {/* @extension console } */}
            the user name and the password in <code>.local/access.json</code>.
          </>
        ) : (
          <>
            The operator creates users
            {/* @extension cli { */}
            {' with '}
            <code>npx dogs users create</code>
            {/* @extension cli } */}
            {'.'}
          </>
        )}
      </p>
      <TextField
        label="User name"
        name="user"
        autocomplete="username"
        required
        value={user}
        onText={setUser}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autocomplete="current-password"
        required
        value={password}
        onText={setPassword}
      />
      <div class="row">
        <Button type="submit" kind="main" isBusy={isSending}>
          Sign in
        </Button>
      </div>
      {failure && <Alert kind="bad">{reasonOf(failure)}</Alert>}
      <p class="hint">
        This tab keeps the password until you sign out or close the tab. The page sends it only to this
        service.
      </p>
    </form>
  );
}

function reasonOf(exchange: Exchange): string {
  if (exchange.response?.status === 401) return 'The user name or the password is wrong.';
  return problemOf(exchange).detail;
}
