import { lexer, Parser, Renderer, type Token, type Tokens } from 'marked';
import { codeBlock, example, figure } from './code.ts';
import { heading } from './headings.ts';
import { type Html, html } from './html.ts';

const languages = ['sh', 'ts', 'python'] as const;

export type Language = (typeof languages)[number];

/** One example in one or more languages: adjacent code blocks, at most one for each language. */
export interface CodeGroup {
  readonly type: 'code-group';
  readonly code: ReadonlyMap<Language, string>;
}

/** Adjacent code blocks in different languages become one code group. */
export function blocksOf(markdown: string): (Token | CodeGroup)[] {
  const blocks: (Token | CodeGroup)[] = [];
  let group: Map<Language, string> | undefined;
  for (const token of lexer(markdown)) {
    if (token.type === 'space') continue;
    const example = exampleIn(token);
    if (!example || group?.has(example.language)) group = undefined;
    if (!example) blocks.push(token);
    else if (group) group.set(example.language, example.text);
    else {
      group = new Map([[example.language, example.text]]);
      blocks.push({ type: 'code-group', code: group });
    }
  }
  return blocks;
}

/** Returns undefined if the token is not a code block in one of the languages. */
function exampleIn(token: Token): { language: Language; text: string } | undefined {
  if (token.type !== 'code') return undefined;
  const { lang = '', text } = token as Tokens.Code;
  const language = languages.find((name) => name === lang);
  return language && { language, text };
}

export function isGroup(block: Token | CodeGroup): block is CodeGroup {
  return block.type === 'code-group';
}

export interface Placement {
  readonly headingId: (slug: string) => string;
  /** @throws Error if the link's target does not exist */
  readonly href: (target: string) => string;
}

/**
 * A heading is one level lower than in the document.
 *
 * @throws Error if the document contains HTML or an image, or if an example has code in several but not all languages
 */
export function htmlOfBlocks(blocks: readonly (Token | CodeGroup)[], placement: Placement): Html {
  const parser = new Parser({ renderer: new PageRenderer(placement) });
  return html`${blocks.map((block) => (isGroup(block) ? htmlOfGroup(block) : { html: parser.parse([block]) }))}`;
}

/** @throws Error if a group has code in several but not all languages */
function htmlOfGroup({ code }: CodeGroup): Html {
  if (code.size === 1) return html`${[...code].map(([language, text]) => htmlOfCode(language, text))}`;
  const textIn = (language: Language) => {
    const text = code.get(language);
    if (text === undefined) throw new Error(`An example has no code in the language ${language}.`);
    return text;
  };
  return example({ curl: textIn('sh'), typescript: textIn('ts'), python: textIn('python') });
}

const titles: Readonly<Record<string, string>> = { sh: 'Shell', http: 'Response', text: 'Output' };

function htmlOfCode(language: string, text: string): Html {
  return figure(codeBlock(text, language), titles[language]);
}

class PageRenderer extends Renderer {
  private readonly placement: Placement;

  constructor(placement: Placement) {
    super();
    this.placement = placement;
  }

  override heading({ tokens, text, depth }: Tokens.Heading): string {
    const id = html`${this.placement.headingId(slugOf(text))}`.html;
    return `${heading((depth + 1) as 3 | 4, id, { html: this.parser.parseInline(tokens) }).html}\n`;
  }

  override link({ href, tokens }: Tokens.Link): string {
    const url = html`${this.placement.href(href)}`.html;
    return `<a href="${url}">${this.parser.parseInline(tokens)}</a>`;
  }

  override code({ lang = 'text', text }: Tokens.Code): string {
    return htmlOfCode(lang, text).html;
  }

  override table(token: Tokens.Table): string {
    // A header cell without text is not a header.
    const table = super.table(token).replaceAll('<th></th>', '<td></td>');
    return `<div class="table">\n${table}</div>\n`;
  }

  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    throw new Error(`The document contains HTML: ${text}. Use Markdown instead.`);
  }

  override image({ href }: Tokens.Image): string {
    throw new Error(`The document contains the image ${href}. Describe it in words instead.`);
  }
}

/** Returns the anchor that GitHub generates for a heading. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
