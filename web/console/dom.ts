export type Child = Node | string | undefined;

/** Attributes by name. A function is an event listener, and the name of its attribute is `on` plus the event. */
export type Attributes = Readonly<
  Record<string, string | number | boolean | undefined | ((event: Event) => void)>
>;

/** Creates an HTML element. Strings become text nodes and are never parsed as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  return configured(document.createElement(name), attributes, children);
}

/** Creates an SVG element. */
export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Name] {
  return configured(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function configured<Target extends Element>(
  target: Target,
  attributes: Attributes,
  children: readonly Child[],
): Target {
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === 'function') target.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false)
      target.setAttribute(name, value === true ? '' : `${value}`);
  target.append(...present(children));
  return target;
}

/** Replaces the children of an element. */
export function fill(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren(...present(children));
}

function present(children: readonly Child[]): (Node | string)[] {
  return children.filter((child) => child !== undefined);
}

/** Creates a button that does not submit a form. */
export function button(label: string, onclick: () => void, kind = 'quiet'): HTMLButtonElement {
  return element('button', { type: 'button', class: kind, onclick }, label);
}

/** Creates the heading of a view. It can receive the focus. */
export function heading(text: string): HTMLHeadingElement {
  return element('h1', { tabindex: -1 }, text);
}

let count = 0;

/** Returns an ID that no other element of the page has. */
export function newId(): string {
  count += 1;
  return `n${count}`;
}
