import { type Child, element, newId } from './dom.ts';

/** A part of a view: what it is about on one side, what belongs beside it on the other, its exchanges above all. */
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
