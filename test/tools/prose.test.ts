import { findingsIn, rules } from '../../tools/prose/rules.ts';
import { proseOf } from '../../tools/prose/texts.ts';

describe('findingsIn', () => {
  test.each([
    ['The function starts anew.', 'anew'],
    ['It can be cancelled no more.', 'no more'],
    ['The request bears a key.', 'bears'],
    ['Whoever reads this knows it.', 'Whoever'],
    ['Nobody calls it.', 'Nobody'],
    ['The header tells the time.', 'tells'],
    ['The caller is told.', 'told'],
    ['The dog stands there.', 'stands'],
    ['The queue answers the request.', 'answers'],
  ])('finds the banned word in "%s"', (text, found) => {
    expect(findingsIn(text)).toMatchObject([{ found, line: 1 }]);
  });

  test.each(['no more than five items', 'a bearer token', 'The wholesale bearing of a lesson', 'analyst'])(
    'finds nothing in "%s"',
    (text) => {
      expect(findingsIn(text)).toEqual([]);
    },
  );

  test('returns the line of each word, in order', () => {
    expect(findingsIn('one\nlies\ntwo\nanew, lest', 10).map(({ line, found }) => [line, found])).toEqual([
      [11, 'lies'],
      [13, 'anew'],
      [13, 'lest'],
    ]);
  });

  test('states what to write instead for each rule', () => {
    for (const { instead } of rules) expect(instead).not.toBe('');
  });
});

describe('proseOf', () => {
  const placeholder = '$' + '{who}';
  const code = `/** One. */\nconst who = 'two'; // three\nconst tells = \`four ${placeholder} five\`;\n`;

  test('returns the comments and strings of code, but not the names', () => {
    const texts = proseOf('a.ts', code).map(({ line, text }) => [line, text]);
    expect(texts).toEqual([
      [1, '/** One. */'],
      [2, "'two'"],
      [2, '// three'],
      [3, `\`four ${placeholder.slice(0, 2)}`],
      [3, '} five`'],
    ]);
  });

  test('returns the text and the string attributes of a component', () => {
    const component = 'const view = <p title="one" class={two}>three {four}</p>;';
    expect(proseOf('a.tsx', component).map(({ text }) => text)).toEqual(['"one"', 'three ']);
  });

  test('returns all of any other file', () => {
    expect(proseOf('README.md', code)).toEqual([{ line: 1, text: code }]);
  });
});
