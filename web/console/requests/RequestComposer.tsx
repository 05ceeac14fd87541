import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import type { Exchange } from '../../shared/http/exchange.ts';
import type { Request } from '../../shared/http/requests.ts';
import { send } from '../../shared/session.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { hasIdempotencyKey, methods, parsedDraft, type RequestDraft } from './draft.ts';

/** The form shows errors only after the first attempt to send. */
export function RequestComposer({ initial }: { readonly initial: RequestDraft }) {
  const [draft, setDraft] = useState(initial);
  const [exchange, setExchange] = useState<Exchange>();
  const [isSending, setSending] = useState(false);
  const [attempts, setAttempts] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const { request, errors, warning } = parsedDraft(draft);
  const shown = attempts > 0 ? errors : {};
  const change = (changes: Partial<RequestDraft>) => setDraft({ ...draft, ...changes });

  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [attempts]);

  const sendWithKeyboard = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
  };

  const submit = async (event: Event) => {
    event.preventDefault();
    setAttempts(attempts + 1);
    if (!request || isSending) return;
    setSending(true);
    setExchange(await send(request));
    setSending(false);
  };

  const previewed = request ?? exchange?.request;
  return (
    <Card title="Write a request">
      <form class="composer" ref={form} onSubmit={submit} onKeyDown={sendWithKeyboard} noValidate>
        <div class="request-line">
          <Field label="Method">
            {(attributes) => (
              <select
                {...attributes}
                value={draft.method}
                onChange={({ currentTarget: { value } }) => change({ method: value as Request['method'] })}
              >
                {methods.map((method) => (
                  <option key={method}>{method}</option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Path" error={shown.path}>
            {(attributes) => (
              <input
                {...attributes}
                class="mono"
                autocomplete="off"
                spellcheck={false}
                value={draft.path}
                onInput={(event) => change({ path: event.currentTarget.value })}
              />
            )}
          </Field>
        </div>
        <Field
          label="Header fields"
          error={shown.headers}
          hint={
            hasIdempotencyKey(request)
              ? 'With the same Idempotency-Key, the service returns the first response. To bark again, change the key.'
              : 'One field per line, such as Accept: application/json. The page adds Authorization.'
          }
        >
          {(attributes) => (
            <textarea
              {...attributes}
              class="mono"
              rows={3}
              autocomplete="off"
              spellcheck={false}
              value={draft.headers}
              onInput={(event) => change({ headers: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field label="Body" error={shown.body} hint={warning}>
          {(attributes) => (
            <textarea
              {...attributes}
              class="mono"
              rows={5}
              autocomplete="off"
              spellcheck={false}
              value={draft.body}
              onInput={(event) => change({ body: event.currentTarget.value })}
            />
          )}
        </Field>
        <div class="row">
          <Button kind="main" type="submit" isBusy={isSending}>
            Send
          </Button>
          <small>or press Ctrl+Enter</small>
        </div>
      </form>
      {previewed && <ExchangePanel request={previewed} exchange={exchange} isSending={isSending} />}
    </Card>
  );
}
