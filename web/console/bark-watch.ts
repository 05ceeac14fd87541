import type { Bark } from '../../client/index.ts';
import { documentOf, type Exchange, headerOf, problemOf, succeeded } from '../shared/http/exchange.ts';
import { deleteBark, get } from '../shared/http/requests.ts';
import { send } from '../shared/session.ts';
import { relativeTime, seconds } from '../shared/time.ts';
import { card } from './card.ts';
import { button, element, fill } from './dom.ts';
import { ExchangePanel } from './exchange-panel.ts';
import { act, Outcome, once } from './form.ts';
import { pause } from './view.ts';

/** The shortest time between two reads of an asynchronous bark. */
const pollIntervalMs = 1_000;

const statusTexts = {
  pending: 'The dog has not barked yet.',
  complete: 'The dog barked.',
  failed: 'The bark failed.',
  cancelled: 'The bark was cancelled and has no effect.',
} as const;

type State = Pick<Bark, 'reason' | 'status' | 'timestamp'>;

interface WatchContext {
  readonly left: AbortSignal;
  /** The card calls this when the dog may have changed. */
  changed(): void;
  mails(): HTMLElement | undefined;
}

/** A card that polls an asynchronous bark until the bark ends. Until then, the user can cancel the bark. */
export class BarkWatch {
  readonly element: HTMLElement;
  private readonly path: string;
  private readonly context: WatchContext;
  private readonly readPanel = new ExchangePanel({ ofAction: false });
  private readonly cancelPanel = new ExchangePanel();
  private readonly outcome = new Outcome();
  private readonly steps = element('ol', { class: 'steps' });
  private readonly message = element('p', { class: 'message', 'aria-live': 'polite' });
  private readonly row: HTMLElement;
  private status: Bark['status'] | undefined;

  constructor(path: string, context: WatchContext) {
    this.path = path;
    this.context = context;
    this.cancelPanel.element.hidden = true;
    const cancel = button(
      'Cancel',
      once(
        () => this.cancel(),
        () => cancel,
      ),
    );
    this.row = element('div', { class: 'row' }, cancel);
    this.element = card(
      'Progress of the bark',
      [this.readPanel, this.cancelPanel],
      element('p', {}, element('code', {}, path.split('/').at(-1))),
      this.steps,
      this.message,
      this.row,
      this.outcome.element,
    );
    this.element.tabIndex = -1;
    this.readPanel.preview(get(path));
    this.show({ timestamp: null, status: 'pending' });
  }

  async run(): Promise<void> {
    let exchange: Exchange;
    do {
      exchange = await send(get(this.path));
      this.update(exchange);
    } while (this.status === 'pending' && (await pause(delayMsOf(exchange), this.context.left)));
  }

  private update(exchange: Exchange): void {
    if (this.status !== 'pending') return;
    this.readPanel.show(exchange);
    if (succeeded(exchange)) this.show(stateOf(exchange));
    else this.showProblem(exchange);
  }

  private showProblem(exchange: Exchange): void {
    const { status = 503 } = exchange.response ?? {};
    fill(this.message, problemOf(exchange).detail);
    if (status >= 500 || status === 429) return;
    fill(this.steps, ...stepsOf('failed'));
    this.end('failed');
  }

  private show({ status, timestamp, reason }: State): void {
    if (status === this.status) {
      this.restoreMessage(statusTexts.pending);
      return;
    }
    fill(this.steps, ...stepsOf(status));
    const when = timestamp === null ? undefined : ` ${relativeTime(timestamp, seconds(Date.now()))}`;
    const mails = status === 'complete' ? this.context.mails() : undefined;
    fill(this.message, statusTexts[status], when, reason && ` ${reason}`, mails);
    if (status === 'pending') this.status = status;
    else this.end(status);
  }

  /** Replaces the message about a failed read after a later read has succeeded. */
  private restoreMessage(text: string): void {
    if (this.message.textContent !== text) fill(this.message, text);
  }

  private end(status: Bark['status']): void {
    this.status = status;
    if (this.row.contains(document.activeElement)) this.element.focus();
    this.row.remove();
    this.context.changed();
  }

  private async cancel(): Promise<void> {
    this.cancelPanel.element.hidden = false;
    const { cancelPanel: panel, outcome } = this;
    await act(deleteBark(this.path), { panel, outcome, done: () => outcome.clear() });
    this.update(await send(get(this.path)));
  }
}

/** Returns the time until the next read in milliseconds. It is at least the Retry-After of the response. */
function delayMsOf(exchange: Exchange): number {
  return Math.max(pollIntervalMs, 1000 * Number(headerOf(exchange, 'retry-after') ?? 0));
}

/** Returns the state of the bark in a response. A redirect to the dog means that the bark is complete. */
function stateOf(exchange: Exchange): State {
  if (exchange.response?.followedTo === undefined) return documentOf<Bark>(exchange);
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
