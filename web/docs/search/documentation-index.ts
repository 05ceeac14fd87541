import MiniSearch from 'minisearch';
import { excerptOf, markTerms, type Part } from './marks.ts';

/** A heading in the documentation, with the text up to the next heading. */
export interface Block {
  readonly id: string;
  /** The level of the heading, from 1. */
  readonly level: number;
  readonly title: string;
  /** The paragraphs, one per line. There may be empty lines. */
  readonly text: string;
}

export interface Section {
  readonly url: string;
  readonly title: string;
  /** The title of the section that contains this one. */
  readonly parent?: string;
  /** The paragraphs, one per line. */
  readonly text: string;
}

export interface FoundSection {
  readonly url: string;
  readonly title: readonly Part[];
  readonly parent?: string;
  readonly excerpt: readonly Part[];
}

export function sectionsOf(blocks: readonly Block[]): Section[] {
  const path: Block[] = [];
  return blocks.map((block) => {
    while ((path.at(-1)?.level ?? 0) >= block.level) path.pop();
    const parent = path.at(-1);
    path.push(block);
    return {
      url: `#${block.id}`,
      title: block.title.trim(),
      ...(parent && { parent: parent.title.trim() }),
      text: block.text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join('\n'),
    };
  });
}

/** Words that users search for, and the words that the documentation uses instead. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['rate', 'too many requests'],
  ['throttle', 'too many requests'],
  ['etag', 'entity tag'],
  ['login', 'credentials'],
]);

/** Also finds words by their beginnings, and despite typos. */
export class DocumentationIndex {
  private readonly sections: readonly Section[];
  private readonly index: MiniSearch;

  constructor(sections: readonly Section[]) {
    this.sections = sections;
    this.index = new MiniSearch({
      fields: ['title', 'summary', 'text'],
      tokenize: tokensOf,
      searchOptions: {
        tokenize: wordsOf,
        boost: { title: 3, summary: 4 },
        prefix: (term) => term.length > 1,
        // A similar number is not a typo, but another number.
        fuzzy: (term) => term.length > 5 && !/\d/.test(term) && 0.2,
        weights: { prefix: 0.5, fuzzy: 0.2 },
        // Guides and operations come before problems and schemas, which repeat the operations' words.
        boostDocument: (id) => (/#(problem|schema)-/.test(sections[id]?.url ?? '') ? 0.5 : 1),
      },
    });
    this.index.addAll(
      sections.map(({ title, text }, id) => ({ id, title, summary: text.split('\n', 1)[0], text })),
    );
  }

  /** Returns the sections without a parent, in the order of the page. */
  get outline(): FoundSection[] {
    return this.sections
      .filter(({ parent }) => parent === undefined)
      .map(({ url, title }) => ({ url, title: markTerms(title, []), excerpt: [] }));
  }

  /** Returns the sections that contain all words of a query, best first, or those with some of the words if none contains all. */
  search(query: string): FoundSection[] {
    const all = this.matchesOf(query, 'AND');
    return (all.length > 0 ? all : this.matchesOf(query, 'OR')).flatMap(({ id, terms }) => {
      const section = this.sections[id];
      if (!section) return [];
      const { title, text, ...rest } = section;
      return [{ ...rest, title: markTerms(title, terms), excerpt: markTerms(excerptOf(text, terms), terms) }];
    });
  }

  private matchesOf(query: string, combineWith: 'AND' | 'OR') {
    const others = wordsOf(query).flatMap((token) => synonyms.get(token.toLowerCase()) ?? []);
    return this.index.search({
      combineWith: 'OR',
      queries: [query, ...others].map((one) => ({ combineWith, queries: [one] })),
    });
  }
}

/** A word may contain hyphens and underscores. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)*/gu) ?? [];
}

/** Returns a text's words, and the parts of words that contain a hyphen, an underscore or an inner capital letter. */
function tokensOf(text: string): string[] {
  return wordsOf(text).flatMap((word) => {
    const parts = word.split(/[-_]|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u);
    return parts.length > 1 ? [word, ...parts] : [word];
  });
}
