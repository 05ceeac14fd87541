import { type Child, element, newId } from './dom.ts';

/** Returns a section of a view. Its content is on the left, and its exchanges are on the right. */
export function card(
  title: string,
  panels: readonly { readonly element: HTMLElement }[],
  ...content: readonly Child[]
): HTMLElement {
  const id = newId();
  const elements = panels.map((panel) => panel.element);
  return element(
    'section',
    { class: 'card', 'aria-labelledby': id },
    element('div', { class: 'subject' }, element('h2', { id }, title), ...content),
    elements.length > 0 ? element('div', { class: 'beside' }, ...elements) : undefined,
  );
}
