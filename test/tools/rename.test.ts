import { hasNewWord, renamed, wordsOf } from '../../tools/rename.ts';

const words = wordsOf(['dog=issue', 'bark=reply', 'barked=replied', 'barking=replying']);

describe('npm run rename', () => {
  test.each([
    ['const newDog = dogs.get(dogId);', 'const newIssue = issues.get(issueId);'],
    [
      'DOGS_TABLE, BarkOnSchedule, bark-schedule, dog_id',
      'ISSUES_TABLE, ReplyOnSchedule, reply-schedule, issue_id',
    ],
    ['The dog barks, barked and is barking.', 'The issue replies, replied and is replying.'],
    ['A dog, a `dog` and a bark', 'An issue, an `issue` and a reply'],
    [String.raw`/\bbark/, \ndogs, jane%2Bdog`, String.raw`/\breply/, \nissues, jane%2Bissue`],
    ['a watchdog, embark, Barkley and dogma', 'a watchdog, embark, Barkley and dogma'],
  ])('turns %j into %j', (text, expected) => {
    expect(renamed(text, words)).toBe(expected);
  });

  test('swaps two words', () => {
    expect(renamed('a dog barks', wordsOf(['dog=bark', 'bark=dog']))).toBe('a bark dogs');
  });

  test.each(['reply', 'newIssue', 'ISSUES'])(
    'finds the new word %s in a text that has it already',
    (text) => {
      expect(hasNewWord(text, words)).toBe(true);
      expect(hasNewWord('const tissue = 1;', words)).toBe(false);
    },
  );

  test.each([[[]], [['dog']], [['Dog=ticket']], [['dog=ticket', 'bark=ticket']]])(
    'refuses the words %j',
    (parameters) => {
      expect(() => wordsOf(parameters)).toThrow(/Give each word|must be two words|new word of its own/);
    },
  );
});
