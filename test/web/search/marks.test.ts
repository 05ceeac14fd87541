import fc from 'fast-check';
import { excerptOf, markSubstring, markTerms } from '../../../web/shared/search/marks.ts';

const plain = (text: string) => ({ text, isMatch: false });
const match = (text: string) => ({ text, isMatch: true });

describe('markTerms()', () => {
  test('marks the beginnings of words, ignores the case and prefers longer terms', () => {
    expect(markTerms('Bark, barks and embark', ['bark', 'barks'])).toEqual([
      match('Bark'),
      plain(', '),
      match('barks'),
      plain(' and embark'),
    ]);
  });

  test('marks nothing without terms', () => {
    expect(markTerms('a dog', [])).toEqual([plain('a dog')]);
  });
});

describe('markSubstring()', () => {
  test.each([
    ['rex-20', 'EX-', [plain('r'), match('ex-'), plain('20')]],
    ['rex', 'rex', [match('rex')]],
    ['rex', 'max', [plain('rex')]],
    ['rex', '', [plain('rex')]],
    ['a.b', '.', [plain('a'), match('.'), plain('b')]],
  ])('marks in %j the query %j', (text, query, parts) => {
    expect(markSubstring(text, query)).toEqual(parts);
  });

  test('keeps the text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, query) => {
        expect(
          markSubstring(text, query)
            .map((part) => part.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});

describe('excerptOf()', () => {
  const long = `${'word '.repeat(60)}needle ${'more '.repeat(60)}`.trim();

  test('returns the paragraph with the most terms', () => {
    expect(excerptOf('one\none two\nthree', ['one', 'two'])).toBe('one two');
  });

  test('returns the first of the paragraphs with the same word, even if another one has more forms of it', () => {
    expect(excerptOf('a bark\nbarks and bark-schedule', ['bark', 'barks', 'bark-schedule'])).toBe('a bark');
  });

  test('returns the first paragraph if none has a term', () => {
    expect(excerptOf('first\nsecond', ['third'])).toBe('first');
  });

  test('cuts a long paragraph around the first match, at spaces', () => {
    const excerpt = excerptOf(long, ['needle']);
    expect(excerpt).toMatch(/^… (word )+needle( more)+ …$/);
    expect(excerpt.length).toBeLessThan(140);
  });

  test.each([
    ['begins', 'word', /^(word )+…$/],
    ['ends', 'last', /^… (more )+last$/],
  ])('shows where a long paragraph %s', (_, term, expected) => {
    expect(excerptOf(`${long} last`, [term])).toMatch(expected);
  });

  test('cuts a long word', () => {
    expect(excerptOf('x'.repeat(300), ['x']).length).toBeLessThan(140);
  });
});
