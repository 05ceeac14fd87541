import { excerptOf, markTerms } from '../../../../web/docs/search/marks.ts';

const plain = (text: string) => ({ text, isMatch: false });
const match = (text: string) => ({ text, isMatch: true });

test('markTerms() marks the beginnings of words, ignores the case and prefers longer terms', () => {
  expect(markTerms('Bark, barks and embark', ['bark', 'barks'])).toEqual([
    match('Bark'),
    plain(', '),
    match('barks'),
    plain(' and embark'),
  ]);
  expect(markTerms('a dog', [])).toEqual([plain('a dog')]);
});

describe('excerptOf()', () => {
  const long = `${'word '.repeat(60)}needle ${'more '.repeat(60)}`.trim();

  test.each([
    ['the paragraph with the most terms', 'one\none two\nthree', ['one', 'two'], 'one two'],
    [
      'the first of the paragraphs with the same word, even if another one has more forms of it',
      'a bark\nbarks and bark-schedule',
      ['bark', 'barks', 'bark-schedule'],
      'a bark',
    ],
    ['the first paragraph if none has a term', 'first\nsecond', ['third'], 'first'],
  ])('returns %s', (_, text, terms, expected) => {
    expect(excerptOf(text, terms)).toBe(expected);
  });

  test.each([
    ['needle', /^… (word )+needle( more)+ …$/],
    ['word', /^(word )+…$/],
    ['last', /^… (more )+last$/],
  ])('cuts a long paragraph around the first %s, at spaces', (term, expected) => {
    const excerpt = excerptOf(`${long} last`, [term]);
    expect(excerpt).toMatch(expected);
    expect(excerpt.length).toBeLessThan(140);
  });

  test('cuts a long word', () => {
    expect(excerptOf('x'.repeat(300), ['x']).length).toBeLessThan(140);
  });
});
