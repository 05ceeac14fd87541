import { type Html, html } from './html.ts';

/** Links to itself, so that a reader can copy the URL of the section. */
export function heading(level: 2 | 3 | 4, id: string, content: Html | string): Html {
  const tag = { html: `h${level}` };
  return html`<${tag} id="${id}"><a class="anchor" href="#${id}">${content}</a></${tag}>`;
}
