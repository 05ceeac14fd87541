import { Marked } from 'marked';

/** Escaped text or markup. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | undefined | false | readonly Part[];

/** Escapes each inserted value that is not `Html`. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: template.reduce((before, text, i) => before + htmlOf(parts[i - 1]) + text) };
}

function htmlOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'object') return 'html' in part ? part.html : part.map(htmlOf).join('');
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const descriptions = new Marked({ renderer: { html: ({ text }) => htmlOf(text) } });

/** Converts the Markdown of a description in paragraphs. */
export function prose(markdown: string): Html {
  return { html: descriptions.parse(markdown, { async: false }) };
}

/** Converts the Markdown of a description without paragraphs. */
export function phrase(markdown: string): Html {
  return { html: descriptions.parseInline(markdown, { async: false }) };
}

export function joined(parts: readonly Html[], separator: string): Html[] {
  return parts.map((part, i) => (i === 0 ? part : html`${separator}${part}`));
}

/** The heading links to itself, so that readers can copy the section's URL. */
export function heading(level: 2 | 3 | 4, id: string, content: Html | string): Html {
  const tag = { html: `h${level}` };
  return html`<${tag} id="${id}"><a class="anchor" href="#${id}">${content}</a></${tag}>`;
}
