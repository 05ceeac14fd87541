import type { Dog, NewBarkSchedule } from '../client/index.ts';
import { card } from './card.ts';
import { button, element, fill } from './dom.ts';
import { ExchangePanel } from './exchange-panel.ts';
import { act, choices, field, input, Outcome, onSubmit } from './form.ts';
import { deleteSchedule, get, patchSchedule, pathOf, postSchedule, type Request } from './requests.ts';
import { every, seconds, spoken, written } from './time.ts';
import type { Barks } from './timeline.ts';

/** Shows the form that sets, replaces and ends the schedule of a dog, with variant B or C. */
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
    'any number that this dog has not seen: the same one sent again changes nothing, another schedule needs another',
  );
  private readonly timeField = field(
    'time',
    input('time', { type: 'datetime-local', step: 1, value: inAnHour() }),
    'by the clock of this device',
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
    this.again = button('Send the same again', () => this.sent && this.run(this.sent, 'It was sent again.'));
    this.again.hidden = true;
    this.read = button('Read it', () => this.run(get(pathOf(this.dog, 'bark-schedule')), 'Read.'));
    this.form = this.newForm();
    this.element = card('Schedule', [this.panel], this.state, this.form);
    this.form.addEventListener('input', () => this.follow());
    this.follow();
    onSubmit(this.form, async () => {
      this.sent = this.wanted();
      this.again.hidden = false;
      await this.act(this.sent, 'The schedule stands.');
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
      choices('Way', { name: 'way', type: 'radio' }, [
        { value: 'B', label: 'PATCH the dog', hint: 'variant B: a merge patch of its barks', checked: true },
        { value: 'C', label: 'POST bark-schedule', hint: 'variant C: set once for each token' },
      ]),
      choices('First bark', { name: 'first', type: 'radio' }, [
        { value: 'now', label: 'at once', hint: 'next: 0', checked: true },
        { value: 'then', label: 'at the time below', hint: 'next: Unix seconds' },
      ]),
      this.timeField,
      field(
        'frequency',
        input('frequency', { inputmode: 'numeric', value: '10' }),
        'whole minutes; 0 is once. Empty leaves it out: PATCH keeps what the schedule has',
      ),
      this.tokenField,
      element(
        'div',
        { class: 'row' },
        element('button', { class: 'main' }, 'Set the schedule'),
        this.again,
        this.read,
        button('End it', () => this.end()),
      ),
      this.outcome.element,
    );
  }

  private get way(): 'B' | 'C' {
    return new FormData(this.form).get('way') === 'C' ? 'C' : 'B';
  }

  /** Shows the fields of the selected variant, and its request. */
  private follow(): void {
    this.timeField.hidden = new FormData(this.form).get('first') === 'now';
    this.tokenField.hidden = this.way === 'B';
    this.read.hidden = this.way === 'B';
    if (!this.acted) this.panel.preview(this.wanted());
  }

  private wanted(): Request {
    const timing = timingOf(new FormData(this.form));
    return this.way === 'B'
      ? patchSchedule(this.dog, { barks: timing }, Date.now())
      : postSchedule(this.dog, { ...tokenOf(this.token.value), ...timing } as NewBarkSchedule);
  }

  private end(): void {
    const request =
      this.way === 'B' ? patchSchedule(this.dog, { barks: null }, Date.now()) : deleteSchedule(this.dog);
    this.run(request, 'No bark is coming any more.');
  }

  private run(request: Request, words: string): void {
    void this.act(request, words);
  }

  private async act(request: Request, words: string): Promise<void> {
    const { panel, outcome, form } = this;
    this.acted = true;
    const done = () => outcome.tell(words);
    await act(request, { panel, outcome, form, done });
    this.changed();
  }
}

function inWords({ next, frequency = 0 }: Barks, now: number): string {
  if (next === undefined) return 'No bark is coming by a schedule.';
  const repeated = frequency > 0 ? `, then ${every(frequency)}` : ', once';
  return `The next bark comes ${spoken(next, now)}, at ${written(next)}${repeated}.`;
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

/** Returns a text as a number. A text that is not a number stays as it is, so that the service reports the error. */
function numberIn(text: string): number {
  const number = Number(text);
  return Number.isNaN(number) ? (text as unknown as number) : number;
}

/** Returns the time in an hour, in the format of a `datetime-local` control. */
function inAnHour(): string {
  const now = new Date();
  return new Date(now.getTime() + 3_600_000 - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** Returns a random integer, which is unlikely to be an earlier token. */
function freshToken(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
