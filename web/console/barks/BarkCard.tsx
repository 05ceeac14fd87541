import { useRef, useState } from 'preact/hooks';
import type { Dog } from '../../../client/index.ts';
import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import type { Exchange } from '../../shared/http/exchange.ts';
import { postBark, type Request } from '../../shared/http/requests.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { useAction } from '../actions.ts';
import { MailLinks } from '../dogs/MailLinks.tsx';
import { recipientsOf } from '../dogs/settings.ts';
import { readDog } from '../live/open-dog.ts';
import { succeeded } from '../succeeded.ts';
import { Card } from '../ui/Card.tsx';
import { Choices } from '../ui/Choices.tsx';
import { useFormErrors } from '../use-form-errors.ts';
import { BarkProgress, watchBark, watchedBarks } from './BarkProgress.tsx';
import { barkOutcomeOf } from './bark-outcome.ts';
import { failureOf, waitChoice } from './waiting.ts'; // @extension waiting

export function BarkCard({ dog }: { readonly dog: Dog }) {
  const { id } = dog;
  const [message, setMessage] = useState('');
  const [resource, setResource] = useState<'bark' | 'barks'>('barks');
  const [preferences, setPreferences] = useState<string[]>([]);
  const [key, setKey] = useState('');
  const [isRepeat, setRepeat] = useState(false);
  const uses = useRef(new Set<string>()).current;
  const { exchange, isSending, run } = useAction();
  const errors = useFormErrors(exchange, ['message']);
  const request = postBark(id, {
    resource,
    message,
    preferences,
    ...(key && { idempotencyKey: key }),
  });
  const send = async (sent: Request) => {
    const result = await run(sent);
    if (!result) return;
    // The same key on another path causes another bark.
    const use = `${sent.path} ${sent.headers['Idempotency-Key']}`;
    setRepeat(uses.has(use));
    if (hasKey(sent) && succeeded(result)) uses.add(use);
    const outcome = barkOutcomeOf(result);
    if (outcome?.kind === 'accepted') watchBark(outcome.path);
    void readDog();
  };
  const sent = exchange?.request;
  return (
    <Card
      title="Make it bark"
      beside={<ExchangePanel request={request} exchange={exchange} isSending={isSending} />}
    >
      <form
        ref={errors.form}
        onSubmit={(event) => {
          event.preventDefault();
          void send(request);
        }}
      >
        <TextField
          label="Message"
          hint={`Optional: the text of the email.${recipientsOf(dog).length > 0 ? '' : ' This dog sends no email.'}`}
          error={errors.fields.message}
          name="message"
          autocapitalize="sentences"
          spellcheck
          value={message}
          onText={setMessage}
        />
        <div class="row">
          <Button type="submit" kind="main" isBusy={isSending}>
            Bark
          </Button>
          {errors.rest && !isSending && <Alert kind="bad">{errors.rest}</Alert>}
          {exchange && !isSending && <BarkResult exchange={exchange} dog={dog} isRepeat={isRepeat} />}
        </div>
        {watchedBarks.value.length > 0 && (
          <ol class="watches" aria-label="Asynchronous barks">
            {watchedBarks.value.map((path) => (
              <BarkProgress key={path} dog={dog} path={path} />
            ))}
          </ol>
        )}
        <Choices
          legend="Request"
          type="radio"
          choices={[
            { value: 'barks', label: 'POST barks', hint: 'Variant A: the collection of barks.' },
            { value: 'bark', label: 'POST bark', hint: 'Variant C: the last bark.' },
          ]}
          chosen={[resource]}
          onChange={([chosen = 'barks']) => setResource(chosen)}
        />
        <Choices
          legend="Preferences"
          type="checkbox"
          choices={[
            { value: 'respond-async', label: 'Bark asynchronously', hint: 'Prefer: respond-async' },
            waitChoice, // @extension waiting
          ]}
          chosen={preferences}
          onChange={setPreferences}
        />
        <TextField
          label="Idempotency-Key"
          hint="Optional. Requests with the same key make the dog bark once in 24 hours."
          name="key"
          value={key}
          onText={setKey}
        />
        <div class="row">
          <Button onClick={() => setKey(crypto.getRandomValues(new Uint32Array(4)).join('-'))}>
            New key
          </Button>
          {sent && hasKey(sent) && (
            <Button isBusy={isSending} onClick={() => void send(sent)}>
              Send again
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}

const hasKey = ({ headers }: Request) => headers['Idempotency-Key'] !== undefined;

interface BarkResultProps {
  readonly exchange: Exchange;
  readonly dog: Dog;
  /** True if the request repeated a successful one with an idempotency key. */
  readonly isRepeat: boolean;
}

function BarkResult({ exchange, dog, isRepeat }: BarkResultProps) {
  const outcome = barkOutcomeOf(exchange);
  if (!outcome) return null;
  if (isRepeat)
    return (
      <Alert kind="info">
        The service returned the response to the first request. The dog did not bark again.
      </Alert>
    );
  // The list of asynchronous barks shows the progress.
  if (outcome.kind === 'accepted') return null;
  // @extension waiting {
  const failure = failureOf(exchange);
  if (failure) return <Alert kind="bad">{failure}</Alert>;
  // @extension waiting }
  return (
    <Alert kind="good">
      {outcome.text} {outcome.id && <code>{outcome.id}</code>}
      <MailLinks dog={dog} />
    </Alert>
  );
}
