import { type Child, element, newId } from './dom.ts';

/**
 * Returns a card, which is a part of a view.
 *
 * @param beside the elements next to the content, usually the exchanges
 */
export function card(
  title: string,
  beside: readonly { readonly element: HTMLElement }[],
  ...content: readonly Child[]
): HTMLElement {
  const id = newId();
  const elements = beside.map((part) => part.element);
  return element(
    'section',
    { class: 'card', 'aria-labelledby': id },
    element('div', { class: 'subject' }, element('h2', { id }, title), ...content),
    elements.length > 0 ? element('div', { class: 'beside' }, ...elements) : undefined,
  );
}
