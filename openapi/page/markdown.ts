import { lexer, Parser, Renderer, type Token, type Tokens } from 'marked';
import { codeBlock, example, figure } from './code.ts';
import { type Html, heading, html } from './html.ts';

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
    const { type, lang, text } = token as Tokens.Code;
    const language = languages.find((name) => type === 'code' && name === lang);
    if (!language || group?.has(language)) group = undefined;
    if (!language) blocks.push(token);
    else if (group) group.set(language, text);
    else {
      group = new Map([[language, text]]);
      blocks.push({ type: 'code-group', code: group });
    }
  }
  return blocks;
}

export function isGroup(block: Token | CodeGroup): block is CodeGroup {
  return block.type === 'code-group';
}

/**
 * A heading is one level lower than in the document.
 *
 * @param id the beginning of the headings' IDs
 * @param hrefOf returns the `href` of a link
 * @throws Error if an example has code in several but not all languages
 */
export function htmlOfBlocks(
  blocks: readonly (Token | CodeGroup)[],
  id: string,
  hrefOf: (target: string) => string,
): Html {
  const parser = new Parser({ renderer: new PageRenderer(id, hrefOf) });
  return html`${blocks.map((block) => (isGroup(block) ? htmlOfGroup(block) : { html: parser.parse([block]) }))}`;
}

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
  private readonly id: string;
  private readonly hrefOf: (target: string) => string;

  constructor(id: string, hrefOf: (target: string) => string) {
    super();
    this.id = id;
    this.hrefOf = hrefOf;
  }

  override heading({ tokens, text, depth }: Tokens.Heading): string {
    const content = { html: this.parser.parseInline(tokens) };
    return `${heading((depth + 1) as 3 | 4, `${this.id}-${slugOf(text)}`, content).html}\n`;
  }

  override link(link: Tokens.Link): string {
    return super.link({ ...link, href: this.hrefOf(link.href) });
  }

  /** The comments of a document are not for readers of the page. */
  override html(): string {
    return '';
  }

  override code({ lang = 'text', text }: Tokens.Code): string {
    return htmlOfCode(lang, text).html;
  }

  override table(token: Tokens.Table): string {
    // A header cell without text is not a header.
    return super.table(token).replaceAll('<th></th>', '<td></td>');
  }
}

/** Returns the anchor that GitHub generates for a heading. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
