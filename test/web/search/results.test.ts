import { markTerms } from '../../../web/shared/search/marks.ts';
import { resultsOf, type SearchSource } from '../../../web/shared/search/results.ts';

/** Returns a source of results, and the results that a test has opened. */
function sourceOf(dogs: readonly string[] = []) {
  const opened: string[] = [];
  const action = (name: string) => ({ name, run: () => void opened.push(name) });
  const source: SearchSource = {
    dogs,
    actions: [action('New dog'), action('Sign out')],
    searchDocumentation: (query) =>
      query === ''
        ? [{ url: '#dogs', title: markTerms('Dogs', []), excerpt: [] }]
        : Array.from({ length: 30 }, (_, i) => ({
            url: `#${i}`,
            title: markTerms(`Section ${i}`, []),
            excerpt: [],
          })),
    openDog: (id) => void opened.push(`dog ${id}`),
    openUrl: (url) => void opened.push(url),
  };
  return { source, opened };
}

const namesOf = (query: string, source: SearchSource) =>
  resultsOf(query, source).map(({ name, results }) => [
    name,
    results.map(({ title }) => title.map(({ text }) => text).join('')),
  ]);

describe('resultsOf()', () => {
  test('returns the actions and the parts of the documentation for an empty query', () => {
    const { source } = sourceOf(['rex']);
    expect(namesOf(' ', source)).toEqual([
      ['Actions', ['New dog', 'Sign out']],
      ['Documentation', ['Dogs']],
    ]);
  });

  test('returns at most five dogs, those with the shortest IDs first', () => {
    const { source } = sourceOf(['my-rex', 'rex-1', 'rex-2', 'rex-3', 'rex-4', 'rex-5', 'max', 'REX']);
    expect(namesOf('rex', source)[0]).toEqual(['Dogs', ['REX', 'rex-1', 'rex-2', 'rex-3', 'rex-4']]);
  });

  test('returns at most twelve sections', () => {
    const [documentation] = resultsOf('section', sourceOf().source);
    expect(documentation).toMatchObject({ name: 'Documentation', results: { length: 12 } });
  });

  test('opens the dog, the action and the section', () => {
    const { source, opened } = sourceOf(['dog-1']);
    for (const { results } of resultsOf('dog', source)) results[0]?.open();
    expect(opened).toEqual(['dog dog-1', 'New dog', '#0']);
  });
});
