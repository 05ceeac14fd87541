import { useState } from 'preact/hooks';
import type { Dog } from '../../../client/index.ts';
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
import { send } from '../../shared/session.ts';
import { every, relativeTime, timeZoneSentence } from '../../shared/time.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Choices } from '../../shared/ui/Choices.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { useNow } from '../../shared/ui/Time.tsx';
import { useAction } from '../actions.ts';
import { nextInWords, type Schedule } from '../dogs/words.ts';
import { readDog } from '../live/open-dog.ts';
import { useFormErrors } from '../use-form-errors.ts';

interface Fields {
  /** `B` patches the dog, and `C` posts a bark-schedule. */
  readonly variant: 'B' | 'C';
  /** A local time in the format of a `datetime-local` control. Empty means now. */
  readonly time: string;
  /** Empty means once. */
  readonly minutes: string;
  readonly token: string;
}

type Purpose = 'end' | 'repeat' | 'set';

interface ScheduleCardProps {
  /** The card needs a different `key` for each dog. */
  readonly dog: Dog;
  readonly lastModified: string;
}

export function ScheduleCard({ dog, lastModified }: ScheduleCardProps) {
  const now = useNow();
  const [fields, setFields] = useState<Fields>(() => ({
    variant: 'B',
    time: '',
    minutes: '',
    token: newToken(),
  }));
  const [purpose, setPurpose] = useState<Purpose>();
  const [lastSet, setLastSet] = useState<Request>();
  const { exchange, isSending, run } = useAction();
  const errors = useFormErrors(exchange, ['next', 'frequency', 'token']);
  const schedule: Schedule = dog.barks ?? {};
  const set = (change: Partial<Fields>) => setFields({ ...fields, ...change });
  const isBusy = (one: Purpose) => isSending && purpose === one;

  async function submit(why: Purpose, requestAt: (lastModified: string) => Request): Promise<void> {
    if (isSending) return;
    setPurpose(why);
    // `lastModified` may be outdated.
    const isNewPatch = fields.variant === 'B' && why !== 'repeat';
    const read = isNewPatch ? headerOf(await send(get(pathOf(dog.id))), 'last-modified') : undefined;
    const request = requestAt(read ?? lastModified);
    // The user has entered the last token again.
    if (why === 'set' && fields.variant === 'C' && request.body === lastSet?.body) setPurpose('repeat');
    if (why === 'set') setLastSet(request);
    const result = await run(request);
    // The service applies a token only once, so the next schedule needs another one.
    if (why === 'set' && fields.variant === 'C' && result && succeeded(result)) set({ token: newToken() });
    void readDog();
  }

  const end = () =>
    submit('end', (since) =>
      fields.variant === 'B' ? patchSchedule(dog.id, { barks: null }, since) : deleteSchedule(dog.id),
    );

  return (
    <Card
      title="Schedule"
      beside={
        <ExchangePanel
          request={requestOf(dog.id, fields, lastModified)}
          exchange={exchange}
          isSending={isSending}
        />
      }
    >
      <div class="well row spread">
        <p>{nextInWords(schedule, now)}</p>
        {schedule.next !== undefined && (
          <Button isBusy={isBusy('end')} onClick={end}>
            End the schedule
          </Button>
        )}
      </div>
      <form
        ref={errors.form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit('set', (since) => requestOf(dog.id, fields, since));
        }}
      >
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
        <TextField
          label="First bark"
          hint={`${fields.time === '' ? 'Optional: without a time, the dog barks now.' : relativeTime(timingIn(fields).next, now)} ${timeZoneSentence()}`}
          error={errors.fields.next}
          type="datetime-local"
          step={1}
          value={fields.time}
          onText={(time) => set({ time })}
        />
        <TextField
          label="Minutes from one bark to the next"
          hint="Optional: without a number, the dog barks once."
          error={errors.fields.frequency}
          type="number"
          min={1}
          value={fields.minutes}
          onText={(minutes) => set({ minutes })}
        />
        {fields.variant === 'C' && (
          <TextField
            label="Token"
            hint="Any number. The service applies a token only once, so a new schedule needs a new token."
            error={errors.fields.token}
            type="number"
            step="any"
            required
            value={fields.token}
            onText={(token) => set({ token })}
          />
        )}
        <div class="row">
          <Button kind="main" type="submit" isBusy={isBusy('set')}>
            Set the schedule
          </Button>
          {lastSet && (
            <Button isBusy={isBusy('repeat')} onClick={() => submit('repeat', () => lastSet)}>
              Send again
            </Button>
          )}
        </div>
        {purpose && !isSending && exchange && succeeded(exchange) && (
          <Alert kind="good">{resultOf(purpose, exchange)}</Alert>
        )}
        {errors.rest && <Alert kind="bad">{errors.rest}</Alert>}
      </form>
    </Card>
  );
}

function timingIn({ time, minutes }: Fields) {
  return { next: time === '' ? 0 : Math.floor(Date.parse(time) / 1000), frequency: Number(minutes) };
}

function requestOf(dog: string, fields: Fields, lastModified: string): Request {
  const timing = timingIn(fields);
  if (fields.variant === 'B') return patchSchedule(dog, { barks: timing }, lastModified);
  return postSchedule(dog, { token: Number(fields.token), ...timing });
}

/** A 204 response to PATCH means that nothing changed. */
function resultOf(purpose: Purpose, { request, response }: Exchange): string {
  const isUnchanged = request.method === 'PATCH' && response?.status === 204;
  if (purpose === 'end') return isUnchanged ? 'The dog had no schedule.' : 'The service ended the schedule.';
  if (purpose === 'repeat')
    return 'The page sent the same request again. The service recognized the repeat, and nothing changed.';
  if (isUnchanged) return 'The dog already had this schedule. Nothing changed.';
  const { barks, next, frequency } = { ...JSON.parse(request.body ?? '{}') };
  const set: Schedule = barks ?? { next, frequency };
  const repeats = set.frequency ? ` It will bark again ${every(set.frequency)}.` : '';
  return set.next === 0 ? `The dog barked.${repeats}` : 'The service applied the schedule.';
}

/** Returns a random 32-bit integer, which is very unlikely to have been used before. */
function newToken(): string {
  return String(crypto.getRandomValues(new Uint32Array(1))[0]);
}
