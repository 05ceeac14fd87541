import type { Dog, ListedDog, NewDog } from '../../client/index.ts';
import { type Exchange, headerOf } from '../shared/http/exchange.ts';
import { createDog, deleteDog, pathOf, replaceDog } from '../shared/http/requests.ts';
import { card } from './card.ts';
import { button, element, fill, heading } from './dom.ts';
import { ExchangePanel } from './exchange-panel.ts';
import { act, choices, field, input, Outcome, once, onSubmit, previewUntilSent } from './form.ts';
import type { Place, View } from './view.ts';

const effects = ['emailDog', 'emailOwner', 'count', 'record'] as const;
type Effect = (typeof effects)[number];

/** Returns the form fields for the settings of a dog. */
function settingsFields({
  email = '',
  owner = '',
  barkEffects,
  barkHandling,
}: Omit<ListedDog, 'barkCount' | 'id'>): HTMLElement[] {
  const checked = (effect: Effect) => barkEffects.includes(effect);
  return [
    choices('What a bark does', { name: 'barkEffects', type: 'checkbox' }, [
      { value: 'emailDog', label: 'emailDog', hint: 'sends mail to the dog', checked: checked('emailDog') },
      {
        value: 'emailOwner',
        label: 'emailOwner',
        hint: 'sends mail to the owner',
        checked: checked('emailOwner'),
      },
      { value: 'count', label: 'count', hint: 'increases barkCount', checked: checked('count') },
      {
        value: 'record',
        label: 'record',
        hint: 'records the bark and counts it',
        checked: checked('record'),
      },
    ]),
    choices('How a bark is handled', { name: 'barkHandling', type: 'radio' }, [
      { value: 'sync', label: 'sync', hint: 'responds after the bark', checked: barkHandling === 'sync' },
      {
        value: 'async',
        label: 'async',
        hint: 'responds at once with 202',
        checked: barkHandling === 'async',
      },
    ]),
    field('email', input('email', { value: email, inputmode: 'email' }), 'The effect emailDog requires it.'),
    field(
      'owner',
      input('owner', { value: owner }),
      'A URI reference. The effect emailOwner requires a mailto: URI with one address.',
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

/** Returns a card that shows the request of an action on the previous page. */
function notice(title: string, exchange: Exchange): HTMLElement {
  const panel = new ExchangePanel();
  panel.show(exchange);
  const result = card(title, [panel], element('p', { class: 'hint' }, 'The page sent this request.'));
  result.classList.add('notice');
  return result;
}

/** The view with the form for a new dog. */
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
        '1 to 40 letters, digits, hyphens or underscores. The id becomes part of the URL.',
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
          place.go(`dogs/${encodeURIComponent(id())}`, notice(`${id()} was created`, exchange));
        },
      }),
    );
    this.element = element('div', {}, heading('New dog'), card('Settings', [panel], form));
  }

  async load(): Promise<void> {}
}

/** A card with the settings of a dog, in which the user can replace them. */
export interface ReplaceCard {
  readonly element: HTMLElement;
  /**
   * Updates the card with the current dog and its entity tag. If the settings have changed, the card keeps the earlier
   * tag, so that `If-Match` prevents the user from overwriting a change that the form does not show.
   */
  update(dog: Dog, tag: string | undefined): void;
}

/** Returns the card that replaces the settings of a dog. @param tag the entity tag of the dog that fills the form */
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
      element('span', {}, 'only if the dog has not changed', element('small', {}, 'If-Match with its ETag')),
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
        outcome.show(`The settings of ${dog.id} were replaced. Its count, barks and schedule are unchanged.`);
        changed();
      },
    }),
  );
  return {
    element: card('Settings', [panel], form),
    update: (current, currentTag) => {
      // A bark changes the tag but not the settings.
      if (settingsIn(current) === basis.settings) basis = { ...basis, tag: currentTag };
    },
  };
}

/** Returns the settings of a dog as text, for comparison. */
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
    place.go('', notice(`${dog} was deleted`, exchange));
  };
  const confirm = button(
    `Yes, delete ${dog}`,
    once(
      () => act(deleteDog(dog), { panel, outcome, done }),
      () => confirm,
    ),
    'danger',
  );
  const keep = button('Keep it', () => [fill(row, ask), ask.focus()]);
  const ask = button('Delete …', () => [fill(row, confirm, keep), keep.focus()], 'danger');
  fill(row, ask);
  panel.preview(deleteDog(dog));
  const explanation = `DELETE ${pathOf(dog)} deletes the dog, its barks and its schedule.`;
  return card('Delete', [panel], element('p', {}, explanation), row, outcome.element);
}

/** Returns the entity tag of a response. */
export function tagOf(exchange: Exchange): string | undefined {
  return headerOf(exchange, 'etag');
}
