import { useEffect, useState } from 'preact/hooks';
import type { BarkScheduleRequest, Dog } from '../../../client/index.ts';
import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { type Exchange, headerOf, succeeded } from '../../shared/http/exchange.ts';
import {
  deleteSchedule,
  get,
  patchSchedule,
  pathOf,
  postSchedule,
  type Request,
} from '../../shared/http/requests.ts';
import { relativeTime, seconds } from '../../shared/time.ts';
import { deviceTimeZone, localTimeOf, timeZoneSentence } from '../../shared/time-zone.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Choices } from '../../shared/ui/Choices.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { useNow } from '../../shared/ui/Time.tsx';
import { nextInWords, type Schedule } from '../dogs/words.ts';
import { formOf, useDraft } from '../drafts.ts';
import { FormAlert } from '../FormAlert.tsx';
import { isTried } from '../trial.ts';
import { useFormErrors } from '../use-form-errors.ts';
import { type EnteredField, errorsIn, fieldsShown, inputIn, type ScheduleFields } from './schedule-input.ts';

type Action = 'end' | 'read' | 'repeat' | 'set';

interface Sent {
  readonly action: Action;
  readonly exchange: Exchange;
}

interface ScheduleCardProps {
  /** The card needs a different `key` for each dog. */
  readonly dog: Dog;
  readonly lastModified: string;
  readonly send: (request: Request) => Promise<Exchange>;
  /** The card calls this after each request that can change the dog. */
  readonly onChanged: () => void;
}

export function ScheduleCard({ dog, lastModified, send, onChanged }: ScheduleCardProps) {
  const timeZone = deviceTimeZone();
  const now = useNow();
  const [initial] = useState(() => initialFields(timeZone));
  const { fields, set } = useDraft<ScheduleFields>(formOf(dog.id, 'schedule'), initial);
  const errors = useFormErrors(fieldsShown(fields), errorsIn(fields, timeZone, now));
  const [sending, setSending] = useState<Action>();
  const [sent, setSent] = useState<Sent>();
  const [lastSet, setLastSet] = useState<Request>();
  const schedule: Schedule = dog.barks ?? {};
  const hasSchedule = schedule.next !== undefined;

  const change = (name: EnteredField, changes: Partial<ScheduleFields>) => {
    set(changes);
    errors.changed(name);
  };

  /** Reads the dog, because `lastModified` may be outdated. Returns undefined if the read fails. */
  const readLastModified = async () => headerOf(await send(get(pathOf(dog.id))), 'last-modified');

  /** @param requestAt returns the request to send, given the dog's Last-Modified */
  async function run(action: Action, requestAt: (lastModified: string) => Request): Promise<void> {
    if (sending) return;
    setSending(action);
    const isNewPatch = fields.variant === 'B' && action !== 'repeat';
    const request = requestAt((isNewPatch && (await readLastModified())) || lastModified);
    if (action === 'set') setLastSet(request);
    const exchange = await send(request);
    setSent({ action, exchange });
    errors.show(exchange);
    setSending(undefined);
    // The service applies a token only once, so the next schedule needs another one.
    if (action === 'set' && fields.variant === 'C' && succeeded(exchange)) set({ token: newToken() });
    if (action !== 'read') onChanged();
  }

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (!errors.check()) return setSent(undefined);
    await run('set', (since) => requestOf(dog.id, fields, timeZone, since));
  }

  const end = () =>
    run('end', (since) =>
      fields.variant === 'B' ? patchSchedule(dog.id, { barks: null }, since) : deleteSchedule(dog.id),
    );

  useEffect(() => {
    if (isTried(formOf(dog.id, 'schedule')))
      void run('set', (since) => requestOf(dog.id, fields, timeZone, since));
  }, []);

  return (
    <Card
      title="Schedule"
      beside={
        <ExchangePanel
          request={requestOf(dog.id, fields, timeZone, lastModified)}
          exchange={sent?.exchange}
          isSending={sending !== undefined}
        />
      }
    >
      <div class="current-schedule">
        <p>
          {nextInWords(schedule, now)} {hasSchedule && <small>{timeZoneSentence(now, timeZone)}</small>}
        </p>
        {hasSchedule && (
          <Button isBusy={sending === 'end'} onClick={end}>
            End the schedule
          </Button>
        )}
      </div>
      <form noValidate ref={errors.form} onSubmit={submit}>
        <Choices
          legend="Request"
          type="radio"
          choices={[
            {
              value: 'B',
              label: 'PATCH the dog',
              hint: 'Variant B. The date and the body identify a repeat.',
            },
            { value: 'C', label: 'POST bark-schedule', hint: 'Variant C. The token identifies a repeat.' },
          ]}
          chosen={[fields.variant]}
          onChange={([variant = 'B']) => set({ variant })}
        />
        <Choices
          legend="First bark"
          type="radio"
          choices={[
            { value: 'now', label: 'Now' },
            { value: 'time', label: 'At a time' },
          ]}
          chosen={[fields.first]}
          onChange={([first = 'now']) => set({ first })}
        />
        {fields.first === 'time' && (
          <Field
            label="Time"
            hint={<TimeHint fields={fields} timeZone={timeZone} now={now} />}
            error={errors.errors.next}
          >
            {(attributes) => (
              <input
                {...attributes}
                type="datetime-local"
                step={1}
                value={fields.time}
                onInput={(event) => change('next', { time: event.currentTarget.value })}
                onBlur={(event) => errors.left('next', event)}
              />
            )}
          </Field>
        )}
        <Choices
          legend="Repeat"
          type="radio"
          choices={[
            { value: 'once', label: 'Bark once' },
            { value: 'every', label: 'Repeat' },
          ]}
          chosen={[fields.repeat]}
          onChange={([repeat = 'once']) => set({ repeat })}
        />
        {fields.repeat === 'every' && (
          <Field label="Minutes from one bark to the next" error={errors.errors.frequency}>
            {(attributes) => (
              <input
                {...attributes}
                class="short"
                inputMode="numeric"
                autocomplete="off"
                value={fields.minutes}
                onInput={(event) => change('frequency', { minutes: event.currentTarget.value })}
                onBlur={(event) => errors.left('frequency', event)}
              />
            )}
          </Field>
        )}
        {fields.variant === 'C' && (
          <Field
            label="Token"
            hint="Any number. The service applies a token only once, so a new schedule needs a new token."
            error={errors.errors.token}
          >
            {(attributes) => (
              <div class="with-button">
                <input
                  {...attributes}
                  inputMode="numeric"
                  autocomplete="off"
                  value={fields.token}
                  onInput={(event) => change('token', { token: event.currentTarget.value })}
                  onBlur={(event) => errors.left('token', event)}
                />
                <Button onClick={() => change('token', { token: newToken() })}>New token</Button>
              </div>
            )}
          </Field>
        )}
        <div class="row">
          <Button kind="main" type="submit" isBusy={sending === 'set'}>
            Set the schedule
          </Button>
          {lastSet && (
            <Button isBusy={sending === 'repeat'} onClick={() => run('repeat', () => lastSet)}>
              Send again
            </Button>
          )}
          {fields.variant === 'C' && (
            <Button
              isBusy={sending === 'read'}
              onClick={() => run('read', () => get(pathOf(dog.id, 'bark-schedule')))}
            >
              Read the schedule
            </Button>
          )}
        </div>
        {sent && succeeded(sent.exchange) && (
          <Alert kind="good">{resultOf(sent.action, sent.exchange)}</Alert>
        )}
        <FormAlert reasons={errors.rest} />
      </form>
    </Card>
  );
}

function requestOf(dog: string, fields: ScheduleFields, timeZone: string, lastModified: string): Request {
  const input = inputIn(fields, timeZone);
  if (fields.variant === 'B') return patchSchedule(dog, { barks: input }, lastModified);
  const { token, ...timing } = input;
  return postSchedule(dog, { token, ...timing } as BarkScheduleRequest);
}

interface TimeHintProps {
  readonly fields: ScheduleFields;
  readonly timeZone: string;
  readonly now: number;
}

function TimeHint({ fields, timeZone, now }: TimeHintProps) {
  const { next } = inputIn(fields, timeZone);
  return (
    <>
      {next !== undefined && next >= now && `${relativeTime(next, now)}. `}
      {timeZoneSentence(next ?? now, timeZone)}
    </>
  );
}

/** A 204 response to PATCH means that nothing changed. */
function resultOf(action: Action, { request, response }: Exchange): string {
  const isUnchanged = request.method === 'PATCH' && response?.status === 204;
  if (action === 'read') return 'The response contains the schedule.';
  if (action === 'end') return isUnchanged ? 'The dog had no schedule.' : 'The service ended the schedule.';
  if (action === 'set')
    return isUnchanged
      ? 'The dog already had this schedule. Nothing changed.'
      : 'The service applied the schedule.';
  return 'The page sent the same request again. The service recognized the repeat, and nothing changed.';
}

function initialFields(timeZone: string): ScheduleFields {
  const inAnHour = localTimeOf(seconds(Date.now()) + 3_600, timeZone);
  return {
    variant: 'B',
    first: 'now',
    time: new Date(inAnHour * 1000).toISOString().slice(0, 16),
    repeat: 'every',
    minutes: '10',
    token: newToken(),
  };
}

/** Returns a random 32-bit integer, which is very unlikely to have been used before. */
function newToken(): string {
  return String(crypto.getRandomValues(new Uint32Array(1))[0]);
}
