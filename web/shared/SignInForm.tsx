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
  const [errors, setErrors] = useState<{ readonly user?: string; readonly password?: string }>({});
  const name = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending) return;
    const entered = { user: name.current?.value ?? '', password: password.current?.value ?? '' };
    onSubmit?.();
    setFailure(undefined);
    setErrors({
      ...(entered.user === '' && { user: 'Enter the user name.' }),
      ...(entered.password === '' && { password: 'Enter the password.' }),
    });
    if (entered.user === '') return name.current?.focus();
    if (entered.password === '') return password.current?.focus();
    setIsSending(true);
    const exchange = await signIn(entered);
    if (exchange.response?.status === 200) return;
    setIsSending(false);
    setFailure(exchange);
    password.current?.focus();
    password.current?.select();
  };
  return (
    <form noValidate onSubmit={submit} onInput={() => setErrors({})}>
      <Field label="User name" error={errors.user}>
        {(attributes) => (
          <input
            {...attributes}
            ref={name}
            name="user"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            defaultValue={user}
          />
        )}
      </Field>
      <Field label="Password" error={errors.password}>
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
  );
}

function reasonOf(exchange: Exchange): string {
  if (exchange.response?.status === 401) return 'The user name or the password is wrong.';
  return problemOf(exchange).detail;
}
