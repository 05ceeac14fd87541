import { markTerms } from '../../../../web/docs/search/marks.ts';
import { resultsOf, type SearchSource } from '../../../../web/docs/search/results.ts';

const sourceOf = (dogs: readonly string[] = []): SearchSource => ({
  dogs,
  actions: ['New dog', 'Sign out'].map((name) => ({ name, run: () => {} })),
  searchDocumentation: (query) =>
    Array.from({ length: query === '' ? 1 : 30 }, (_, i) => ({
      url: `#${i}`,
      title: markTerms(`Section ${i}`, []),
      excerpt: [],
    })),
  openDog: () => {},
  openUrl: () => {},
});

const namesOf = (query: string, source: SearchSource) =>
  resultsOf(query, source).map(({ name, results }) => [
    name,
    results.map(({ title }) => title.map(({ text }) => text).join('')),
  ]);

describe('resultsOf()', () => {
  test('returns the actions and the parts of the documentation for an empty query', () => {
    expect(namesOf(' ', sourceOf(['rex']))).toEqual([
      ['Actions', ['New dog', 'Sign out']],
      ['Documentation', ['Section 0']],
    ]);
  });

  test('returns at most five dogs, those with the shortest IDs first', () => {
    const source = sourceOf(['my-rex', 'rex-1', 'rex-2', 'rex-3', 'rex-4', 'rex-5', 'max', 'REX']);
    expect(namesOf('rex', source)[0]).toEqual(['Dogs', ['REX', 'rex-1', 'rex-2', 'rex-3', 'rex-4']]);
  });

  test('returns at most twelve sections', () => {
    const [documentation] = resultsOf('section', sourceOf());
    expect(documentation).toMatchObject({ name: 'Documentation', results: { length: 12 } });
  });
});
