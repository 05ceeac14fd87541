import { printable, printableJson, printableLines } from '../../bin/printable.ts';

const controls = [
  ['an escape sequence', '\u001b]0;title\u0007'],
  ['a C1 control', '\u009b2J'],
  ['a deletion', 'a\u007f'],
  ['a null', 'a\0b'],
  ['a carriage return', 'good\rbad'],
  ['a line feed', 'good\nbad'],
  ['a right-to-left override', 'a\u202egpj.exe'],
  ['an isolate', 'a\u2066b\u2069'],
  ['a right-to-left mark', 'a\u200fb'],
  ['a line separator', 'a\u2028b'],
  ['a paragraph separator', 'a\u2029b'],
  ['half of a surrogate pair', 'a\ud83d'],
] as const;

const allowed = /^[^\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]*$/u;

test.each(controls)('%s is replaced in text, and escaped in JSON', (_, text) => {
  expect(printable(text)).toMatch(allowed);
  expect(printable(text)).toContain('\u{fffd}');
  const json = printableJson({ [text]: [text] });
  expect(json).toMatch(allowed);
  expect(JSON.parse(json)).toEqual({ [text]: [text] });
});

test.each(['Grüße', '日本語', '👩‍👩‍👧 ❤️', 'می‌خواهم', 'שלום'])('%s stays the same', (text) => {
  expect([printable(text), printableJson(text)]).toEqual([text, JSON.stringify(text)]);
});

test('lines stay lines, tabs become spaces, and indented JSON stays indented', () => {
  expect(printableLines('a\tb\r\nc\u001b\n')).toBe('a  b\nc\u{fffd}\n');
  expect(printableJson({ a: 'b\u009b\n' }, 2)).toBe('{\n  "a": "b\\u009b\\n"\n}');
});
