import { type Html, html } from './html.ts';

/** The heading links to itself, so that readers can copy the section's URL. */
export function heading(level: 2 | 3 | 4, id: string, content: Html | string): Html {
  const tag = { html: `h${level}` };
  return html`<${tag} id="${id}"><a class="anchor" href="#${id}">${content}</a></${tag}>`;
}
