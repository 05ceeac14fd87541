import { type Html, html } from './html.ts';

export interface Contents {
  readonly title: string;
  /** The ID of the group's section. Absent if the page has no such section. */
  readonly id?: string;
  readonly entries: readonly { readonly id: string; readonly title: Html }[];
}

/** A wide window shows the contents beside the page, and a narrow window shows them in a popover. */
export function navigation(groups: readonly Contents[]): Html {
  return html`<button type="button" class="open-contents" popovertarget="contents">Contents</button>
<nav id="contents" popover aria-label="Contents">
${groups.map(group)}</nav>`;
}

function group({ title, id, entries }: Contents): Html {
  const links = entries.map((entry) => html`<li><a href="#${entry.id}">${entry.title}</a></li>\n`);
  return html`<h2>${id === undefined ? title : html`<a href="#${id}">${title}</a>`}</h2>
<ul>
${links}</ul>
`;
}
