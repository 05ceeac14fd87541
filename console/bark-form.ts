import type { Dog } from '../client/index.ts';
import { BarkWatch } from './bark-watch.ts';
import { card } from './card.ts';
import { element } from './dom.ts';
import { type Exchange, headerOf, succeeded } from './exchange.ts';
import { ExchangePanel } from './exchange-panel.ts';
import { act, choices, field, Outcome, onSubmit, previewUntilSent } from './form.ts';
import { mailLinks } from './mail-links.ts';
import { type BarkWish, postBark } from './requests.ts';
import { pathIn } from './service.ts';

/** The maximum number of asynchronous barks that the page shows at a time. */
const maxWatches = 3;

export interface Barker {
  /** Returns the dog as the page last read it. */
  dog(): Dog | undefined;
  /** Called when the dog may have changed. */
  changed(): void;
  readonly left: AbortSignal;
}

/** Returns the cards that make a dog bark and show its asynchronous barks. */
export function barkCards(id: string, barker: Barker): HTMLElement {
  const watches = element('div', { class: 'watches' });
  const panel = new ExchangePanel();
  const outcome = new Outcome();
  const form = element(
    'form',
    { novalidate: true },
    field(
      'message',
      element('textarea', { name: 'message', rows: 2 }),
      'optional; what the mail says, where a bark sends one',
    ),
    choices('Resource', { name: 'resource', type: 'radio' }, [
      { value: 'barks', label: 'POST barks', hint: 'variant A: a bark is made', checked: true },
      { value: 'bark', label: 'POST bark', hint: 'variant C: the last bark is another' },
    ]),
    choices('Handling', { name: 'handling', type: 'radio' }, [
      { value: 'own', label: "the dog's own way", hint: 'sync or async, as it is set', checked: true },
      { value: 'later', label: 'asynchronous', hint: 'Prefer: respond-async' },
    ]),
    element('div', { class: 'row' }, element('button', { class: 'main' }, 'Bark')),
    outcome.element,
  );
  const request = () => postBark(id, wishOf(form));
  previewUntilSent(form, panel, request);
  onSubmit(form, async () => {
    await act(request(), {
      panel,
      outcome,
      form,
      done: (exchange) => {
        outcome.tell(...wordsFor(exchange, barker.dog()));
        if (exchange.answer?.status === 202) watch(exchange, watches, barker);
      },
    });
    barker.changed();
  });
  return element('div', { class: 'stack' }, card('Make it bark', [panel], form), watches);
}

function wishOf(form: HTMLFormElement): BarkWish {
  const data = new FormData(form);
  return {
    resource: data.get('resource') === 'bark' ? 'bark' : 'barks',
    message: String(data.get('message')),
    later: data.get('handling') === 'later',
  };
}

function wordsFor(exchange: Exchange, dog: Dog | undefined): (Node | string | undefined)[] {
  const { answer } = exchange;
  if (!answer || !succeeded(exchange)) return [];
  if (answer.status === 202) return ['Accepted: the bark is pending. What becomes of it is shown below.'];
  const barked = answer.followedTo
    ? 'It barked, and the dog has changed: a redirect led to it.'
    : answer.status === 201
      ? 'It barked, and the bark is at its Location.'
      : 'It barked by mail alone: nothing is kept.';
  return [barked, mailLinks(dog)];
}

function watch(exchange: Exchange, watches: HTMLElement, { dog, changed, left }: Barker): void {
  const location = headerOf(exchange, 'location');
  if (location === undefined) return;
  const one = new BarkWatch(pathIn(location), { left, changed, mails: () => mailLinks(dog()) });
  watches.prepend(one.element);
  watches.children[maxWatches]?.remove();
  void one.run();
}
