import { excerptOf } from '../../web/shared/http/exchange-text.ts';

const lines = Array.from({ length: 100 }, (_, i) => `line ${i}`);

test.each([
  ['a short text unchanged', 'a\nb', 'a\nb'],
  ['the first lines of a text with many lines', lines.join('\n'), lines.slice(0, 24).join('\n')],
  [
    'a text unchanged if it would hide only a few lines',
    lines.slice(0, 28).join('\n'),
    lines.slice(0, 28).join('\n'),
  ],
  ['the beginning of a long line', 'x'.repeat(10_000), 'x'.repeat(2_000)],
])('excerptOf() returns %s', (_, text, expected) => {
  expect(excerptOf(text)).toBe(expected);
});
