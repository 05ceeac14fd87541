import type { FoundSection } from './documentation-index.ts';
import { markSubstring, type Part } from './marks.ts';

/** A command that the search offers. */
export interface Action {
  readonly name: string;
  run(): void;
}

interface Result {
  readonly title: readonly Part[];
  /** The title of the section that contains this one. */
  readonly parent?: string;
  readonly excerpt?: readonly Part[];
  open(): void;
}

/** Contains at least one result. */
export interface ResultGroup {
  readonly name: string;
  readonly results: readonly Result[];
}

export interface SearchSource {
  readonly actions: readonly Action[];
  readonly dogs: readonly string[];
  /** Returns the sections that match a query, best first. */
  searchDocumentation(query: string): readonly FoundSection[];
  openDog(id: string): void;
  openUrl(url: string): void;
}

const maxDogs = 5;
const maxSections = 12;

/** An empty query finds the actions and the main sections of the documentation. */
export function resultsOf(query: string, source: SearchSource): ResultGroup[] {
  const { actions, dogs, searchDocumentation, openDog, openUrl } = source;
  const text = query.trim();
  const matches = (name: string) => name.toLowerCase().includes(text.toLowerCase());
  // Shorter IDs are better matches, because the query makes up more of them.
  const found = text === '' ? [] : dogs.filter(matches).sort((a, b) => a.length - b.length);
  const groups = [
    {
      name: 'Dogs',
      results: found
        .slice(0, maxDogs)
        .map((id) => ({ title: markSubstring(id, text), open: () => openDog(id) })),
    },
    {
      name: 'Actions',
      results: actions
        .filter(({ name }) => matches(name))
        .map(({ name, run }) => ({ title: markSubstring(name, text), open: run })),
    },
    {
      name: 'Documentation',
      results: searchDocumentation(text)
        .slice(0, maxSections)
        .map(({ url, ...shown }) => ({ ...shown, open: () => openUrl(url) })),
    },
  ];
  return groups.filter(({ results }) => results.length > 0);
}
