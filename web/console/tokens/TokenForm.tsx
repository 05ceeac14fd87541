import { useState } from 'preact/hooks';
import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { type Exchange, problemOf, succeeded } from '../../shared/http/exchange.ts';
import { sendRequest } from '../../shared/http/send-request.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { useAction } from '../actions.ts';
import { FormAlert } from '../FormAlert.tsx';
import { useFormErrors } from '../use-form-errors.ts';
import { SecretInput } from './SecretInput.tsx';
import {
  parametersIn,
  type TokenField,
  tokenFailure,
  tokenFields,
  tokenRequest,
  withoutSecrets,
} from './token-request.ts';

interface TokenFormProps {
  /** The form calls this after each request to the token endpoint. */
  readonly received: (exchange: Exchange) => void;
}

/** Exchanges a refresh token for an access token. Stores no secret. */
export function TokenForm({ received }: TokenFormProps) {
  const [parameters, setParameters] = useState({ client_id: '', client_secret: '', refresh_token: '' });
  const [isPasted, setPasted] = useState(false);
  const action = useAction();
  const missing = tokenFields.filter((name) => parameters[name] === '');
  const errors = useFormErrors(
    tokenFields,
    Object.fromEntries(missing.map((name) => [name, `Enter the ${name}.`])),
  );
  const request = tokenRequest(parameters);
  const { exchange, isSending } = action;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!errors.check()) return;
    const result = await action.run(request, (one) => sendRequest(one));
    if (result) received(result);
  };
  const set = (name: TokenField, value: string) => {
    setParameters({ ...parameters, [name]: value });
    setPasted(false);
    errors.changed(name);
  };
  const paste = (event: ClipboardEvent) => {
    const found = parametersIn(event.clipboardData?.getData('text') ?? '');
    if (!found) return;
    event.preventDefault();
    setParameters({ ...parameters, ...found });
    setPasted(true);
  };
  const failure =
    exchange && !succeeded(exchange) ? (tokenFailure(exchange) ?? problemOf(exchange).detail) : undefined;
  return (
    <Card
      title="Get an access token"
      beside={
        <ExchangePanel
          request={withoutSecrets(request)}
          exchange={exchange && { ...exchange, request: withoutSecrets(exchange.request) }}
          isSending={isSending}
        />
      }
    >
      <form ref={errors.form} noValidate onSubmit={submit} onPaste={paste}>
        <p class="hint">
          To fill in all fields, paste the content of <code>access.json</code> into any field. The page does
          not store the values.
        </p>
        <Field label="client_id" error={errors.errors.client_id}>
          {(attributes) => (
            <input
              {...attributes}
              value={parameters.client_id}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              onInput={({ currentTarget }) => set('client_id', currentTarget.value)}
            />
          )}
        </Field>
        {(['client_secret', 'refresh_token'] as const).map((name) => (
          <Field key={name} label={name} error={errors.errors[name]}>
            {(attributes) => (
              <SecretInput
                {...attributes}
                label={name}
                value={parameters[name]}
                onInput={(value) => set(name, value)}
              />
            )}
          </Field>
        ))}
        {isPasted && <Alert kind="info">The page filled in the values from the pasted JSON.</Alert>}
        <div class="row">
          <Button kind="main" type="submit" isBusy={isSending}>
            Get an access token
          </Button>
        </div>
        <FormAlert reasons={failure === undefined ? [] : [failure]} />
      </form>
    </Card>
  );
}
