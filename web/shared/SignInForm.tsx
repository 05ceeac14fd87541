import { useRef, useState } from 'preact/hooks';
import { type Exchange, problemOf } from './http/exchange.ts';
import { signIn } from './session.ts';
import { Alert } from './ui/Alert.tsx';
import { Button } from './ui/Button.tsx';
import { Field } from './ui/Field.tsx';

interface SignInFormProps {
  readonly user?: string | undefined;
  readonly onSubmit?: () => void;
}

export function SignInForm({ user = '', onSubmit }: SignInFormProps) {
  const [failure, setFailure] = useState<Exchange>();
  const [isSending, setIsSending] = useState(false);
  const name = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending) return;
    onSubmit?.();
    setFailure(undefined);
    setIsSending(true);
    const exchange = await signIn({
      user: name.current?.value ?? '',
      password: password.current?.value ?? '',
    });
    if (exchange.response?.status === 200) return;
    setIsSending(false);
    setFailure(exchange);
    password.current?.focus();
    password.current?.select();
  };
  return (
    <form onSubmit={submit}>
      <Field label="User name">
        {(attributes) => (
          <input
            {...attributes}
            ref={name}
            name="user"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            required
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
            required
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
  );
}

function reasonOf(exchange: Exchange): string {
  if (exchange.response?.status === 401) return 'The user name or the password is wrong.';
  return problemOf(exchange).detail;
}
