import { findingsIn, nameRules, proseRules } from '../../tools/prose/rules.ts';
import { textsOf } from '../../tools/prose/texts.ts';

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
    ['The authorizer lets users pass.', 'lets users pass'],
    ['Started again, the service works.', 'Started again'],
    ['After a restart, the dog is as it was.', 'as it was'],
    ['Each occurrence counts once, whatever is delivered twice.', 'whatever is'],
    ['Queues contain what could not be done.', 'what could not'],
    ['The slot is due.', 'slot'],
    ['The workflow gives up.', 'gives up'],
    ['a dead letter of the queue', 'dead letter'],
    ['/** Return the dog. */', '/** Return '],
    ['/** Creates a dog. @throws NotFound */', '@throws NotFound'],
    ['/** Creates a dog.\n * @throws NotFound\n * @returns the dog */', '@throws NotFound'],
  ])('finds the banned word in "%s"', (text, found) => {
    expect(findingsIn(text)).toMatchObject([{ found }]);
  });

  test.each([
    'no more than five items',
    'a bearer token',
    'The wholesale bearing of a lesson',
    'analyst',
    'The dog barks as it was asked to.',
    'The service is started again.',
    '/** Returns the dog. @throws NotFound if there is none */',
  ])('finds nothing in "%s"', (text) => {
    expect(findingsIn(text)).toEqual([]);
  });

  test('finds the words of the glossary in names', () => {
    expect(findingsIn('last Slot', nameRules)).toMatchObject([{ found: 'Slot' }]);
    expect(findingsIn('bark Now', nameRules)).toMatchObject([{ found: 'bark Now' }]);
    expect(findingsIn('tells', nameRules)).toEqual([]);
  });

  test('returns the line of each word, in order', () => {
    expect(
      findingsIn('one\nlies\ntwo\nanew, lest', proseRules, 10).map(({ line, found }) => [line, found]),
    ).toEqual([
      [11, 'lies'],
      [13, 'anew'],
      [13, 'lest'],
    ]);
  });

  test('states what to write instead for each rule', () => {
    for (const { instead } of [...proseRules, ...nameRules]) expect(instead).not.toBe('');
  });
});

describe('textsOf', () => {
  const placeholder = '$' + '{who}';
  const code = `/** One. */\nconst who = 'two'; // three\nconst lastSlot = \`four ${placeholder} five\`;\n`;
  const textsOfKind = (kind: string, path: string, content: string) =>
    textsOf(path, content).flatMap((text) => (text.kind === kind ? [[text.line, text.text]] : []));

  test('returns the comments and strings of code as prose', () => {
    expect(textsOfKind('prose', 'a.ts', code)).toEqual([
      [1, '/** One. */'],
      [2, "'two'"],
      [2, '// three'],
      [3, `\`four ${placeholder.slice(0, 2)}`],
      [3, '} five`'],
    ]);
  });

  test('returns the words of the names in code', () => {
    expect(textsOfKind('name', 'a.ts', code)).toEqual([
      [2, 'const'],
      [2, 'who'],
      [3, 'const'],
      [3, 'last Slot'],
      [3, 'who'],
    ]);
  });

  test('returns the text and the string attributes of a component', () => {
    const component = 'const view = <p title="one" class={two}>three {four}</p>;';
    expect(textsOfKind('prose', 'a.tsx', component)).toEqual([
      [1, '"one"'],
      [1, 'three '],
    ]);
  });

  test('returns all of any other file', () => {
    expect(textsOf('README.md', code)).toEqual([{ kind: 'prose', line: 1, text: code }]);
  });
});
