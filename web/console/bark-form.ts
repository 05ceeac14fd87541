import type { Dog } from '../../client/index.ts';
import { type Exchange, headerOf, succeeded } from '../shared/http/exchange.ts';
import { type BarkRequest, postBark } from '../shared/http/requests.ts';
import { pathIn } from '../shared/service.ts';
import { BarkWatch } from './bark-watch.ts';
import { card } from './card.ts';
import { element } from './dom.ts';
import { ExchangePanel } from './exchange-panel.ts';
import { act, choices, field, Outcome, onSubmit, previewUntilSent } from './form.ts';
import { mailLinks } from './mail-links.ts';

/** The largest number of asynchronous barks that the page shows at once. */
const maxWatches = 3;

/** The parts of the dog view that the bark cards use. */
export interface BarkContext {
  /** Returns the dog as the page last read it. */
  dog(): Dog | undefined;
  /** The cards call this when the dog may have changed. */
  changed(): void;
  readonly left: AbortSignal;
}

/** Returns the form that makes a dog bark, and the cards of its asynchronous barks. */
export function barkCards(id: string, context: BarkContext): HTMLElement {
  const watches = element('div', { class: 'watches' });
  const panel = new ExchangePanel();
  const outcome = new Outcome();
  const form = element(
    'form',
    { novalidate: true },
    field(
      'message',
      element('textarea', { name: 'message', rows: 2 }),
      'Optional. The text of the mail, if the bark sends mail.',
    ),
    choices('Resource', { name: 'resource', type: 'radio' }, [
      { value: 'barks', label: 'POST barks', hint: 'variant A: creates a bark', checked: true },
      { value: 'bark', label: 'POST bark', hint: 'variant C: replaces the last bark' },
    ]),
    choices('Handling', { name: 'handling', type: 'radio' }, [
      { value: 'own', label: "the dog's setting", hint: 'sync or async', checked: true },
      { value: 'async', label: 'asynchronous', hint: 'Prefer: respond-async' },
    ]),
    element('div', { class: 'row' }, element('button', { class: 'main' }, 'Bark')),
    outcome.element,
  );
  const request = () => postBark(id, barkRequestOf(form));
  previewUntilSent(form, panel, request);
  onSubmit(form, async () => {
    await act(request(), {
      panel,
      outcome,
      form,
      done: (exchange) => {
        outcome.show(...messageOf(exchange, context.dog()));
        if (exchange.response?.status === 202) watch(exchange, watches, context);
      },
    });
    context.changed();
  });
  return element('div', { class: 'stack' }, card('Make it bark', [panel], form), watches);
}

function barkRequestOf(form: HTMLFormElement): BarkRequest {
  const data = new FormData(form);
  return {
    resource: data.get('resource') === 'bark' ? 'bark' : 'barks',
    message: String(data.get('message')),
    async: data.get('handling') === 'async',
  };
}

function messageOf(exchange: Exchange, dog: Dog | undefined): (Node | string | undefined)[] {
  const { response } = exchange;
  if (!response || !succeeded(exchange)) return [];
  if (response.status === 202) return ['The service has accepted the bark. Its progress is below.'];
  const barked = response.followedTo
    ? 'The dog barked. The response redirected the browser to the dog.'
    : response.status === 201
      ? 'The dog barked. The URL of the bark is in the Location header.'
      : 'The dog barked. The service sent mail and recorded nothing.';
  return [barked, mailLinks(dog)];
}

function watch(exchange: Exchange, watches: HTMLElement, { dog, changed, left }: BarkContext): void {
  const location = headerOf(exchange, 'location');
  if (location === undefined) return;
  const barkWatch = new BarkWatch(pathIn(location), { left, changed, mails: () => mailLinks(dog()) });
  watches.prepend(barkWatch.element);
  watches.children[maxWatches]?.remove();
  void barkWatch.run();
}
