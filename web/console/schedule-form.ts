import type { Dog, NewBarkSchedule } from '../../client/index.ts';
import {
  deleteSchedule,
  get,
  patchSchedule,
  pathOf,
  postSchedule,
  type Request,
} from '../shared/http/requests.ts';
import { dateAndTime, every, relativeTime, seconds } from '../shared/time.ts';
import { card } from './card.ts';
import { button, element, fill } from './dom.ts';
import { ExchangePanel } from './exchange-panel.ts';
import { act, choices, field, input, Outcome, onSubmit } from './form.ts';
import type { Barks } from './timeline.ts';

/** The card that sets and ends the schedule of a dog, in variant B or C. */
export class ScheduleCard {
  readonly element: HTMLElement;
  private readonly dog: string;
  private readonly changed: () => void;
  private readonly panel = new ExchangePanel();
  private readonly outcome = new Outcome();
  private readonly state = element('p', {});
  private readonly token = input('token', { inputmode: 'numeric', value: freshToken() });
  private readonly tokenField = field(
    'token',
    this.token,
    'A whole number that identifies the schedule. Repeating a token changes nothing. A new schedule needs a new token.',
  );
  private readonly timeField = field(
    'time',
    input('time', { type: 'datetime-local', step: 1, value: inAnHour() }),
    'In the time zone of this device.',
  );
  private readonly form: HTMLFormElement;
  private readonly again: HTMLButtonElement;
  private readonly read: HTMLButtonElement;
  /** The last request that set the schedule. */
  private sent: Request | undefined;
  private acted = false;

  constructor(dog: string, changed: () => void) {
    this.dog = dog;
    this.changed = changed;
    this.again = button(
      'Send it again',
      () => this.sent && this.run(this.sent, 'The page sent the request again.'),
    );
    this.again.hidden = true;
    this.read = button('Read the schedule', () =>
      this.run(get(pathOf(this.dog, 'bark-schedule')), 'The response contains the schedule.'),
    );
    this.form = this.newForm();
    this.element = card('Schedule', [this.panel], this.state, this.form);
    this.form.addEventListener('input', () => this.update());
    this.update();
    onSubmit(this.form, async () => {
      this.sent = this.newRequest();
      this.again.hidden = false;
      await this.act(this.sent, 'The schedule was set.');
      this.token.value = String(freshToken());
    });
  }

  show({ barks }: Dog, now: number): void {
    fill(this.state, inWords(barks ?? {}, now));
  }

  private newForm(): HTMLFormElement {
    return element(
      'form',
      { novalidate: true },
      choices('Request', { name: 'variant', type: 'radio' }, [
        { value: 'B', label: 'PATCH the dog', hint: 'variant B: changes the field barks', checked: true },
        { value: 'C', label: 'POST bark-schedule', hint: 'variant C: the token identifies a repeat' },
      ]),
      choices('First bark', { name: 'first', type: 'radio' }, [
        { value: 'now', label: 'at once', hint: 'next: 0', checked: true },
        { value: 'then', label: 'at the time below', hint: 'next: Unix seconds' },
      ]),
      this.timeField,
      field(
        'frequency',
        input('frequency', { inputmode: 'numeric', value: '10' }),
        'In whole minutes. 0 means once. If the field is empty, the request omits it, and PATCH keeps the current value.',
      ),
      this.tokenField,
      element(
        'div',
        { class: 'row' },
        element('button', { class: 'main' }, 'Set the schedule'),
        this.again,
        this.read,
        button('End the schedule', () => this.end()),
      ),
      this.outcome.element,
    );
  }

  private get variant(): 'B' | 'C' {
    return new FormData(this.form).get('variant') === 'C' ? 'C' : 'B';
  }

  /** Shows the fields and the request of the selected variant. */
  private update(): void {
    this.timeField.hidden = new FormData(this.form).get('first') === 'now';
    this.tokenField.hidden = this.variant === 'B';
    this.read.hidden = this.variant === 'B';
    if (!this.acted) this.panel.preview(this.newRequest());
  }

  private newRequest(): Request {
    const timing = timingOf(new FormData(this.form));
    return this.variant === 'B'
      ? patchSchedule(this.dog, { barks: timing }, Date.now())
      : postSchedule(this.dog, { ...tokenOf(this.token.value), ...timing } as NewBarkSchedule);
  }

  private end(): void {
    const request =
      this.variant === 'B' ? patchSchedule(this.dog, { barks: null }, Date.now()) : deleteSchedule(this.dog);
    this.run(request, 'The schedule has ended.');
  }

  private run(request: Request, message: string): void {
    void this.act(request, message);
  }

  private async act(request: Request, message: string): Promise<void> {
    const { panel, outcome, form } = this;
    this.acted = true;
    const done = () => outcome.show(message);
    await act(request, { panel, outcome, form, done });
    this.changed();
  }
}

function inWords({ next, frequency = 0 }: Barks, now: number): string {
  if (next === undefined) return 'No bark is scheduled.';
  const repeated = frequency > 0 ? `, then ${every(frequency)}` : ', once';
  return `The next bark is ${relativeTime(next, now)}, at ${dateAndTime(next)}${repeated}.`;
}

function timingOf(data: FormData): Pick<NewBarkSchedule, 'frequency' | 'next'> {
  const frequency = String(data.get('frequency')).trim();
  const time = seconds(new Date(String(data.get('time'))).getTime());
  return {
    next: data.get('first') === 'now' ? 0 : time,
    ...(frequency !== '' && { frequency: numberIn(frequency) }),
  };
}

function tokenOf(text: string): { token?: number } {
  return text.trim() === '' ? {} : { token: numberIn(text) };
}

/** Returns the number in a text, or else the text itself. The response of the service then states what is wrong. */
function numberIn(text: string): number {
  const number = Number(text);
  return Number.isNaN(number) ? (text as unknown as number) : number;
}

/** Returns the time one hour from now, in the format of a datetime-local control. */
function inAnHour(): string {
  const now = new Date();
  return new Date(now.getTime() + 3_600_000 - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** Returns a random 32-bit integer. It is very unlikely that the token has been used before. */
function freshToken(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
