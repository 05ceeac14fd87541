/** Escaped text or markup. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | undefined | readonly Part[];

/** Escapes each inserted value that is not `Html`. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: template.reduce((before, text, i) => before + htmlOf(parts[i - 1]) + text) };
}

function htmlOf(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'object') return 'html' in part ? part.html : part.map(htmlOf).join('');
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Supports a small part of Markdown: empty lines between paragraphs, list items that begin with `- `, and code in backticks. */
export function prose(text: string): Html[] {
  return text
    .split(/\n\n+/)
    .map((block) => (block.startsWith('- ') ? list(block) : html`<p>${phrase(block)}</p>`));
}

function list(block: string): Html {
  const items = block.split('\n').map((line) => html`<li>${phrase(line.replace(/^- /, ''))}</li>\n`);
  return html`<ul>\n${items}</ul>`;
}

/** Supports code in backticks. */
export function phrase(text: string): Html[] {
  return text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

export function joined(parts: readonly Html[], separator: string): Html[] {
  return parts.map((part, i) => (i === 0 ? part : html`${separator}${part}`));
}
