import { useState } from 'preact/hooks';
import type { Dog } from '../../../client/index.ts';
import { shortestFrequency } from '../../../lambdas/contract/bark-schedule.ts';
import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { type Exchange, headerOf } from '../../shared/http/exchange.ts';
import { isSameRequest } from '../../shared/http/exchange-text.ts';
import { get, pathOf, postSchedule, type Request } from '../../shared/http/requests.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { useAction } from '../actions.ts';
import { nextInWords, type Schedule } from '../dogs/words.ts';
import { readDog } from '../live/open-dog.ts';
import { deleteSchedule, patchSchedule } from '../requests.ts';
import { send } from '../send.ts';
import { succeeded } from '../succeeded.ts';
import { every, relativeTime, timeZoneSentence } from '../times.ts';
import { Card } from '../ui/Card.tsx';
import { Choices } from '../ui/Choices.tsx';
import { useNow } from '../ui/Time.tsx';
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
  /** The last exchange that set a schedule. */
  const [lastSet, setLastSet] = useState<Exchange>();
  const [isRepeat, setRepeat] = useState(false);
  const { exchange, isSending, run } = useAction();
  const errors = useFormErrors(exchange, ['next', 'frequency', 'token']);
  const schedule: Schedule = dog.barks ?? {};
  const change = (changed: Partial<Fields>) => setFields({ ...fields, ...changed });

  const transmit = async (request: Request) => {
    const result = await run(request);
    setRepeat(lastSet !== undefined && succeeded(lastSet) && isSameRequest(request, lastSet.request));
    void readDog();
    return result;
  };
  const set = async () => {
    const result = await transmit(requestOf(dog.id, fields, await currentDate()));
    if (!result) return;
    setLastSet(result);
    // The service applies a token only once, so the next schedule needs another one.
    if (fields.variant === 'C' && succeeded(result)) change({ token: newToken() });
  };
  const end = async () =>
    transmit(
      fields.variant === 'B'
        ? patchSchedule(dog.id, { barks: null }, await currentDate())
        : deleteSchedule(dog.id),
    );
  /** The known date may be outdated. */
  const currentDate = async () => {
    const read = fields.variant === 'B' ? await send(get(pathOf(dog.id))) : undefined;
    return (read && headerOf(read, 'last-modified')) ?? lastModified;
  };

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
          <Button isBusy={isSending} onClick={end}>
            End the schedule
          </Button>
        )}
      </div>
      <form
        ref={errors.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSending) void set();
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
          onChange={([variant = 'B']) => change({ variant })}
        />
        <TextField
          label="First bark"
          hint={`${fields.time === '' ? 'Optional: without a time, the dog barks now.' : relativeTime(timingIn(fields).next, now)} ${timeZoneSentence()}`}
          error={errors.fields.next}
          type="datetime-local"
          step={1}
          value={fields.time}
          onText={(time) => change({ time })}
        />
        <TextField
          label="Minutes from one bark to the next"
          hint="Optional: without a number, the dog barks once."
          error={errors.fields.frequency}
          type="number"
          min={shortestFrequency}
          value={fields.minutes}
          onText={(minutes) => change({ minutes })}
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
            onText={(token) => change({ token })}
          />
        )}
        <div class="row">
          <Button kind="main" type="submit" isBusy={isSending}>
            Set the schedule
          </Button>
          {lastSet && (
            <Button isBusy={isSending} onClick={() => transmit(lastSet.request)}>
              Send again
            </Button>
          )}
        </div>
        {!isSending && exchange && succeeded(exchange) && (
          <Alert kind="good">{resultOf(exchange, isRepeat)}</Alert>
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
function resultOf({ request, response }: Exchange, isRepeat: boolean): string {
  if (isRepeat)
    return 'The page sent the same request again. The service recognized the repeat, and nothing changed.';
  const isUnchanged = request.method === 'PATCH' && response?.status === 204;
  const { barks, ...posted } = JSON.parse(request.body ?? '{"barks":null}');
  if (barks === null) return isUnchanged ? 'The dog had no schedule.' : 'The service ended the schedule.';
  if (isUnchanged) return 'The dog already had this schedule. Nothing changed.';
  const { next, frequency }: Schedule = barks ?? posted;
  if (next !== 0) return 'The service applied the schedule.';
  return `The dog barked.${frequency ? ` It will bark again ${every(frequency)}.` : ''}`;
}

/** Returns a random 32-bit integer, which is very unlikely to have been used before. */
function newToken(): string {
  return String(crypto.getRandomValues(new Uint32Array(1))[0]);
}
