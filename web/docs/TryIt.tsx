import { useEffect, useRef, useState } from 'preact/hooks';
import { ExchangePanel } from '../shared/http/ExchangePanel.tsx';
import { outcomeOf } from '../shared/http/exchange-text.ts';
import { sendRequest } from '../shared/http/send-request.ts';
import { SignIn } from '../shared/SignIn.tsx';
import { credentials, send } from '../shared/session.ts';
import { Button } from '../shared/ui/Button.tsx';
import { Field } from '../shared/ui/Field.tsx';
import { TextField } from '../shared/ui/TextField.tsx';
import {
  completed,
  type FormParameter,
  type FormValues,
  initialValues,
  missingValues,
  type OperationForm,
  requestOf,
} from './operation-request.ts';
import { type Attempt, attempt, hintOf, needsOf } from './preparation.ts';

interface TryItProps {
  readonly name: string;
  readonly form: OperationForm;
}

export function TryIt({ name, form }: TryItProps) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLElement>(null);
  const isSignedIn = credentials.value !== undefined;
  // Opening the form and signing in both replace the focused element.
  useEffect(() => {
    if (isOpen) place.current?.querySelector<HTMLElement>('input, textarea, button.main')?.focus();
  }, [isOpen, isSignedIn]);
  if (!isOpen)
    return (
      <Button kind="main" aria-label={`Try it: ${name}`} onClick={() => setOpen(true)}>
        Try it
      </Button>
    );
  return (
    <section class="card try-it-form" aria-label={`Try ${name}`} ref={place}>
      {form.isPublic || isSignedIn ? (
        <RequestForm form={form} />
      ) : (
        <SignIn>Sign in to send this request. </SignIn>
      )}
    </section>
  );
}

/** The path parameters that the reader has entered, by name. All forms share them. */
const known: Record<string, string> = {};

function RequestForm({ form }: { readonly form: OperationForm }) {
  const [values, setValues] = useState(() => initialValues(form, known));
  const [last, setLast] = useState<Attempt>();
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const isSafe = form.method === 'GET';
  const exchange = last?.exchange;
  const request = last?.values === values ? last.exchange.request : requestOf(form, completed(form, values));
  const needs = needsOf(form);

  const submit = async () => {
    const lacking = missingValues(form, values).filter((name) => !hintOf(name));
    setMissing(lacking);
    if (lacking.length > 0) return;
    setBusy(true);
    const sent = await attempt(form, values, form.isPublic ? sendRequest : send);
    setValues(sent.values);
    setLast(sent);
    setBusy(false);
  };
  const change = ({ name, in: place }: FormParameter, value: string) => {
    if (place === 'path') known[name] = value;
    setValues((before) => ({ ...before, parameters: { ...before.parameters, [name]: value } }));
  };

  const fields = form.parameters.map((parameter) => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      values={values}
      isMissing={missing.includes(parameter.name)}
      onInput={(value) => change(parameter, value)}
    />
  ));
  const optional = fields.filter(({ props }) => !props.parameter.isRequired);

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // Pressing Enter in a field must not send an unsafe request.
        if (isSafe) void submit();
      }}
    >
      {needs && <p class="hint">{needs}</p>}
      {fields.filter(({ props }) => props.parameter.isRequired)}
      {form.body && (
        <Field
          label={<>Body {!form.body.isRequired && <small>optional</small>}</>}
          error={missing.includes('body') && 'Replace the values of the example with your own.'}
        >
          {(attributes) => (
            <textarea
              {...attributes}
              rows={Math.min(12, values.body.split('\n').length + 1)}
              spellcheck={false}
              value={values.body}
              onInput={({ currentTarget: { value } }) => setValues((before) => ({ ...before, body: value }))}
            />
          )}
        </Field>
      )}
      {optional.length > 0 && (
        <details class="optional">
          <summary>
            Optional parameters <small>{optional.length}</small>
          </summary>
          {optional}
        </details>
      )}

      <Button
        kind="main"
        type={isSafe ? 'submit' : 'button'}
        isBusy={isBusy}
        onClick={isSafe ? undefined : submit}
      >
        Send {form.method}
      </Button>
      {last && last.preparation.length > 0 && (
        <>
          <p>The form sent these requests first:</p>
          {last.preparation.map((one) => (
            <ExchangePanel key={one} request={one.request} exchange={one} open={false} />
          ))}
        </>
      )}
      <ExchangePanel request={request} exchange={exchange} isSending={isBusy} open={exchange !== undefined} />
      <p class="visually-hidden" role="status">
        {exchange && !isBusy && outcomeOf(exchange).text}
      </p>
    </form>
  );
}

interface ParameterFieldProps {
  readonly parameter: FormParameter;
  readonly values: FormValues;
  readonly isMissing: boolean;
  readonly onInput: (value: string) => void;
}

function ParameterField({ parameter, values, isMissing, onInput }: ParameterFieldProps) {
  const { name, in: place, isRequired, example } = parameter;
  const label = (
    <>
      <code>{name}</code> <small>{place}</small>
    </>
  );
  return (
    <TextField
      label={label}
      hint={isRequired ? hintOf(name) : undefined}
      error={isMissing && 'Enter a value.'}
      value={values.parameters[name] ?? ''}
      placeholder={isRequired ? undefined : example}
      onText={onInput}
    />
  );
}
