export type Child = Node | string | undefined;

/** Attributes by their names; a function listens to the event that its name tells after `on`. */
export type Attributes = Readonly<
  Record<string, string | number | boolean | undefined | ((event: Event) => void)>
>;

/** Makes an element. What comes from elsewhere is appended as text, never parsed. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  return furnished(document.createElement(name), attributes, children);
}

/** Makes an element of a picture. */
export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Name] {
  return furnished(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function furnished<Made extends Element>(
  made: Made,
  attributes: Attributes,
  children: readonly Child[],
): Made {
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === 'function') made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false)
      made.setAttribute(name, value === true ? '' : `${value}`);
  made.append(...present(children));
  return made;
}

/** Puts these in the place of what an element holds. */
export function fill(holder: Element, ...children: readonly Child[]): void {
  holder.replaceChildren(...present(children));
}

function present(children: readonly Child[]): (Node | string)[] {
  return children.filter((child) => child !== undefined);
}

/** A button that does something here, and sends no form. */
export function button(label: string, onclick: () => void, kind = 'quiet'): HTMLButtonElement {
  return element('button', { type: 'button', class: kind, onclick }, label);
}

/** A heading that can be given the focus, where a view begins. */
export function heading(text: string): HTMLHeadingElement {
  return element('h1', { tabindex: -1 }, text);
}

let count = 0;

/** An id that no other element of the page has. */
export function newId(): string {
  count += 1;
  return `n${count}`;
}
