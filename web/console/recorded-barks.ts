import type { Bark, BarkList } from '../../client/index.ts';
import { documentOf, headerOf, succeeded } from '../shared/http/exchange.ts';
import { nextOf } from '../shared/http/pagination.ts';
import { get, pathOf } from '../shared/http/requests.ts';
import { send } from '../shared/session.ts';
import { dateAndTime, relativeTime, seconds } from '../shared/time.ts';
import { card } from './card.ts';
import { button, element, fill } from './dom.ts';
import { ExchangePanel } from './exchange-panel.ts';
import { Outcome, once } from './form.ts';

/** The card with the recorded barks of a dog. */
export class RecordedBarks {
  readonly element: HTMLElement;
  private readonly dog: string;
  private readonly panel = new ExchangePanel({ ofAction: false });
  private readonly outcome = new Outcome();
  private readonly list = element('ol', { class: 'barks' });
  private readonly row = element('div', { class: 'row' });
  /** The number of loads. The card ignores the response to a load if a later one has begun. */
  private loads = 0;

  constructor(dog: string) {
    this.dog = dog;
    this.panel.preview(get(this.firstPage));
    this.element = card('Recorded barks', [this.panel], this.list, this.row, this.outcome.element);
  }

  private get firstPage(): string {
    return `${pathOf(this.dog, 'barks')}?limit=5`;
  }

  async load(path = this.firstPage): Promise<void> {
    this.loads += 1;
    const { loads } = this;
    const exchange = await send(get(path));
    if (loads !== this.loads) return;
    this.panel.show(exchange);
    if (!succeeded(exchange)) return this.outcome.showProblem(exchange);
    this.outcome.clear();
    const items = documentOf<BarkList>(exchange).barks.map(itemOf);
    if (path === this.firstPage) fill(this.list);
    this.list.append(...items);
    const next = nextOf(headerOf(exchange, 'link'));
    fill(this.row, next && this.earlierButton(next));
    if (!this.list.hasChildNodes())
      this.outcome.show(
        'The dog has no recorded barks. The service records barks only if the dog has the effect record.',
      );
  }

  private earlierButton(next: string): HTMLButtonElement {
    const earlier: HTMLButtonElement = button(
      'Earlier barks',
      once(
        () => this.load(next),
        () => earlier,
      ),
    );
    return earlier;
  }
}

function itemOf({ id, timestamp, status }: Bark): HTMLElement {
  const when = timestamp === null ? '' : `${relativeTime(timestamp, seconds(Date.now()))}, `;
  return element(
    'li',
    {},
    element('span', {}, when, timestamp === null ? status : dateAndTime(timestamp)),
    element('code', {}, id),
  );
}
