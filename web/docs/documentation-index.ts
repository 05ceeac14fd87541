import MiniSearch from 'minisearch';

/** A heading in the documentation, with the text up to the next heading. */
export interface Section {
  readonly id: string;
  /** The level of the heading, from 1. */
  readonly level: number;
  readonly title: string;
  readonly text: string;
}

/** Words that users search for, and the words that the documentation uses instead. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['rate', 'too many requests'],
  ['throttle', 'too many requests'],
  ['etag', 'entity tag'],
  ['login', 'credentials'],
]);

/** In characters. A section states first what it is about. */
const summaryLength = 200;

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
        boostDocument: (at) => (/^(problem|schema)-/.test(sections[at]?.id ?? '') ? 0.5 : 1),
      },
    });
    this.index.addAll(
      sections.map(({ title, text }, id) => ({ id, title, summary: text.slice(0, summaryLength), text })),
    );
  }

  /**
   * Returns the sections that contain all words of a query, best first, or those with some of the words if none contains all.
   * `parent` is the title of the section that contains the found one.
   */
  search(query: string): (Section & { readonly parent: string | undefined })[] {
    const all = this.matchesOf(query, 'AND');
    return (all.length > 0 ? all : this.matchesOf(query, 'OR')).flatMap(({ id }) => {
      const section = this.sections[id];
      const parent = this.sections.slice(0, id).findLast(({ level }) => level < (section?.level ?? 0));
      return section ? [{ ...section, parent: parent?.title }] : [];
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
