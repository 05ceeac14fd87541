/** Text that is HTML, and is not escaped again. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | undefined | readonly Part[];

/** Returns the HTML of a template. Escapes the values in it, unless they are HTML. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: template.reduce((before, text, i) => before + htmlOf(parts[i - 1]) + text) };
}

function htmlOf(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'object') return 'html' in part ? part.html : part.map(htmlOf).join('');
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Returns the paragraphs of a description. Backticks mark code, and an empty line ends a paragraph. */
export function prose(text: string): Html[] {
  return text.split(/\n\n+/).map((paragraph) => html`<p>${phrase(paragraph)}</p>`);
}

/** Returns the text of one paragraph. Backticks mark code. */
export function phrase(text: string): Html[] {
  return text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

export function joined(parts: readonly Html[], separator: string): Html[] {
  return parts.map((part, i) => (i === 0 ? part : html`${separator}${part}`));
}
