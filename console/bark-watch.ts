import type { Bark } from '../client/index.ts';
import { card } from './card.ts';
import { button, element, fill } from './dom.ts';
import { documentOf, type Exchange, headerOf, problemOf, succeeded } from './exchange.ts';
import { ExchangePanel } from './exchange-panel.ts';
import { act, Outcome, once } from './form.ts';
import { deleteBark, get } from './requests.ts';
import { send } from './session.ts';
import { seconds, spoken } from './time.ts';
import { pause } from './view.ts';

/** The pause between two reads of an asynchronous bark. */
const pollIntervalMs = 1_000;

const words = {
  pending: 'It has not barked yet.',
  complete: 'It barked.',
  failed: 'It failed.',
  cancelled: 'It was cancelled: none of its effects happens.',
} as const;

type State = Pick<Bark, 'reason' | 'status' | 'timestamp'>;

interface Surroundings {
  readonly left: AbortSignal;
  /** Called when the dog may have changed. */
  changed(): void;
  mails(): HTMLElement | undefined;
}

/** Shows an asynchronous bark until it ends, with a button that cancels it. */
export class BarkWatch {
  readonly element: HTMLElement;
  private readonly path: string;
  private readonly surroundings: Surroundings;
  private readonly look = new ExchangePanel({ ofAction: false });
  private readonly cancelled = new ExchangePanel();
  private readonly outcome = new Outcome();
  private readonly steps = element('ol', { class: 'steps' });
  private readonly told = element('p', { class: 'told', 'aria-live': 'polite' });
  private readonly row: HTMLElement;
  private status: Bark['status'] | undefined;

  constructor(path: string, surroundings: Surroundings) {
    this.path = path;
    this.surroundings = surroundings;
    this.cancelled.element.hidden = true;
    const cancel = button(
      'Cancel',
      once(
        () => this.cancel(),
        () => cancel,
      ),
    );
    this.row = element('div', { class: 'row' }, cancel);
    this.element = card(
      'A bark on its way',
      [this.look, this.cancelled],
      element('p', {}, element('code', {}, path.split('/').at(-1))),
      this.steps,
      this.told,
      this.row,
      this.outcome.element,
    );
    this.element.tabIndex = -1;
    this.look.preview(get(path));
    this.show({ timestamp: null, status: 'pending' });
  }

  async run(): Promise<void> {
    let exchange: Exchange;
    do {
      exchange = await send(get(this.path));
      this.take(exchange);
    } while (this.status === 'pending' && (await pause(untilNext(exchange), this.surroundings.left)));
  }

  private take(exchange: Exchange): void {
    if (this.status !== 'pending') return;
    this.look.show(exchange);
    if (succeeded(exchange)) this.show(stateOf(exchange));
    else this.showProblem(exchange);
  }

  private showProblem(exchange: Exchange): void {
    const { status = 503 } = exchange.answer ?? {};
    fill(this.told, problemOf(exchange).detail);
    if (status >= 500 || status === 429) return;
    fill(this.steps, ...stepsOf('failed'));
    this.end('failed');
  }

  private show({ status, timestamp, reason }: State): void {
    if (status === this.status) {
      this.tellAgain(words.pending);
      return;
    }
    fill(this.steps, ...stepsOf(status));
    const when = timestamp === null ? undefined : ` ${spoken(timestamp, seconds(Date.now()))}`;
    const mails = status === 'complete' ? this.surroundings.mails() : undefined;
    fill(this.told, words[status], when, reason && ` ${reason}`, mails);
    if (status === 'pending') this.status = status;
    else this.end(status);
  }

  /** Shows the text of the status again, after the text of a failure. */
  private tellAgain(text: string): void {
    if (this.told.textContent !== text) fill(this.told, text);
  }

  private end(status: Bark['status']): void {
    this.status = status;
    if (this.row.contains(document.activeElement)) this.element.focus();
    this.row.remove();
    this.surroundings.changed();
  }

  private async cancel(): Promise<void> {
    this.cancelled.element.hidden = false;
    const { cancelled: panel, outcome } = this;
    await act(deleteBark(this.path), { panel, outcome, done: () => outcome.clear() });
    this.take(await send(get(this.path)));
  }
}

/** Returns the pause until the next read, in milliseconds. A busy service sends `Retry-After`. */
function untilNext(exchange: Exchange): number {
  return Math.max(pollIntervalMs, 1000 * Number(headerOf(exchange, 'retry-after') ?? 0));
}

/** Returns the state of a bark. A bark that redirects to its dog is complete. */
function stateOf(exchange: Exchange): State {
  if (exchange.answer?.followedTo === undefined) return documentOf<Bark>(exchange);
  return { timestamp: null, status: 'complete' };
}

function stepsOf(status: Bark['status']): HTMLElement[] {
  const end = status === 'pending' ? 'complete' : status;
  const current = (step: string) => (step === status ? 'step' : undefined);
  return ['accepted', 'pending', end].map((step, i) =>
    element(
      'li',
      { class: i < 2 || status !== 'pending' ? `reached ${step}` : '', 'aria-current': current(step) },
      step,
    ),
  );
}
