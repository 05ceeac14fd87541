import { findingsIn } from '../../tools/prose/rules.ts';
import { textsOf } from '../../tools/prose/texts.ts';

describe('findingsIn', () => {
  test.each([
    ['The slot is due.', 'slot'],
    ['the dead letters of the queue', 'dead letters'],
    ['the earlier lives of the dog', 'lives of the dog'],
    ['last Slot', 'Slot'],
  ])('finds the word that the glossary replaces in "%s"', (text, found) => {
    expect(findingsIn(text)).toMatchObject([{ found }]);
  });

  test.each(['a dead-letter queue', 'Dead Letter Queue', 'Nobody who answers says so.', 'a slotted spoon'])(
    'finds nothing in "%s"',
    (text) => {
      expect(findingsIn(text)).toEqual([]);
    },
  );

  test('returns the line of each word, in order, and what to write instead', () => {
    expect(findingsIn('one\nslot\ntwo\nkeeper, kennel', 10)).toEqual([
      { line: 11, found: 'slot', instead: '"occurrence"' },
      { line: 13, found: 'keeper', instead: '"actor"' },
      { line: 13, found: 'kennel', instead: '"race harness"' },
    ]);
  });
});

describe('textsOf', () => {
  const placeholder = '$' + '{who}';
  const code = `/** One. */\nconst who = 'two'; // three\nconst lastSlot = \`four ${placeholder} five\`;\n`;
  const linesAndTexts = (path: string, content: string) =>
    textsOf(path, content).map(({ line, text }) => [line, text]);

  test('returns the comments, the strings, and the words of the names in code', () => {
    expect(linesAndTexts('a.ts', code)).toEqual([
      [1, '/** One. */'],
      [2, 'const'],
      [2, 'who'],
      [2, "'two'"],
      [2, '// three'],
      [3, 'const'],
      [3, 'last Slot'],
      [3, `\`four ${placeholder.slice(0, 2)}`],
      [3, 'who'],
      [3, '} five`'],
    ]);
  });

  test('returns the text and the string attributes of a component', () => {
    expect(linesAndTexts('a.tsx', 'const view = <p title="one">three {four}</p>;')).toEqual(
      expect.arrayContaining([
        [1, '"one"'],
        [1, 'three '],
      ]),
    );
  });

  test('returns all of any other file', () => {
    expect(linesAndTexts('README.md', code)).toEqual([[1, code]]);
  });
});
