import type { DogList as DogListDocument, ListedDog } from '../../client/index.ts';
import { documentOf, type Exchange, headerOf, succeeded } from '../shared/http/exchange.ts';
import { nextOf } from '../shared/http/pagination.ts';
import { get, listDogs } from '../shared/http/requests.ts';
import { send } from '../shared/session.ts';
import { button, element, fill } from './dom.ts';
import { ExchangePanel } from './exchange-panel.ts';
import { Outcome, once } from './form.ts';

/** The list of the dogs. Each dog links to its view. */
export class DogList {
  readonly element: HTMLElement;
  private readonly panel = new ExchangePanel({ ofAction: false });
  private readonly outcome = new Outcome();
  private readonly list = element('ul', { class: 'dogs' });
  private readonly row = element('div', { class: 'row' });
  private current: string | undefined;
  /** The number of loads. The list ignores the response to a load if a later one has begun. */
  private loads = 0;

  constructor() {
    this.element = element(
      'nav',
      { class: 'sidebar', 'aria-label': 'Dogs' },
      element(
        'div',
        { class: 'row spread' },
        element('h2', {}, 'Dogs'),
        element('a', { class: 'button', href: '#new' }, 'New dog'),
      ),
      this.list,
      this.row,
      this.outcome.element,
      this.panel.element,
    );
  }

  /** Reads the list. @returns true if the service responds with a status below 500 */
  async load(): Promise<boolean> {
    this.loads += 1;
    const { loads } = this;
    const exchange = await send(listDogs());
    if (loads === this.loads) this.show(exchange);
    return exchange.response !== undefined && exchange.response.status < 500;
  }

  /** Shows the dogs of a response. @param more true to append them to the dogs that the list shows */
  show(exchange: Exchange, more = false): void {
    this.panel.show(exchange);
    if (succeeded(exchange)) this.fill(exchange, more);
    else this.outcome.showProblem(exchange);
  }

  private fill(exchange: Exchange, more: boolean): void {
    this.outcome.clear();
    if (!more) fill(this.list);
    this.list.append(...documentOf<DogListDocument>(exchange).dogs.map(itemOf));
    const next = nextOf(headerOf(exchange, 'link'));
    fill(this.row, next && this.moreButton(next));
    this.mark(this.current);
    if (!this.list.hasChildNodes()) this.outcome.show('There are no dogs yet. Create one.');
  }

  private moreButton(next: string): HTMLButtonElement {
    const more: HTMLButtonElement = button(
      'More dogs',
      once(
        async () => this.show(await send(get(next)), true),
        () => more,
      ),
    );
    return more;
  }

  /** Updates the entry of one dog. */
  update(dog: ListedDog): void {
    const link = this.links.find(({ dataset }) => dataset.dog === dog.id);
    link?.parentElement?.replaceWith(itemOf(dog));
    this.mark(this.current);
  }

  private get links(): HTMLAnchorElement[] {
    return [...this.list.querySelectorAll('a')];
  }

  /** Marks the dog that the page shows. */
  mark(id: string | undefined): void {
    this.current = id;
    for (const link of this.links) {
      if (link.dataset.dog === id) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
  }
}

function itemOf({ id, barkCount, barkEffects, barkHandling }: ListedDog): HTMLElement {
  return element(
    'li',
    {},
    element(
      'a',
      { href: `#dogs/${encodeURIComponent(id)}`, 'data-dog': id },
      element('strong', {}, id),
      element('span', { class: 'count', title: 'barkCount' }, String(barkCount)),
      element('small', {}, `${barkEffects.join(', ')} · ${barkHandling}`),
    ),
  );
}
