export type Child = Node | string | undefined;

/** Attributes by name. A function listens to the event whose name follows `on`. */
export type Attributes = Readonly<
  Record<string, string | number | boolean | undefined | ((event: Event) => void)>
>;

/** Creates an element. Strings become text and are never parsed as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  return furnished(document.createElement(name), attributes, children);
}

/** Creates an SVG element. */
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

/** Replaces the children of an element. */
export function fill(holder: Element, ...children: readonly Child[]): void {
  holder.replaceChildren(...present(children));
}

function present(children: readonly Child[]): (Node | string)[] {
  return children.filter((child) => child !== undefined);
}

/** Creates a button that does not submit a form. */
export function button(label: string, onclick: () => void, kind = 'quiet'): HTMLButtonElement {
  return element('button', { type: 'button', class: kind, onclick }, label);
}

/** Creates the heading of a view, which can have the focus. */
export function heading(text: string): HTMLHeadingElement {
  return element('h1', { tabindex: -1 }, text);
}

let count = 0;

/** Returns an ID that no other element of the page has. */
export function newId(): string {
  count += 1;
  return `n${count}`;
}
