import { useEffect, useState } from 'preact/hooks';
import type { Dog } from '../../../client/index.ts';
import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { type Exchange, headerOf, succeeded } from '../../shared/http/exchange.ts';
import { postBark, type Request } from '../../shared/http/requests.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Choices } from '../../shared/ui/Choices.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { type Action, useAction } from '../actions.ts';
import { MailLinks } from '../dogs/MailLinks.tsx';
import { recipientsOf } from '../dogs/settings.ts';
import { formOf, useDraft } from '../drafts.ts';
import { ActivityFeed } from '../feed/ActivityFeed.tsx';
import { fieldErrors } from '../form-errors.ts';
import { refresh } from '../live/open-dog.ts';
import { isTried } from '../trial.ts';
import { BarkProgress } from './BarkProgress.tsx';
import { barkOutcomeOf } from './bark-outcome.ts';
import { barkWatches, isPending, statusTexts, watchBark } from './bark-watches.ts';

interface BarkCardProps {
  readonly dog: Dog;
  /** Aborts when the user leaves the dog's page. */
  readonly left: AbortSignal;
}

const noChoice = {
  message: '',
  resource: 'barks',
  handling: 'own',
  waits: false,
  key: '',
  used: undefined,
} as const;

/** How long the service may wait for an asynchronous bark if the user chooses to wait. */
const waitSeconds = 10;

export function BarkCard({ dog, left }: BarkCardProps) {
  const { id } = dog;
  const draft = useDraft<BarkFields>(formOf(id, 'bark'), noChoice);
  const { message, resource, handling, waits, key, used } = draft.fields;
  const action = useAction();
  const [isRepeat, setRepeat] = useState(false);
  const request = postBark(id, {
    resource,
    message,
    async: handling === 'async',
    ...(waits && { waitSeconds }),
    ...(key && { idempotencyKey: key }),
  });
  const send = async (sent: Request) => {
    const exchange = await action.run(sent);
    const use = exchange && useOf(exchange);
    setRepeat(use !== undefined && use === used);
    if (use) draft.set({ used: use });
    const outcome = exchange && barkOutcomeOf(exchange);
    if (outcome?.kind === 'accepted') void watchBark(outcome.path, left);
    refresh();
  };
  useEffect(() => {
    if (isTried(formOf(id, 'bark'))) void send(request);
  }, []);
  const sent = action.exchange?.request;
  const submit = (event: Event) => {
    event.preventDefault();
    void send(request);
  };
  const errors = action.exchange && fieldErrors(action.exchange, ['message']);
  return (
    <Card
      title="Make it bark"
      beside={<ExchangePanel request={request} exchange={action.exchange} isSending={action.isSending} />}
    >
      <form noValidate onSubmit={submit}>
        <Field
          label="Message"
          hint={
            recipientsOf(dog).length > 0
              ? 'Optional: the text of the email.'
              : 'Optional: the text of the email. This dog sends no email.'
          }
          error={errors?.fields.message}
        >
          {(attributes) => (
            <input
              {...attributes}
              name="message"
              autocomplete="off"
              value={message}
              onInput={({ currentTarget }) => draft.set({ message: currentTarget.value })}
            />
          )}
        </Field>
        <div class="row">
          <Button type="submit" kind="main" isBusy={action.isSending}>
            Bark
          </Button>
          <BarkResult action={action} dog={dog} isRepeat={isRepeat} problems={errors?.rest ?? []} />
        </div>
        {barkWatches.value.length > 0 && (
          <ol class="watches" aria-label="Asynchronous barks">
            {barkWatches.value.map((watch) => (
              <BarkProgress key={watch.path} dog={dog} watch={watch} />
            ))}
          </ol>
        )}
        <Choices
          legend="Request"
          type="radio"
          choices={[
            { value: 'barks', label: 'POST barks', hint: 'variant A: the collection of barks' },
            { value: 'bark', label: 'POST bark', hint: 'variant C: the last bark' },
          ]}
          chosen={[resource]}
          onChange={([chosen = 'barks']) => draft.set({ resource: chosen })}
        />
        <Choices
          legend="Handling"
          type="radio"
          choices={[
            { value: 'own', label: 'The dog’s setting', hint: dog.barkHandling },
            { value: 'async', label: 'Asynchronous', hint: 'Prefer: respond-async' },
          ]}
          chosen={[handling]}
          onChange={([chosen = 'own']) => draft.set({ handling: chosen })}
        />
        <Choices
          legend="Response to an asynchronous bark"
          type="checkbox"
          choices={[
            {
              value: 'wait',
              label: `Wait up to ${waitSeconds} seconds`,
              hint: `Prefer: wait=${waitSeconds}`,
            },
          ]}
          chosen={waits ? ['wait'] : []}
          onChange={(chosen) => draft.set({ waits: chosen.length > 0 })}
        />
        <IdempotencyKey
          value={key}
          onChange={(value) => draft.set({ key: value })}
          isBusy={action.isSending}
          repeat={sent && keyOf(sent) ? () => void send(sent) : undefined}
        />
      </form>
      <h3>Activity of {id}</h3>
      <ActivityFeed dog={id} limit={5} />
    </Card>
  );
}

function keyOf({ headers }: Request): string | undefined {
  return headers['Idempotency-Key'];
}

/**
 * Identifies the bark that a request with an idempotency key caused. Includes the path, because the same key on another path
 * causes another bark. Returns undefined if the request had no key or failed.
 */
function useOf(exchange: Exchange): string | undefined {
  const key = keyOf(exchange.request);
  if (key === undefined || !succeeded(exchange)) return undefined;
  return [exchange.request.path, key, headerOf(exchange, 'location')].join(' ');
}

interface BarkFields {
  readonly message: string;
  readonly resource: 'bark' | 'barks';
  readonly handling: 'async' | 'own';
  readonly waits: boolean;
  readonly key: string;
  /** The result of `useOf` for the last successful request with a key. */
  readonly used: string | undefined;
}

interface BarkResultProps {
  readonly action: Action;
  readonly dog: Dog;
  /** True if the request repeated the last successful one with an idempotency key. */
  readonly isRepeat: boolean;
  /** The reasons for a failure that no field shows. */
  readonly problems: readonly string[];
}

function BarkResult({ action: { exchange, isSending }, dog, isRepeat, problems }: BarkResultProps) {
  if (isSending || !exchange) return null;
  if (problems.length > 0) return <Alert kind="bad">{problems.join(' ')}</Alert>;
  const outcome = barkOutcomeOf(exchange);
  if (!outcome) return null;
  if (isRepeat)
    return (
      <Alert kind="info">
        The service returned the response to the first request. The dog did not bark again.
      </Alert>
    );
  if (outcome.kind === 'accepted')
    return isPending(outcome.path) ? <Alert kind="good">The service has accepted the bark.</Alert> : null;
  if (outcome.kind === 'notPerformed')
    return (
      <Alert kind="bad">
        {statusTexts[outcome.bark.status]} {outcome.bark.reason}
      </Alert>
    );
  return (
    <Alert kind="good">
      {outcome.text} {outcome.id && <code>{outcome.id}</code>}
      <MailLinks dog={dog} />
    </Alert>
  );
}

interface IdempotencyKeyProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isBusy: boolean;
  /** Sends the last request again. Undefined unless that request had a key. */
  readonly repeat: (() => void) | undefined;
}

function IdempotencyKey({ value, onChange, isBusy, repeat }: IdempotencyKeyProps) {
  return (
    <>
      <Field
        label="Idempotency-Key"
        hint="Optional. Requests with the same key make the dog bark once in 24 hours."
      >
        {(attributes) => (
          <input
            {...attributes}
            name="key"
            autocomplete="off"
            spellcheck={false}
            value={value}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
        )}
      </Field>
      <div class="row">
        <Button onClick={() => onChange(newKey())}>New key</Button>
        {repeat && (
          <Button isBusy={isBusy} onClick={repeat}>
            Send again
          </Button>
        )}
      </div>
    </>
  );
}

/** Returns a UUID. `crypto.randomUUID` does not exist if the page has an http URL with an address in a local network. */
function newKey(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
