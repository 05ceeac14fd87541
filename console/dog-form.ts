import type { Dog, ListedDog, NewDog } from '../client/index.ts';
import { card } from './card.ts';
import { button, element, fill, heading } from './dom.ts';
import { type Exchange, headerOf } from './exchange.ts';
import { ExchangePanel } from './exchange-panel.ts';
import { act, choices, field, input, Outcome, once, onSubmit, previewUntilSent } from './form.ts';
import { createDog, deleteDog, pathOf, replaceDog } from './requests.ts';
import type { Place, View } from './view.ts';

const effects = ['emailDog', 'emailOwner', 'count', 'record'] as const;
type Effect = (typeof effects)[number];

/** Returns the form fields of the settings of a dog. */
function settingsFields({
  email = '',
  owner = '',
  barkEffects,
  barkHandling,
}: Omit<ListedDog, 'barkCount' | 'id'>): HTMLElement[] {
  const checked = (effect: Effect) => barkEffects.includes(effect);
  return [
    choices('What a bark does', { name: 'barkEffects', type: 'checkbox' }, [
      { value: 'emailDog', label: 'emailDog', hint: 'mails the dog', checked: checked('emailDog') },
      { value: 'emailOwner', label: 'emailOwner', hint: 'mails its owner', checked: checked('emailOwner') },
      { value: 'count', label: 'count', hint: 'adds to barkCount', checked: checked('count') },
      { value: 'record', label: 'record', hint: 'keeps the bark; counts, too', checked: checked('record') },
    ]),
    choices('How a bark is handled', { name: 'barkHandling', type: 'radio' }, [
      { value: 'sync', label: 'sync', hint: 'the answer is its end', checked: barkHandling === 'sync' },
      { value: 'async', label: 'async', hint: '202, then look', checked: barkHandling === 'async' },
    ]),
    field('email', input('email', { value: email, inputmode: 'email' }), 'needed by emailDog'),
    field(
      'owner',
      input('owner', { value: owner }),
      'a URI reference; emailOwner needs mailto: and one address',
    ),
  ];
}

function settingsOf(form: HTMLFormElement): NewDog {
  const data = new FormData(form);
  const [email, owner] = [String(data.get('email')), String(data.get('owner'))];
  return {
    ...(email && { email }),
    ...(owner && { owner }),
    barkEffects: effects.filter((effect) => data.getAll('barkEffects').includes(effect)),
    barkHandling: data.get('barkHandling') === 'async' ? 'async' : 'sync',
  };
}

/** Returns a notice of what an exchange has done, for the view that the page shows next. */
function notice(words: string, exchange: Exchange): HTMLElement {
  const panel = new ExchangePanel();
  panel.show(exchange);
  const told = card(words, [panel], element('p', { class: 'hint' }, 'This is what it took.'));
  told.classList.add('notice');
  return told;
}

/** Shows a form for a new dog. */
export class NewDogView implements View {
  readonly element: HTMLElement;

  constructor(place: Place) {
    const panel = new ExchangePanel();
    const outcome = new Outcome();
    const form = element(
      'form',
      { novalidate: true },
      field(
        'id',
        input('id', { required: true }),
        '1 to 40 letters, digits, - or _; it becomes part of the URL',
      ),
      ...settingsFields({ barkEffects: ['record'], barkHandling: 'sync' }),
      element('div', { class: 'row' }, element('button', { class: 'main' }, 'Create the dog')),
      outcome.element,
    );
    const id = () => String(new FormData(form).get('id'));
    const request = () => createDog(id(), settingsOf(form));
    previewUntilSent(form, panel, request);
    onSubmit(form, () =>
      act(request(), {
        panel,
        outcome,
        form,
        done: (exchange) => {
          place.reloadList();
          place.go(`dogs/${encodeURIComponent(id())}`, notice(`${id()} is there`, exchange));
        },
      }),
    );
    this.element = element('div', {}, heading('A new dog'), card('What it is like', [panel], form));
  }

  async load(): Promise<void> {}
}

/** The card that replaces the settings of a dog. */
export interface ReplaceCard {
  readonly element: HTMLElement;
  /**
   * Updates the entity tag if the dog still has the settings of the form. If another client has changed the settings, the
   * old tag stays, so that the request does not overwrite them.
   */
  seen(dog: Dog, tag: string | undefined): void;
}

/**
 * Returns the card that replaces the settings of a dog.
 *
 * @param tag the entity tag of the dog whose settings are in the form
 */
export function replaceCard(dog: Dog, tag: string | undefined, changed: () => void): ReplaceCard {
  let basis = { settings: settingsIn(dog), tag };
  const panel = new ExchangePanel();
  const outcome = new Outcome();
  const guard = element('input', { type: 'checkbox' });
  const form = element(
    'form',
    { novalidate: true },
    ...settingsFields(dog),
    element(
      'label',
      { class: 'check' },
      guard,
      element('span', {}, 'only as it is shown here', element('small', {}, 'If-Match: its ETag')),
    ),
    element('div', { class: 'row' }, element('button', { class: 'main' }, 'Replace')),
    outcome.element,
  );
  const request = () => replaceDog(dog.id, settingsOf(form), guard.checked ? basis.tag : undefined);
  previewUntilSent(form, panel, request);
  onSubmit(form, () =>
    act(request(), {
      panel,
      outcome,
      form,
      done: (exchange) => {
        basis = { settings: JSON.stringify(settingsOf(form)), tag: tagOf(exchange) };
        outcome.tell(`${dog.id} is as you set it. Its count, barks and schedule stay.`);
        changed();
      },
    }),
  );
  return {
    element: card('Settings', [panel], form),
    seen: (now, itsTag) => {
      // A bark changes the tag, but not the settings.
      if (settingsIn(now) === basis.settings) basis = { ...basis, tag: itsTag };
    },
  };
}

/** Returns the settings of a dog as text, for a comparison. */
function settingsIn({ email, owner, barkEffects, barkHandling }: Dog): string {
  return JSON.stringify({
    ...(email && { email }),
    ...(owner && { owner }),
    barkEffects: effects.filter((effect) => barkEffects.includes(effect)),
    barkHandling,
  });
}

/** Returns the card that deletes a dog after a confirmation. */
export function deleteCard(dog: string, place: Place): HTMLElement {
  const panel = new ExchangePanel();
  const outcome = new Outcome();
  const row = element('div', { class: 'row' });
  const done = (exchange: Exchange) => {
    place.reloadList();
    place.go('', notice(`${dog} is gone`, exchange));
  };
  const really = button(
    `Yes, delete ${dog}`,
    once(
      () => act(deleteDog(dog), { panel, outcome, done }),
      () => really,
    ),
    'danger',
  );
  const keep = button('Keep it', () => [fill(row, ask), ask.focus()]);
  const ask = button('Delete …', () => [fill(row, really, keep), keep.focus()], 'danger');
  fill(row, ask);
  panel.preview(deleteDog(dog));
  const words = `DELETE of ${pathOf(dog)} removes the dog and all that it left: barks, schedule, all.`;
  return card('Delete', [panel], element('p', {}, words), row, outcome.element);
}

/** Returns the entity tag of a response. */
export function tagOf(exchange: Exchange): string | undefined {
  return headerOf(exchange, 'etag');
}
